//! UCI, the protocol of chess engines: reads commands, and says what the engine finds.
//!
//! Three threads: one reads lines, one thinks, and the one that called [`speak`] answers. So every command is answered
//! at once, also while the engine thinks.

use games::Side;
use players::{Engine, EngineClock, EngineLimits};
use std::io::{BufRead, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// What the answering thread hears.
pub enum Event {
    /// A line of standard input.
    Line(String),
    /// Standard input has ended.
    End,
    /// A line to be written.
    Say(String),
    /// The engine has finished a command; for a move, with its line.
    Done(Option<String>),
}

/// Work for the thinking thread, in the order of the commands.
enum Job {
    Begin,
    Position { start: Option<String>, moves: Vec<String> },
    Seed(u64),
    Go { go: Box<Go>, options: Options, number: u64 },
    Ready,
}

/// The limits that a `go` command names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<u64>,
    /// The time left and the increment of each side, in milliseconds.
    time: [Option<u64>; 2],
    increment: [u64; 2],
    moves_to_go: Option<u64>,
    infinite: bool,
    ponder: bool,
}

/// Options that a user can set.
#[derive(Clone, Copy, Default)]
struct Options {
    depth: Option<u32>,
    nodes: Option<u64>,
}

/// A longer line than this is not a command.
const LONGEST_LINE: u64 = 1 << 16;
/// Milliseconds that are kept back for everything that is not thinking.
const LAG: u64 = 15;

/// Reads lines until the input ends. Lines that are too long or not text are skipped.
pub fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') => {
                // Skip the rest of the line.
                let mut rest = Vec::new();
                while input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest).is_ok_and(|count| count > 0) {
                    if rest.last() == Some(&b'\n') {
                        break;
                    }
                    rest.clear();
                }
                continue;
            }
            Ok(_) => {}
        }
        let Ok(line) = String::from_utf8(line) else { continue };
        if events.send(Event::Line(line.trim().to_string())).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

/// Speaks UCI until `quit` or the end of the input. `name` is the player's name.
pub fn speak<'a>(
    out: &mut impl Write,
    name: &str,
    game: &str,
    make: impl FnOnce() -> Box<dyn Engine + 'a> + Send,
    clock: &Arc<EngineClock>,
    events: &(Sender<Event>, Receiver<Event>),
) -> std::io::Result<()> {
    let (jobs, work) = channel::<Job>();
    std::thread::scope(|scope| {
        let tell = events.0.clone();
        let shared = Arc::clone(clock);
        scope.spawn(move || think(make(), &work, &tell, &shared));
        let answered = answer(out, name, game, jobs, clock, &events.1);
        clock.stop(u64::MAX);
        answered
    })
}

/// Answers all commands.
fn answer(
    out: &mut impl Write,
    name: &str,
    game: &str,
    jobs: Sender<Job>,
    clock: &EngineClock,
    events: &Receiver<Event>,
) -> std::io::Result<()> {
    // The number of `go` commands, and of those whose moves have not been said yet.
    let (mut number, mut thinking) = (0, 0);
    // The limits of a move that is pondered, until the expected move is made.
    let mut pondered: Option<Go> = None;
    let (mut mover, mut options) = (Side::First, Options::default());
    let mut say = |line: &str| -> std::io::Result<()> {
        writeln!(out, "{line}")?;
        out.flush()
    };
    while let Ok(event) = events.recv() {
        let line = match event {
            Event::Line(line) => line,
            Event::End => return Ok(()),
            Event::Say(line) => {
                say(&line)?;
                continue;
            }
            Event::Done(best) => {
                thinking -= usize::from(best.is_some());
                say(best.as_deref().unwrap_or("readyok"))?;
                continue;
            }
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => {
                say(&format!("id name Gamete {} {name}", env!("CARGO_PKG_VERSION")))?;
                say("id author the authors of Gamete")?;
                say("option name Depth type spin default 0 min 0 max 64")?;
                say("option name Nodes type spin default 0 min 0 max 1000000000")?;
                say("option name Seed type spin default 1 min 0 max 2147483647")?;
                say("option name Ponder type check default false")?;
                say("option name Threads type spin default 1 min 1 max 1")?;
                say(&format!("option name UCI_Variant type combo default {game} var {game}"))?;
                say("uciok")?;
            }
            ["isready"] if thinking > 0 => say("readyok")?,
            ["isready"] => drop(jobs.send(Job::Ready)),
            ["ucinewgame"] => drop(jobs.send(Job::Begin)),
            ["position", rest @ ..] => match position(rest) {
                Some((start, moves)) => {
                    mover = side_after(start.as_deref(), moves.len());
                    let _ = jobs.send(Job::Position { start, moves });
                }
                None => say("info string a position is `startpos` or `fen` with a position, then `moves`")?,
            },
            ["setoption", "name", option, "value", value] => match set(option, value, &mut options, game) {
                Ok(Some(seed)) => drop(jobs.send(Job::Seed(seed))),
                Ok(None) => {}
                Err(what) => say(&format!("info string {what}"))?,
            },
            ["go", rest @ ..] => {
                let go = go(rest);
                pondered = go.ponder.then(|| go.clone());
                thinking += 1;
                number += 1;
                let _ = jobs.send(Job::Go { go: Box::new(go), options, number });
            }
            ["stop"] => {
                pondered = None;
                clock.stop(number);
            }
            ["ponderhit"] => {
                if let Some(go) = pondered.take() {
                    clock.hurry(go.time_for(mover), number);
                }
            }
            ["quit"] => return Ok(()),
            // The protocol says that unknown commands are skipped.
            _ => {}
        }
    }
    Ok(())
}

/// Does the work of the commands in their order.
fn think(mut engine: Box<dyn Engine + '_>, work: &Receiver<Job>, tell: &Sender<Event>, clock: &EngineClock) {
    while let Ok(job) = work.recv() {
        match job {
            Job::Begin => engine.begin(),
            Job::Seed(seed) => engine.set_seed(seed),
            Job::Ready => drop(tell.send(Event::Done(None))),
            Job::Position { start, moves } => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                if let Err(error) = engine.set_position(start.as_deref(), &moves) {
                    let _ = tell.send(Event::Say(format!("info string {error}")));
                }
            }
            Job::Go { go, options, number } => {
                let waits = go.infinite || go.ponder;
                let left = if go.ponder { None } else { go.time_for(engine.side_to_move()) };
                let is_limited = go.depth.is_some() || go.nodes.is_some() || left.is_some() || waits;
                let usual = if is_limited { EngineLimits::NONE.depth } else { engine.usual_depth() };
                let depth = go.depth.or(options.depth).unwrap_or(usual);
                let nodes = go.nodes.or(options.nodes).unwrap_or(u64::MAX);
                let deadline = left.map(|left| Instant::now() + left);
                clock.set(EngineLimits { depth: depth.max(1), nodes, deadline }, number);
                let best = engine.think();
                // An infinite search prints its move only after `stop`, and a pondered one only after `stop` or
                // `ponderhit`.
                while waits && !clock.is_spent() && !clock.is_hurried() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let best = best.unwrap_or_else(|| "0000".to_string());
                let _ = tell.send(Event::Done(Some(format!("bestmove {best}"))));
            }
        }
    }
}

/// Sets an option. Returns the seed if that was set.
fn set(option: &str, value: &str, options: &mut Options, game: &str) -> Result<Option<u64>, String> {
    let number = || value.parse::<u64>().map_err(|_| format!("{option} is `{value}`, but it must be a whole number"));
    match option.to_ascii_lowercase().as_str() {
        "depth" => options.depth = Some(number()?.min(64) as u32).filter(|depth| *depth > 0),
        "nodes" => options.nodes = Some(number()?).filter(|nodes| *nodes > 0),
        "seed" => return number().map(Some),
        "ponder" | "threads" => {}
        "uci_variant" if value == game => {}
        "uci_variant" => return Err(format!("UCI_Variant is `{value}`, but this engine plays {game}")),
        _ => return Err(format!("there is no option {option}")),
    }
    Ok(None)
}

/// Reads the words after `position`: the start, or `None` for the usual one, and the moves.
fn position(words: &[&str]) -> Option<(Option<String>, Vec<String>)> {
    let place = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words[place..].iter().skip(1).map(|word| word.to_string()).collect();
    match words[..place] {
        ["startpos"] => Some((None, moves)),
        ["fen", ref rest @ ..] if !rest.is_empty() => Some((Some(rest.join(" ")), moves)),
        _ => None,
    }
}

/// The side to move after a number of moves from a start.
fn side_after(start: Option<&str>, moves: usize) -> Side {
    let second = start.is_some_and(|start| start.split_whitespace().nth(1) == Some("b"));
    if second != (moves % 2 == 1) { Side::Second } else { Side::First }
}

/// Reads the words after `go`. Unknown words are skipped.
fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        // A negative time means that it is over.
        let mut number = || words.next().and_then(|value| value.parse::<i64>().ok()).map(|value| value.max(0) as u64);
        match word {
            "depth" => go.depth = number().map(|depth| depth.min(64) as u32),
            "nodes" => go.nodes = number(),
            "movetime" => go.move_time = number(),
            "wtime" => go.time[0] = number(),
            "btime" => go.time[1] = number(),
            "winc" => go.increment[0] = number().unwrap_or(0),
            "binc" => go.increment[1] = number().unwrap_or(0),
            "movestogo" => go.moves_to_go = number(),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            _ => {}
        }
    }
    go
}

impl Go {
    /// The time for this move of a side; `None` if it is not limited.
    fn time_for(&self, side: Side) -> Option<Duration> {
        let place = side as usize;
        let milliseconds = match (self.move_time, self.time[place]) {
            (Some(time), _) => time.saturating_sub(LAG),
            (None, Some(left)) => {
                // An even share of the time left, most of the increment, and never more than a third of what is left.
                let moves = self.moves_to_go.unwrap_or(25).clamp(1, 40);
                let share = left / moves + self.increment[place] * 3 / 4;
                share.min(left / 3).min(left.saturating_sub(2 * LAG)).saturating_sub(1)
            }
            (None, None) => return None,
        };
        Some(Duration::from_millis(milliseconds.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        assert_eq!(position(&words("startpos moves a2a3 b5b4")), Some((None, vec!["a2a3".into(), "b5b4".into()])));
        assert_eq!(position(&words("fen x/y b")), Some((Some("x/y b".into()), Vec::new())));
        assert_eq!(position(&words("fen moves a2a3")), None);
        assert_eq!(position(&[]), None);
        let read = go(&words("depth 7 nodes x wtime 1000 btime -5 winc 10 ponder nonsense 3"));
        let expected =
            Go { depth: Some(7), time: [Some(1000), Some(0)], increment: [10, 0], ponder: true, ..Go::default() };
        assert_eq!(read, expected);
        assert_eq!(side_after(Some("x/y b"), 1), Side::First);
        assert_eq!(side_after(None, 1), Side::Second);
    }

    #[test]
    fn time_is_never_used_up() {
        for left in 0..5000 {
            let go = Go { time: [Some(left), None], increment: [10, 0], ..Go::default() };
            let time = go.time_for(Side::First).unwrap().as_millis() as u64;
            assert!(time <= 1 || time + 2 * LAG <= left, "{time} of {left}");
        }
        assert_eq!(Go::default().time_for(Side::First), None);
    }

    #[test]
    fn long_lines_and_bytes_that_are_no_text_are_skipped() {
        let long = "x".repeat(3 * LONGEST_LINE as usize);
        let input = [b"uci\n".to_vec(), long.into_bytes(), b"\n\xff\xfe\nquit".to_vec()].concat();
        let (tell, heard) = channel();
        read_lines(std::io::Cursor::new(input), &tell);
        drop(tell);
        let lines: Vec<String> = heard
            .iter()
            .filter_map(|event| match event {
                Event::Line(line) => Some(line),
                _ => None,
            })
            .collect();
        assert_eq!(lines, ["uci", "quit"]);
    }
}
