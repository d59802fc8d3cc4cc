//! A program that uses `gamete engine` and sends it garbage. The engine must answer, move and stop as if there had been
//! none, and its memory must not grow.

use super::lines::{LONGEST_LINE, position, stop, to_engine};
use super::scenes::{Scene, draw};
use crate::cases::Case;
use crate::server::usage;
use games::Protocol;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The engines: protocol, game and player.
const ENGINES: [(Protocol, &str, &str); 8] = [
    (Protocol::Uci, "minichess", "champion:minichess,search=selective,hash=game"),
    (Protocol::Cecp, "minichess", "champion:minichess,search=selective"),
    (Protocol::Hub, "draughts", "champion:draughts,search=selective,hash=game"),
    (Protocol::Uci, "draughts", "champion:draughts"),
    (Protocol::Cecp, "minichess", "material:64,search=selective --game minichess"),
    (Protocol::Hub, "draughts", "mcts:300 --game draughts"),
    (Protocol::Uci, "nim", "mcts:100 --game nim"),
    (Protocol::Uci, "tic-tac-toe", "perfect --game tic-tac-toe"),
];
/// The longest time for an answer. Test machines are slow and share their cores.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest time from `stop` to the move.
const LONGEST_STOP: Duration = Duration::from_secs(2);
/// The largest growth of the memory from the first to the last third of the rounds, in kilobytes. The sizes of tables
/// may be set to up to 32 MB.
const MORE_MEMORY: u64 = 64 * 1024;
/// The number of lines before the engine is checked.
const MOST_LINES: usize = 200;
/// The number of lines that are sent while nobody reads the answers.
const UNREAD_LINES: usize = 3000;

/// Sends garbage to one of the engines.
pub fn garbage(case: &mut Case, engine: u64, rounds: usize) -> Result<(), String> {
    let (protocol, game, player) = ENGINES[engine as usize % ENGINES.len()];
    let mut talk = Talk::start(case, protocol, game, player)?;
    let result = talk.rounds(case, rounds);
    let what = ["lines to uci", "lines to cecp", "lines to hub"][protocol as usize];
    case.count(what, talk.sent);
    let longest = |durations: &[Duration]| durations.iter().max().map_or(0, |longest| longest.as_millis() as u64);
    case.count("most milliseconds to stop", longest(&talk.stops));
    case.count("most milliseconds to answer", longest(&talk.answers));
    case.count("stops", talk.stops.len() as u64);
    case.count("legal moves", talk.legal);
    case.count("most kilobytes of an engine", talk.memory.iter().copied().max().unwrap_or(0));
    // A panic explains what else went wrong.
    let ended = talk.end(result.is_ok());
    let with_player = |error: String| format!("{error} ({} {player})", protocol.name());
    ended.and(result).map_err(with_player)
}

/// A running engine, and what was said to it and heard from it.
struct Talk {
    protocol: Protocol,
    game: &'static str,
    child: Child,
    /// Lines for the engine, which a thread writes. `None` after the end of its input.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<(Instant, String)>,
    /// Whether the answers are not read.
    is_deaf: Arc<AtomicBool>,
    /// Everything that was sent, to show a fault again.
    transcript: File,
    folder: std::path::PathBuf,
    sent: u64,
    /// Answers that are due: moves, and lines that say that the engine is ready.
    due: Due,
    stops: Vec<Duration>,
    answers: Vec<Duration>,
    legal: u64,
    memory: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Due {
    moves: u64,
    ready: u64,
}

impl Talk {
    fn start(case: &mut Case, protocol: Protocol, game: &'static str, player: &str) -> Result<Talk, String> {
        let to_message = |error: std::io::Error| format!("siege: {error}");
        let folder = case.folder.clone();
        let mut command = case.siege.gamete.command(&folder, &format!("engine {player}"));
        let errors = File::create(folder.join("stderr.txt")).map_err(to_message)?;
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::from(errors)).spawn().map_err(to_message)?;
        let mut stdin = child.stdin.take().ok_or("siege: no standard input")?;
        let mut stdout = BufReader::new(child.stdout.take().ok_or("siege: no standard output")?);
        let (input, orders) = channel::<Vec<u8>>();
        std::thread::spawn(move || orders.iter().try_for_each(|line| stdin.write_all(&line)));
        let (tell, lines) = channel();
        let is_deaf = Arc::new(AtomicBool::new(false));
        let deaf = Arc::clone(&is_deaf);
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
                while deaf.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(5));
                }
                let text = String::from_utf8_lossy(&line).trim_end().to_string();
                if tell.send((Instant::now(), text)).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let transcript = File::create(folder.join("sent.txt")).map_err(to_message)?;
        let mut talk = Talk {
            protocol,
            game,
            child,
            input: Some(input),
            lines,
            is_deaf,
            transcript,
            folder,
            sent: 0,
            due: Due::default(),
            stops: Vec::new(),
            answers: Vec::new(),
            legal: 0,
            memory: Vec::new(),
        };
        let greetings: &[&str] = match protocol {
            Protocol::Uci if case.rng.below(3) == 0 => &["\u{1b}garbage", "", "go depth 1"],
            Protocol::Uci => &["uci", "isready"],
            Protocol::Cecp => &["xboard", "protover 2"],
            Protocol::Hub => &["hub", "init"],
        };
        greetings.iter().try_for_each(|line| talk.say(line))?;
        Ok(talk)
    }

    fn rounds(&mut self, case: &mut Case, rounds: usize) -> Result<(), String> {
        for round in 0..rounds {
            let with_round = |error: String| format!("{error}, round {}", round + 1);
            self.round(case, round).map_err(with_round)?;
            let now = usage(self.child.id())
                .ok_or("ended: the engine is gone")
                .map_err(|error| with_round(error.to_string()))?;
            self.memory.push(now.memory);
        }
        let third = self.memory.len() / 3;
        let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
        let (before, after) = (most(&self.memory[..third]), most(&self.memory[self.memory.len() - third..]));
        if after > before + MORE_MEMORY {
            return Err(format!("memory: {before} KB in the first third of {rounds} rounds, {after} KB in the last"));
        }
        Ok(())
    }

    /// Sends garbage, and then checks that the engine answers, moves and stops.
    fn round(&mut self, case: &mut Case, round: usize) -> Result<(), String> {
        for _ in 0..1 + case.rng.below(MOST_LINES) {
            self.send(&to_engine(self.protocol, self.game, &mut case.rng))?;
            if case.rng.below(40) == 0 {
                std::thread::sleep(Duration::from_millis(case.rng.below(8) as u64));
            }
        }
        if round % 10 == 4 {
            self.send_unread(case)?;
        }
        self.settle(case)?;
        self.check_move(case)?;
        if round.is_multiple_of(2) { self.check_stop(case) } else { Ok(()) }
    }

    /// Sends lines that are answered, without reading the answers for a moment. The engine must not collect them.
    fn send_unread(&mut self, case: &mut Case) -> Result<(), String> {
        self.is_deaf.store(true, Ordering::Relaxed);
        let text = "x".repeat(8000 + case.rng.below(8000));
        let line = match self.protocol {
            Protocol::Uci => format!("setoption name {text} value 1"),
            Protocol::Cecp | Protocol::Hub => text,
        };
        (0..UNREAD_LINES).try_for_each(|_| self.say(&line))?;
        std::thread::sleep(Duration::from_millis(200));
        self.memory.extend(usage(self.child.id()).map(|usage| usage.memory));
        self.is_deaf.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Ends all searches, and waits until everything is answered.
    fn settle(&mut self, case: &mut Case) -> Result<(), String> {
        let begun = Instant::now();
        match self.protocol {
            Protocol::Uci => {
                self.say("stop")?;
                self.say("isready")?;
            }
            Protocol::Hub => {
                self.say("stop")?;
                self.say("ping")?;
            }
            Protocol::Cecp => {
                self.say("force")?;
                let number = 1_000_000 + case.rng.below(1 << 40);
                self.say(&format!("ping {number}"))?;
                self.until(&format!("pong {number}"), |line| line == format!("pong {number}"))?;
            }
        }
        self.hear_due()?;
        self.answers.push(begun.elapsed());
        Ok(())
    }

    /// Waits until each `go`, `isready` and `ping` has its answer.
    fn hear_due(&mut self) -> Result<(), String> {
        while self.protocol != Protocol::Cecp && self.due != Due::default() {
            let what = format!("{:?}", self.due);
            self.until(&what, |line| {
                line.starts_with("bestmove") || line.starts_with("done") || line == "readyok" || line == "pong"
            })?;
        }
        Ok(())
    }

    /// Checks that the engine makes a legal move in a position.
    fn check_move(&mut self, case: &mut Case) -> Result<(), String> {
        let scene = self.set_scene(case)?;
        let depth = 1 + case.rng.below(2);
        match self.protocol {
            Protocol::Uci if case.rng.below(2) == 0 => self.say("go movetime 20")?,
            Protocol::Uci => self.say(&format!("go depth {depth}"))?,
            Protocol::Cecp => {
                self.say(&format!("sd {depth}"))?;
                self.say("go")?;
            }
            Protocol::Hub => {
                self.say(&format!("level depth={depth}"))?;
                self.say("go think")?;
            }
        }
        self.hear_move(&scene).map(drop)
    }

    /// Checks that the engine moves soon after a stop.
    fn check_stop(&mut self, case: &mut Case) -> Result<(), String> {
        let scene = self.set_scene(case)?;
        let go: &[&str] = match self.protocol {
            Protocol::Uci => &["go infinite"],
            Protocol::Cecp => &["level 0 600 0", "go"],
            Protocol::Hub => &["level infinite", "go think"],
        };
        go.iter().try_for_each(|line| self.say(line))?;
        std::thread::sleep(Duration::from_millis(case.rng.below(40) as u64));
        let begun = Instant::now();
        self.say(stop(self.protocol))?;
        let heard = self.hear_move(&scene)?;
        let took = heard.saturating_duration_since(begun);
        self.stops.push(took);
        match took > LONGEST_STOP {
            true => Err(format!("slow stop: it moved {} ms after the stop", took.as_millis())),
            false => Ok(()),
        }
    }

    /// Begins a game in a position.
    fn set_scene(&mut self, case: &mut Case) -> Result<Scene, String> {
        let scene = draw(self.game, self.protocol, &mut case.rng);
        let begin: &[&str] = match self.protocol {
            Protocol::Uci if case.rng.below(2) == 0 => &[],
            Protocol::Uci => &["ucinewgame"],
            Protocol::Cecp => &["new", "force"],
            Protocol::Hub => &["new-game"],
        };
        begin.iter().try_for_each(|line| self.say(line))?;
        position(self.protocol, &scene).iter().try_for_each(|line| self.say(line))?;
        Ok(scene)
    }

    /// Waits for the move and checks it. Returns the moment at which it came.
    fn hear_move(&mut self, scene: &Scene) -> Result<Instant, String> {
        let is_move =
            |line: &str| ["bestmove", "move", "done"].contains(&line.split_whitespace().next().unwrap_or_default());
        let (heard, line) = self.until("a move", is_move)?;
        let mv = line.split_whitespace().nth(1).unwrap_or_default();
        let mv = mv.strip_prefix("move=").unwrap_or(mv);
        if !scene.legal.iter().any(|legal| legal == mv) {
            return Err(format!("illegal move: `{line}` in {} after {}", scene.start, scene.moves.join(" ")));
        }
        self.legal += 1;
        Ok(heard)
    }

    /// Waits for a line.
    fn until(&mut self, what: &str, is_it: impl Fn(&str) -> bool) -> Result<(Instant, String), String> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (heard, line) = match self.lines.recv_timeout(left) {
                Ok(heard) => heard,
                Err(_) if matches!(self.child.try_wait(), Ok(None)) => {
                    return Err(format!("no answer: {what} did not come within {} s", PATIENCE.as_secs()));
                }
                Err(_) => return Err(format!("ended: the engine is gone before {what}")),
            };
            self.note_answer(&line)?;
            if is_it(&line) {
                return Ok((heard, line));
            }
        }
    }

    /// Takes an answer off what is due. More answers than questions are a fault.
    fn note_answer(&mut self, line: &str) -> Result<(), String> {
        let due = match (self.protocol, line.split_whitespace().next().unwrap_or_default()) {
            (Protocol::Uci, "bestmove") | (Protocol::Hub, "done") => &mut self.due.moves,
            (Protocol::Uci, "readyok") | (Protocol::Hub, "pong") => &mut self.due.ready,
            _ => return Ok(()),
        };
        *due = due.checked_sub(1).ok_or_else(|| format!("too many answers: `{line}`"))?;
        Ok(())
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        self.send(line.as_bytes())
    }

    fn send(&mut self, line: &[u8]) -> Result<(), String> {
        let whole = [line, b"\n"].concat();
        self.transcript.write_all(&whole).map_err(|error| format!("siege: {error}"))?;
        self.sent += 1;
        let due = due(self.protocol, line);
        self.due = Due { moves: self.due.moves + due.moves, ready: self.due.ready + due.ready };
        let input = self.input.as_ref().ok_or("siege: the input is closed")?;
        input.send(whole).map_err(|_| "ended: the engine has closed its input".to_string())
    }

    /// Ends the engine. It must end by itself, without an error.
    fn end(mut self, is_well: bool) -> Result<(), String> {
        if is_well && self.sent.is_multiple_of(2) {
            let _ = self.say("quit");
        }
        self.input = None;
        let begun = Instant::now();
        let mut status = None;
        while is_well && status.is_none() && begun.elapsed() < PATIENCE {
            status = self.child.try_wait().ok().flatten();
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let errors = std::fs::read(self.folder.join("stderr.txt")).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors);
        match status {
            _ if errors.contains("panicked at") => Err(format!("panic: {}", errors.trim().replace('\n', " "))),
            _ if !is_well => Ok(()),
            None => Err("hangs: it did not end after `quit` or the end of its input".to_string()),
            Some(status) if !status.success() => Err(format!("exit code: {status}: {}", errors.trim())),
            Some(_) => Ok(()),
        }
    }
}

/// The answers that a line asks for, by the rules of the protocol. A line that is too long or not text has none.
fn due(protocol: Protocol, line: &[u8]) -> Due {
    let text = std::str::from_utf8(line).ok().filter(|line| line.len() <= LONGEST_LINE).map(str::trim);
    let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    let asks = |goes: bool, ready: bool| Due { moves: u64::from(goes), ready: u64::from(ready) };
    match (protocol, words.as_slice()) {
        (Protocol::Uci, ["go", ..]) | (Protocol::Hub, ["go", ..]) => asks(true, false),
        (Protocol::Uci, ["isready"]) | (Protocol::Hub, ["ping", ..]) => asks(false, true),
        _ => Due::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_expected_only_for_questions() {
        let check = |protocol, line: &[u8], moves, ready| assert_eq!(due(protocol, line), Due { moves, ready });
        check(Protocol::Uci, b" go depth x", 1, 0);
        check(Protocol::Uci, b"gone", 0, 0);
        check(Protocol::Uci, b"go \xff", 0, 0);
        check(Protocol::Uci, &b"go ".repeat(LONGEST_LINE), 0, 0);
        check(Protocol::Uci, b"isready now", 0, 0);
        check(Protocol::Hub, b"ping now", 0, 1);
        check(Protocol::Hub, b"isready", 0, 0);
        check(Protocol::Cecp, b"go", 0, 0);
    }
}
