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
pub use lines::{Lines, read_lines};

use crate::Failure;
use arena::Progress;
use games::Protocol;
use lab::Error;
use players::{Engine, EngineClock, EngineLimits, GameForm, Refusal, Thought};
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// What the answering thread hears.
pub enum Event {
    /// A line of standard input.
    Line(String),
    /// Standard input has ended.
    End,
    /// The search has finished a depth, this time after it began.
    Found(Progress, Duration),
    /// A position cannot be set.
    Refused(Refused),
    /// All work before is done; the line is to be written.
    Ready(String),
    /// The engine has finished a `go`.
    Moved(Thought),
}

/// A position that cannot be set: its start and moves as in [`Order::Position`], and the reason.
pub struct Refused {
    start: Option<String>,
    moves: Vec<String>,
    refusal: Refusal,
}

/// What the answering thread hears, in its order.
pub struct Mailbox {
    tell: Sender<Event>,
    events: Receiver<Event>,
    /// Has room for the lines that may wait: a line takes a place before it is sent, and leaves it when it is read.
    room: (SyncSender<()>, Receiver<()>),
}

/// The number of lines that may wait until they are answered. Programs that do not read the answers must wait, too.
const MOST_LINES: usize = 100;

impl Mailbox {
    /// An empty mailbox.
    pub fn new() -> Mailbox {
        let (tell, events) = channel();
        Mailbox { tell, events, room: sync_channel(MOST_LINES) }
    }

    /// Where the threads that read and think tell what they have.
    pub fn tell(&self) -> Sender<Event> {
        self.tell.clone()
    }

    /// Where lines of standard input go.
    pub fn lines(&self) -> Lines {
        Lines { events: self.tell(), room: self.room.0.clone() }
    }

    /// The next event. Waits for it.
    fn next(&self) -> Option<Event> {
        let event = self.events.recv().ok()?;
        if matches!(event, Event::Line(_)) {
            let _ = self.room.1.try_recv();
        }
        Some(event)
    }
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
    /// What follows a position that cannot be set.
    fn refused(&mut self, refused: &Refused) -> Vec<Order>;
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

/// The number of jobs that may wait. Further lines are read when there is room again.
const MOST_JOBS: usize = 1000;

/// The largest size of the transposition table in megabytes.
const MOST_MEGABYTES: u64 = 4096;

/// The order that sets the size of the transposition table by an option.
fn table_of(option: &str, megabytes: u64) -> Result<Order, String> {
    match megabytes <= MOST_MEGABYTES {
        true => Ok(Order::Table(megabytes)),
        false => Err(format!("{option} is {megabytes}, but it must be at most {MOST_MEGABYTES}")),
    }
}

/// Speaks the protocol of the first line until the program ends. `name` is the player's name.
pub fn speak<'a>(
    out: &mut impl Write,
    name: &str,
    mut engine: Box<dyn Engine + 'a>,
    clock: &Arc<EngineClock>,
    mailbox: &Mailbox,
) -> Result<(), Failure> {
    // 1. The first line chooses the protocol.
    let (protocol, first) = loop {
        match mailbox.next() {
            Some(Event::Line(line)) => match line.as_str() {
                "xboard" => break (Protocol::Cecp, None),
                "hub" => break (Protocol::Hub, Some(line)),
                "uci" => break (Protocol::Uci, Some(line)),
                "" => {}
                "quit" => return Ok(()),
                // Programs that do not begin with a greeting mean UCI.
                _ => break (Protocol::Uci, Some(line)),
            },
            Some(Event::End) | None => return Ok(()),
            Some(_) => {}
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
    let (jobs, work) = sync_channel::<Job>(MOST_JOBS);
    std::thread::scope(|scope| {
        let (tell, shared) = (mailbox.tell(), Arc::clone(clock));
        scope.spawn(move || think(engine, &work, &tell, &shared));
        let answered = Answering { out, jobs, clock, number: 0, thinking: 0, waiting: 0, is_endless: false }.run(
            &mut *dialect,
            first,
            mailbox,
        );
        clock.stop(u64::MAX);
        answered
    })?;
    Ok(())
}

/// The state of the answering thread.
struct Answering<'a, W: Write> {
    out: &'a mut W,
    jobs: SyncSender<Job>,
    clock: &'a EngineClock,
    /// The number of `go` commands, and of those whose moves have not been said yet.
    number: u64,
    thinking: usize,
    /// The number of lines that are written when the work before them is done.
    waiting: usize,
    /// Whether the last `go` has no end until it is stopped.
    is_endless: bool,
}

/// The longest time for answers that are due at the end.
const FAREWELL: Duration = Duration::from_secs(5);

impl<W: Write> Answering<'_, W> {
    fn run(mut self, dialect: &mut dyn Dialect, first: Option<String>, mailbox: &Mailbox) -> std::io::Result<()> {
        let mut first = first.map(Event::Line);
        while let Some(event) = first.take().or_else(|| mailbox.next()) {
            match event {
                Event::Line(line) => {
                    for order in dialect.read(&line) {
                        if matches!(order, Order::Quit) {
                            return self.farewell(&mailbox.events);
                        }
                        self.obey(order)?;
                    }
                }
                Event::End => return self.farewell(&mailbox.events),
                Event::Found(progress, time) => {
                    if let Some(line) = dialect.found(&progress, time) {
                        self.say(&line)?;
                    }
                }
                Event::Refused(refused) => {
                    for order in dialect.refused(&refused) {
                        self.obey(order)?;
                    }
                }
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
                self.work(Job::Ready(line));
            }
            Order::Begin => self.work(Job::Begin),
            Order::Position { start, moves } => self.work(Job::Position { start, moves }),
            Order::Seed(seed) => self.work(Job::Seed(seed)),
            Order::Table(megabytes) => self.clock.set_table(megabytes),
            Order::Go(go) => {
                let is_endless = go.infinite || go.ponder;
                let job = Job::Go { go: Box::new(go), number: self.number + 1 };
                self.work(job);
                self.thinking += 1;
                self.number += 1;
                self.is_endless = is_endless;
            }
            Order::Stop => {
                self.is_endless = false;
                self.clock.stop(self.number);
            }
            Order::PonderHit => self.clock.hurry(self.number),
            Order::Quit => {}
        }
        Ok(())
    }
}

impl<W: Write> Answering<'_, W> {
    /// Gives work to the thinking thread. A search that would never end ends now, because nobody waits for it any more.
    fn work(&mut self, job: Job) {
        if std::mem::take(&mut self.is_endless) {
            self.clock.stop(self.number);
        }
        let _ = self.jobs.send(job);
    }
}

/// Ends the program if its thoughts panic: other programs notice an engine that has ended, but would wait for its move.
struct EndOnPanic<'a>(&'a Sender<Event>);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Event::End);
        }
    }
}

/// Does the work of the commands in their order.
fn think(mut engine: Box<dyn Engine + '_>, work: &Receiver<Job>, tell: &Sender<Event>, clock: &EngineClock) {
    let _end = EndOnPanic(tell);
    while let Ok(job) = work.recv() {
        match job {
            Job::Begin => engine.begin(),
            Job::Seed(seed) => engine.set_seed(seed),
            Job::Ready(line) => drop(tell.send(Event::Ready(line))),
            Job::Position { start, moves } => {
                let words: Vec<&str> = moves.iter().map(String::as_str).collect();
                if let Err(refusal) = engine.set_position(start.as_deref(), &words) {
                    let _ = tell.send(Event::Refused(Refused { start, moves, refusal }));
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

#[cfg(test)]
mod tests {
    use super::*;
    use games::Side;

    /// An engine whose thoughts panic.
    struct Faulty;

    impl Engine for Faulty {
        fn speak(&mut self, _: Protocol) -> Result<GameForm, players::Error> {
            Ok(GameForm { variant: "x", start: String::new() })
        }
        fn begin(&mut self) {}
        fn set_position(&mut self, _: Option<&str>, _: &[&str]) -> Result<(), Refusal> {
            Ok(())
        }
        fn side_to_move(&self) -> Side {
            Side::First
        }
        fn usual_depth(&self) -> u32 {
            1
        }
        fn set_seed(&mut self, _: u64) {}
        fn move_numbers(&self, _: &[&str]) -> Vec<usize> {
            Vec::new()
        }
        fn think(&mut self) -> Thought {
            panic!("on purpose")
        }
    }

    #[test]
    fn a_panic_ends_the_engine() {
        let mailbox = Mailbox::new();
        let clock = Arc::new(EngineClock::new(|_, _| ()));
        for line in ["uci", "go depth 1"] {
            mailbox.tell().send(Event::Line(line.to_string())).unwrap();
        }
        let spoken = std::panic::AssertUnwindSafe(|| speak(&mut Vec::new(), "x", Box::new(Faulty), &clock, &mailbox));
        assert!(std::panic::catch_unwind(spoken).is_err());
    }
}
