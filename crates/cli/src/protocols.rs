//! The protocols by which other programs use a player as an engine. The first line of a program says which one it
//! speaks.
//!
//! Three threads: one reads lines, one thinks, and the one that called [`speak`] answers. So every command is answered
//! at once, also while the engine thinks.

mod cecp;
mod go;
mod hub;
mod lines;
mod uci;

pub use go::Go;
pub use lines::read_lines;

use crate::Failure;
use arena::Progress;
use games::Protocol;
use lab::Error;
use players::{Engine, EngineClock, EngineLimits, GameForm, Thought};
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// What the answering thread hears.
pub enum Event {
    /// A line of standard input.
    Line(String),
    /// Standard input has ended.
    End,
    /// The search has finished a depth, this time after it began.
    Found(Progress, Duration),
    /// The position cannot be set.
    Refused(String),
    /// All work before is done; the line is to be written.
    Ready(String),
    /// The engine has finished a `go`.
    Moved(Thought),
}

/// What a line of a program asks for.
pub enum Order {
    /// Write a line.
    Say(String),
    /// Write a line when all work before is done; at once while the engine thinks.
    Ready(String),
    /// Forget the last game.
    Begin,
    /// Set the position: a start, `None` for the usual one, and moves.
    Position { start: Option<String>, moves: Vec<String> },
    /// Set the seed of random choices.
    Seed(u64),
    /// Set the size of the transposition table in megabytes.
    Table(u64),
    /// Think.
    Go(Go),
    /// Move now.
    Stop,
    /// The expected move was made: the clock runs from now on.
    PonderHit,
    /// End.
    Quit,
}

/// A protocol: reads the lines of a program, and writes what the engine finds.
trait Dialect {
    /// What a line asks for.
    fn read(&mut self, line: &str) -> Vec<Order>;
    /// The line that tells what the search has found at a depth; `None` if nobody wants to know.
    fn found(&self, progress: &Progress, time: Duration) -> Option<String>;
    /// What follows the end of a `go`.
    fn moved(&mut self, thought: &Thought) -> Vec<String>;
    /// The line that tells why a position cannot be set.
    fn refused(&mut self, why: &str) -> String;
}

/// The player's name, and the game as the protocol sees it.
struct Introduction {
    name: String,
    game: GameForm,
}

/// Work for the thinking thread, in the order of the commands.
enum Job {
    Begin,
    Position { start: Option<String>, moves: Vec<String> },
    Seed(u64),
    Go { go: Box<Go>, number: u64 },
    Ready(String),
}

/// The largest size of the transposition table in megabytes.
const MOST_MEGABYTES: u64 = 4096;

/// Speaks the protocol of the first line until the program ends. `name` is the player's name.
pub fn speak<'a>(
    out: &mut impl Write,
    name: &str,
    mut engine: Box<dyn Engine + 'a>,
    clock: &Arc<EngineClock>,
    events: &(Sender<Event>, Receiver<Event>),
) -> Result<(), Failure> {
    // 1. The first line chooses the protocol.
    let (protocol, first) = loop {
        match events.1.recv() {
            Ok(Event::Line(line)) => match line.as_str() {
                "xboard" => break (Protocol::Cecp, None),
                "hub" => break (Protocol::Hub, Some(line)),
                "uci" => break (Protocol::Uci, Some(line)),
                "" => {}
                "quit" => return Ok(()),
                // Programs that do not begin with a greeting mean UCI.
                _ => break (Protocol::Uci, Some(line)),
            },
            Ok(Event::End) | Err(_) => return Ok(()),
            Ok(_) => {}
        }
    };
    let game = match engine.speak(protocol) {
        Ok(game) => game,
        Err(error) => return Err(Error::refused(error.to_string()).into()),
    };
    let introduction = Introduction { name: format!("Gamete {} {name}", env!("CARGO_PKG_VERSION")), game };
    let mut dialect: Box<dyn Dialect> = match protocol {
        Protocol::Uci => Box::new(uci::Uci::new(introduction)),
        Protocol::Cecp => Box::new(cecp::Cecp::new(introduction)),
        Protocol::Hub => Box::new(hub::Hub::new(introduction)),
    };
    // 2. Think in one thread, and answer in this one.
    let (jobs, work) = channel::<Job>();
    std::thread::scope(|scope| {
        let (tell, shared) = (events.0.clone(), Arc::clone(clock));
        scope.spawn(move || think(engine, &work, &tell, &shared));
        let answered =
            Answering { out, jobs, clock, number: 0, thinking: 0, waiting: 0 }.run(&mut *dialect, first, &events.1);
        clock.stop(u64::MAX);
        answered
    })?;
    Ok(())
}

/// The state of the answering thread.
struct Answering<'a, W: Write> {
    out: &'a mut W,
    jobs: Sender<Job>,
    clock: &'a EngineClock,
    /// The number of `go` commands, and of those whose moves have not been said yet.
    number: u64,
    thinking: usize,
    /// The number of lines that are written when the work before them is done.
    waiting: usize,
}

/// The longest time for answers that are due at the end.
const FAREWELL: Duration = Duration::from_secs(5);

impl<W: Write> Answering<'_, W> {
    fn run(
        mut self,
        dialect: &mut dyn Dialect,
        first: Option<String>,
        events: &Receiver<Event>,
    ) -> std::io::Result<()> {
        let mut first = first.map(Event::Line);
        while let Some(event) = first.take().or_else(|| events.recv().ok()) {
            match event {
                Event::Line(line) => {
                    for order in dialect.read(&line) {
                        if matches!(order, Order::Quit) {
                            return self.farewell(events);
                        }
                        self.obey(order)?;
                    }
                }
                Event::End => return self.farewell(events),
                Event::Found(progress, time) => {
                    if let Some(line) = dialect.found(&progress, time) {
                        self.say(&line)?;
                    }
                }
                Event::Refused(why) => self.say(&dialect.refused(&why))?,
                Event::Ready(line) => {
                    self.waiting -= 1;
                    self.say(&line)?;
                }
                Event::Moved(thought) => {
                    self.thinking -= 1;
                    for line in dialect.moved(&thought) {
                        self.say(&line)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives the answers that are still due, for scripts that send all lines at once. A search is not waited for.
    fn farewell(mut self, events: &Receiver<Event>) -> std::io::Result<()> {
        while self.waiting > 0
            && self.thinking == 0
            && let Ok(event) = events.recv_timeout(FAREWELL)
        {
            if let Event::Ready(line) = event {
                self.waiting -= 1;
                self.say(&line)?;
            }
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> std::io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    fn obey(&mut self, order: Order) -> std::io::Result<()> {
        match order {
            Order::Say(line) => self.say(&line)?,
            Order::Ready(line) if self.thinking > 0 => self.say(&line)?,
            Order::Ready(line) => {
                self.waiting += 1;
                let _ = self.jobs.send(Job::Ready(line));
            }
            Order::Begin => drop(self.jobs.send(Job::Begin)),
            Order::Position { start, moves } => drop(self.jobs.send(Job::Position { start, moves })),
            Order::Seed(seed) => drop(self.jobs.send(Job::Seed(seed))),
            Order::Table(megabytes) => self.clock.set_table(megabytes.min(MOST_MEGABYTES)),
            Order::Go(go) => {
                self.thinking += 1;
                self.number += 1;
                let _ = self.jobs.send(Job::Go { go: Box::new(go), number: self.number });
            }
            Order::Stop => self.clock.stop(self.number),
            Order::PonderHit => self.clock.hurry(self.number),
            Order::Quit => {}
        }
        Ok(())
    }
}

/// Does the work of the commands in their order.
fn think(mut engine: Box<dyn Engine + '_>, work: &Receiver<Job>, tell: &Sender<Event>, clock: &EngineClock) {
    while let Ok(job) = work.recv() {
        match job {
            Job::Begin => engine.begin(),
            Job::Seed(seed) => engine.set_seed(seed),
            Job::Ready(line) => drop(tell.send(Event::Ready(line))),
            Job::Position { start, moves } => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                if let Err(error) = engine.set_position(start.as_deref(), &moves) {
                    let _ = tell.send(Event::Refused(error.to_string()));
                }
            }
            Job::Go { go, number } => {
                let waits = go.infinite || go.ponder;
                let time = go.time_for(engine.side_to_move());
                let left = if go.ponder { None } else { time };
                let is_limited = go.depth.is_some() || go.nodes.is_some() || left.is_some() || waits;
                let usual = if is_limited { EngineLimits::NONE.depth } else { engine.usual_depth() };
                let only: Vec<&str> = go.only.iter().map(String::as_str).collect();
                let only = Some(engine.move_numbers(&only)).filter(|only| !only.is_empty());
                let limits = EngineLimits {
                    depth: go.depth.unwrap_or(usual).max(1),
                    nodes: go.nodes.unwrap_or(u64::MAX),
                    deadline: left.map(|left| Instant::now() + left),
                    after_pondering: time,
                    only: only.map(Arc::from),
                };
                clock.set(limits, number);
                let thought = engine.think();
                // An infinite search prints its move only after a stop, and a pondered one only after a stop or after
                // the expected move.
                while waits && !clock.is_spent() && !clock.is_hurried() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let _ = tell.send(Event::Moved(thought));
            }
        }
    }
}
