//! An engine that does something wrong. The attack starts its own program in this hidden mode, as a player of a match.
//!
//! `siege bad-engine PROTOCOL GAME SEED HABIT FOLDER`. The seed and the number of the process decide what it does. How
//! many lines it has said is written to a file in the folder.

use super::lines::{from_engine, is_answer};
use super::scenes::legal_moves;
use chance::{Rng, rng_for};
use games::Protocol;
use std::fs::File;
use std::io::{BufRead, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The word that starts the hidden mode.
pub const WORD: &str = "bad-engine";

/// What an engine does to the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// It plays well, among noise.
    Noise,
    /// After some moves it crashes, cheats or is silent for ever, but so that it is noticed at once.
    Faults,
    /// At its first move it stops answering, in a way that is noticed only after the time limit.
    Hangs,
    /// It does not answer, and does not end when it is asked to.
    Stubborn,
}

impl Habit {
    const ALL: [Habit; 4] = [Habit::Noise, Habit::Faults, Habit::Hangs, Habit::Stubborn];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        ["noise", "faults", "hangs", "stubborn"][self as usize]
    }
}

/// Ways of going wrong that are noticed at once.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Illegal,
    NoMove,
    Garbled,
    Crash,
    Abort,
    Half,
    CloseOutput,
    LeaveChild,
    /// Says moves without end and does not read.
    Blind,
}

const FAULTS: [Fault; 9] = [
    Fault::Illegal,
    Fault::NoMove,
    Fault::Garbled,
    Fault::Crash,
    Fault::Abort,
    Fault::Half,
    Fault::CloseOutput,
    Fault::LeaveChild,
    Fault::Blind,
];

/// The largest number of engines in one match.
const MOST_ENGINES: u64 = 10_000;
/// The longest life of a process that nobody ends.
const LONGEST_LIFE: Duration = Duration::from_secs(600);

/// Runs the hidden mode with these arguments.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let [protocol, game, seed, habit, folder] = arguments else {
        // A process that an engine has left behind.
        std::thread::sleep(LONGEST_LIFE);
        return Ok(());
    };
    let protocol = Protocol::named(protocol).ok_or("siege: no such protocol")?;
    let habit = Habit::ALL.into_iter().find(|known| known.name() == habit).ok_or("siege: no such habit")?;
    let seed = seed.parse().map_err(|error| format!("siege: {error}"))?;
    let folder = PathBuf::from(folder);
    let (number, said) = (0..MOST_ENGINES)
        .find_map(|number| Some((number, File::create_new(folder.join(format!("said-{number}"))).ok()?)))
        .ok_or("siege: no file")?;
    let rng = rng_for(seed, &[number]);
    let voice = Voice { said, lines: 0, written: 0 };
    let mut engine = BadEngine {
        protocol,
        game: game.clone(),
        habit,
        number,
        folder,
        rng,
        voice,
        start: String::new(),
        moves: Vec::new(),
    };
    // Errors mean that nobody listens any more.
    let _ = engine.serve();
    if habit == Habit::Stubborn || habit == Habit::Hangs {
        std::thread::sleep(LONGEST_LIFE);
    }
    Ok(())
}

/// The number of lines that the engines of a folder have said, and the number of engines.
pub fn said(folder: &Path) -> (u64, u64) {
    let read = |number: &u64| std::fs::read_to_string(folder.join(format!("said-{number}"))).ok();
    let counts: Vec<u64> =
        (0..).map_while(|number| read(&number)).map(|text| text.trim().parse().unwrap_or(0)).collect();
    (counts.iter().sum(), counts.len() as u64)
}

/// Standard output, with a count of the lines.
struct Voice {
    said: File,
    lines: u64,
    written: u64,
}

impl Voice {
    /// Says bytes as they are.
    fn raw(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()
    }

    fn say(&mut self, line: &[u8]) -> std::io::Result<()> {
        self.raw(&[line, b"\n"].concat())?;
        self.lines += 1;
        if self.lines >= self.written + 50 { self.note() } else { Ok(()) }
    }

    /// Writes down how many lines were said, before something happens.
    fn note(&mut self) -> std::io::Result<()> {
        self.written = self.lines;
        self.said.rewind()?;
        write!(self.said, "{}", self.lines)
    }
}

struct BadEngine {
    protocol: Protocol,
    game: String,
    habit: Habit,
    /// The number of this process among those of the match. The first one is well at its start, so that the match begins.
    number: u64,
    folder: PathBuf,
    rng: Rng,
    voice: Voice,
    start: String,
    moves: Vec<String>,
}

impl BadEngine {
    fn serve(&mut self) -> std::io::Result<()> {
        if self.number > 0 {
            match (self.habit, self.rng.below(6)) {
                (Habit::Faults, 0) => return Ok(()),
                // The greeting has no end, or there is none.
                (Habit::Hangs, 0) => return self.flood(u64::MAX),
                (Habit::Hangs, 1) => return Ok(()),
                _ => {}
            }
        }
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            let words: Vec<&str> = line.split_whitespace().collect();
            if words == ["quit"] {
                break;
            }
            self.answer(&line, &words)?;
        }
        self.voice.note()
    }

    fn answer(&mut self, line: &str, words: &[&str]) -> std::io::Result<()> {
        let own = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        match (self.protocol, words) {
            (Protocol::Uci, ["uci"]) => {
                let variant = if self.game == "minichess" { "gamete-minichess" } else { &self.game };
                let option = format!("option name UCI_Variant type combo default x var {variant}");
                self.noise(3)?;
                self.voice.say(option.as_bytes())?;
                self.voice.say(b"uciok")?;
            }
            (Protocol::Uci, ["isready"]) => self.among_noise(b"readyok")?,
            (Protocol::Uci, ["position", "fen", rest @ ..]) => {
                let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
                self.start = rest[..end].join(" ");
                self.moves = own(rest.get(end + 1..).unwrap_or_default());
            }
            (Protocol::Cecp, ["protover", _]) => {
                self.noise(3)?;
                self.voice.say(b"feature done=0 setboard=1 ping=1 usermove=1 san=0")?;
                self.voice.say(b"feature done=1")?;
            }
            (Protocol::Cecp, ["ping", number]) => self.among_noise(format!("pong {number}").as_bytes())?,
            (Protocol::Cecp, ["setboard", rest @ ..]) => (self.start, self.moves) = (rest.join(" "), Vec::new()),
            (Protocol::Cecp, ["usermove", mv]) => self.moves.push(mv.to_string()),
            (Protocol::Hub, ["hub"]) => {
                self.noise(3)?;
                self.voice.say(b"id name=bad version=1")?;
                self.voice.say(b"param name=variant value=english type=enum values=english")?;
                self.voice.say(b"wait")?;
            }
            (Protocol::Hub, ["init"]) => self.among_noise(b"ready")?,
            (Protocol::Hub, ["ping"]) => self.among_noise(b"pong")?,
            (Protocol::Hub, ["pos", ..]) => {
                let value = |key: &str| line.split_once(key).map(|(_, rest)| rest);
                self.start =
                    value("pos=").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default().to_string();
                let moves = value("moves=\"").and_then(|rest| rest.split('"').next()).unwrap_or_default();
                self.moves = own(&moves.split_whitespace().collect::<Vec<_>>());
            }
            (_, ["go", ..]) => self.go()?,
            _ => {}
        }
        Ok(())
    }

    fn go(&mut self) -> std::io::Result<()> {
        let legal = legal_moves(&self.game, self.protocol, &self.start, &self.moves).unwrap_or_default();
        let mv = legal.get(self.rng.below(legal.len().max(1))).cloned().unwrap_or_default();
        let most = if self.rng.below(50) == 0 { 3000 } else { 20 };
        self.noise(most)?;
        match self.habit {
            Habit::Faults if self.rng.below(8) == 0 => {
                let fault = FAULTS[self.rng.below(FAULTS.len())];
                return self.go_wrong(fault, &mv);
            }
            Habit::Hangs => return self.hang(&mv),
            // The match is ended from outside.
            Habit::Stubborn => {
                self.voice.note()?;
                std::thread::sleep(LONGEST_LIFE);
            }
            Habit::Faults | Habit::Noise => {}
        }
        if self.rng.below(200) == 0 {
            // A line that is much too long, but ends.
            self.voice.raw(&b"info x".repeat(1 << 19))?;
            self.voice.say(b"")?;
        }
        let line = self.move_line(&mv);
        // The move may come in parts, and with other line ends.
        let (one, two) = line.split_at(self.rng.below(line.len()));
        self.voice.raw(one.as_bytes())?;
        if self.rng.below(20) == 0 {
            std::thread::sleep(Duration::from_millis(3));
        }
        let end = if self.rng.below(4) == 0 { "\r" } else { "" };
        self.voice.say(format!("{two}{end}").as_bytes())
    }

    fn move_line(&self, mv: &str) -> String {
        match self.protocol {
            Protocol::Uci => format!("bestmove {mv}"),
            Protocol::Cecp => format!("move {mv}"),
            Protocol::Hub => format!("done move={mv}"),
        }
    }

    /// Does something that loses the game at once.
    fn go_wrong(&mut self, fault: Fault, mv: &str) -> std::io::Result<()> {
        self.voice.note()?;
        let line = self.move_line(mv);
        match fault {
            Fault::Illegal => {
                let mv = ["a1a1", "é", "1-99", "0000"][self.rng.below(4)];
                self.voice.say(self.move_line(mv).as_bytes())
            }
            Fault::NoMove => {
                let mv = " \u{1b}[2J".repeat(self.rng.below(3000));
                self.voice.say(self.move_line(&mv).as_bytes())
            }
            Fault::Garbled => self.voice.say(self.move_line(&format!("{mv}{mv}")).as_bytes()),
            Fault::Crash => std::process::exit(3),
            Fault::Abort => std::process::abort(),
            Fault::Half => {
                self.voice.raw(&line.as_bytes()[..line.len() / 2])?;
                std::process::exit(0)
            }
            Fault::CloseOutput => {
                rustix::stdio::dup2_stdout(File::create("/dev/null")?)?;
                std::thread::sleep(LONGEST_LIFE);
                Ok(())
            }
            Fault::LeaveChild => {
                let own = std::env::current_exe()?;
                Command::new(own).args([WORD, &self.folder.display().to_string()]).spawn()?;
                std::process::exit(0)
            }
            Fault::Blind => loop {
                self.voice.say(b"readyok\npong\nready\npong 1\npong 2\nuciok\nwait")?;
                self.voice.say(self.move_line("a1a1").as_bytes())?;
            },
        }
    }

    /// Does something that is noticed only when the time is over.
    fn hang(&mut self, mv: &str) -> std::io::Result<()> {
        self.voice.note()?;
        match self.rng.below(5) {
            0 => self.flood(u64::MAX),
            1 => loop {
                self.voice.raw(&[b'x'; 1 << 16])?;
            },
            2 => {
                let line = self.move_line(mv);
                self.voice.raw(&line.as_bytes()[..line.len() / 2])?;
                std::thread::sleep(LONGEST_LIFE);
                Ok(())
            }
            3 => {
                std::thread::sleep(Duration::from_millis(5800));
                self.voice.say(self.move_line(mv).as_bytes())
            }
            _ => {
                std::thread::sleep(LONGEST_LIFE);
                Ok(())
            }
        }
    }

    /// Says noise without reading.
    fn flood(&mut self, lines: u64) -> std::io::Result<()> {
        (0..lines).try_for_each(|_| self.noise(100))
    }

    fn among_noise(&mut self, answer: &[u8]) -> std::io::Result<()> {
        self.noise(5)?;
        self.voice.say(answer)
    }

    /// Says fewer than `most` lines that are no answers.
    fn noise(&mut self, most: usize) -> std::io::Result<()> {
        for _ in 0..self.rng.below(most) {
            let line = from_engine(self.protocol, &self.moves, &mut self.rng);
            if !is_answer(&line) {
                self.voice.say(&line)?;
            }
        }
        Ok(())
    }
}
