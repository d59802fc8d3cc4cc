//! CECP, the Chess Engine Communication Protocol of XBoard and WinBoard, version 2.
//!
//! Here the engine keeps the game: the program tells it only the moves.

use super::uci::centipawns;
use super::{Dialect, Go, Introduction, MOST_MEGABYTES, Order, Refused};
use arena::{MOST_DEPTH, Progress, plies_to_end};
use games::{Outcome, Side};
use players::{Ending, Thought};
use std::time::Duration;

pub struct Cecp {
    introduction: Introduction,
    /// The start of the game, `None` for the usual one, and the moves so far.
    start: Option<String>,
    moves: Vec<String>,
    /// The engine does not answer moves by itself.
    is_forced: bool,
    /// What the engine thinks about now.
    state: State,
    /// The program wants to know what the search finds.
    posts: bool,
    limits: Go,
    /// The number of moves in one time control, 0 if all moves are in one; the increment in milliseconds.
    control: (u64, u64),
    /// The number of `go`s that were stopped because the game had changed, whose moves have not come yet.
    outdated: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Idle,
    Thinking,
    Analysing,
}

impl Cecp {
    pub fn new(introduction: Introduction) -> Cecp {
        Cecp {
            introduction,
            start: None,
            moves: Vec::new(),
            is_forced: false,
            state: State::Idle,
            posts: false,
            limits: Go::default(),
            control: (0, 0),
            outdated: 0,
        }
    }

    /// What the engine can do.
    fn features(&self) -> Vec<Order> {
        let Introduction { name, game } = &self.introduction;
        let name = name.replace('"', "'");
        let lines = [
            "feature done=0".to_string(),
            format!("feature myname=\"{name}\" variants=\"{}\"", game.variant),
            "feature usermove=1 setboard=1 ping=1 playother=1 analyze=1 memory=1 debug=1".to_string(),
            "feature sigint=0 sigterm=0 colors=0 time=1 reuse=1 san=0".to_string(),
            "feature done=1".to_string(),
        ];
        lines.into_iter().map(Order::Say).collect()
    }

    /// The line that tells a program the board, the pieces and the start.
    fn setup(&self) -> Order {
        let start = &self.introduction.game.start;
        let board = start.split_whitespace().next().unwrap_or_default();
        let ranks = board.split('/').count();
        let width = |letter: char| letter.to_digit(10).map_or(1, |empty| empty as usize);
        let files: usize = board.split('/').next().unwrap_or_default().chars().map(width).sum();
        // The order of pieces in which XBoard draws them: pawn, knight, bishop, rook, seventeen others, king.
        let has = |letter: char| if board.contains(letter) { letter } else { '.' };
        let pieces: String = "PNBR".chars().map(has).chain(std::iter::repeat_n('.', 17)).chain(['K']).collect();
        let both = format!("{pieces}{}", pieces.to_lowercase());
        Order::Say(format!("setup ({both}) {files}x{ranks}+0_fairy {start}"))
    }

    /// Stops a search whose position is no longer wanted.
    fn drop_search(&mut self) -> Option<Order> {
        let was = std::mem::replace(&mut self.state, State::Idle);
        self.outdated += usize::from(was != State::Idle);
        (was != State::Idle).then_some(Order::Stop)
    }

    fn position(&self) -> Order {
        Order::Position { start: self.start.clone(), moves: self.moves.clone() }
    }

    /// Lets the engine think about its move.
    fn go(&mut self) -> Order {
        self.state = State::Thinking;
        let mut go = self.limits.clone();
        go.increment = [self.control.1; 2];
        if self.control.0 > 0 {
            let made = self.moves.len() as u64 / 2;
            go.moves_to_go = Some(self.control.0 - made % self.control.0);
        }
        Order::Go(go)
    }

    /// Sets the position anew after the game has changed, and goes on with the analysis if there is one.
    fn changed(&mut self) -> Vec<Order> {
        let was_analysing = self.state == State::Analysing;
        let mut orders: Vec<Order> = self.drop_search().into_iter().collect();
        orders.push(self.position());
        if was_analysing {
            orders.push(self.analyse());
        }
        orders
    }

    fn analyse(&mut self) -> Order {
        self.state = State::Analysing;
        Order::Go(Go { infinite: true, ..Go::default() })
    }

    fn usermove(&mut self, mv: &str) -> Vec<Order> {
        self.moves.push(mv.to_string());
        let mut orders = self.changed();
        if self.state == State::Idle && !self.is_forced {
            orders.push(self.go());
        }
        orders
    }

    /// Reads `level MOVES MINUTES[:SECONDS] INCREMENT`.
    fn level(&mut self, moves: &str, base: &str, increment: &str) -> Option<()> {
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let base = 60 * minutes.parse::<u64>().ok()?.min(1 << 20) + seconds.parse::<u64>().ok()?.min(60);
        let increment = increment.parse::<f64>().ok()?.max(0.0);
        self.control = (moves.parse().ok()?, (1000.0 * increment) as u64);
        self.limits.left = [Some(1000 * base); 2];
        self.limits.move_time = None;
        Some(())
    }
}

impl Dialect for Cecp {
    fn read(&mut self, line: &str) -> Vec<Order> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let error = |what: &str| vec![Order::Say(format!("Error ({what}): {line}"))];
        match words.as_slice() {
            ["protover", _] => self.features(),
            ["variant", name] if *name == self.introduction.game.variant => vec![self.setup()],
            ["variant", _] => error("this engine does not play this variant"),
            ["new"] => {
                let stop = self.drop_search();
                (self.start, self.moves, self.is_forced) = (None, Vec::new(), false);
                (self.limits, self.control) = (Go::default(), (0, 0));
                stop.into_iter().chain([Order::Begin, self.position()]).collect()
            }
            ["quit"] => vec![Order::Quit],
            ["force"] | ["result", ..] => {
                self.is_forced = true;
                self.drop_search().into_iter().collect()
            }
            ["playother"] => {
                self.is_forced = false;
                self.drop_search().into_iter().collect()
            }
            ["go"] => {
                self.is_forced = false;
                let stop = self.drop_search();
                let orders = [self.position(), self.go()];
                stop.into_iter().chain(orders).collect()
            }
            ["usermove", mv] => self.usermove(mv),
            ["?"] if self.state == State::Thinking => vec![Order::Stop],
            ["ping", number] => vec![Order::Ready(format!("pong {number}"))],
            ["setboard", ..] => {
                let position = words[1..].join(" ");
                (self.start, self.moves) = (Some(position), Vec::new());
                self.changed()
            }
            ["undo"] | ["remove"] => {
                let count = if words[0] == "undo" { 1 } else { 2 };
                self.moves.truncate(self.moves.len().saturating_sub(count));
                self.changed()
            }
            ["analyze"] => {
                self.is_forced = true;
                let stop = self.drop_search();
                let orders = [self.position(), self.analyse()];
                stop.into_iter().chain(orders).collect()
            }
            ["exit"] => self.drop_search().into_iter().collect(),
            ["level", moves, base, increment] => match self.level(moves, base, increment) {
                Some(()) => Vec::new(),
                None => error("expected level MOVES MINUTES:SECONDS INCREMENT"),
            },
            ["st", seconds] => match seconds.parse::<u64>() {
                Ok(seconds) => {
                    self.limits.move_time = Some(seconds.saturating_mul(1000));
                    Vec::new()
                }
                Err(_) => error("expected a number of seconds"),
            },
            ["sd", depth] => match depth.parse::<u32>() {
                Ok(depth) => {
                    self.limits.depth = Some(depth.min(MOST_DEPTH));
                    Vec::new()
                }
                Err(_) => error("expected a number of plies"),
            },
            ["time", left] => match left.parse::<i64>() {
                Ok(centiseconds) => {
                    self.limits.left = [Some(10 * centiseconds.clamp(0, 1 << 40) as u64); 2];
                    Vec::new()
                }
                Err(_) => error("expected a number of centiseconds"),
            },
            ["memory", megabytes] => match megabytes.parse::<u64>() {
                // The program says how much the engine may use.
                Ok(megabytes) => vec![Order::Table(megabytes.min(MOST_MEGABYTES))],
                Err(_) => error("expected a number of megabytes"),
            },
            ["post"] | ["nopost"] => {
                self.posts = words[0] == "post";
                Vec::new()
            }
            // Commands that need no answer.
            []
            | ["xboard" | "random" | "hard" | "easy" | "computer" | "accepted" | "rejected" | "otim" | "name", ..] => {
                Vec::new()
            }
            ["rating" | "ics" | "draw" | "hint" | "bk" | "." | "?" | "cores" | "egtpath" | "option", ..] => Vec::new(),
            // Old programs send moves without a word before them.
            [mv] if is_move(mv) => self.usermove(mv),
            _ => error("unknown command"),
        }
    }

    fn found(&self, progress: &Progress, time: Duration) -> Option<String> {
        if self.state == State::Idle || !(self.posts || self.state == State::Analysing) {
            return None;
        }
        let Progress { depth, value, nodes, line, .. } = progress;
        let score = match plies_to_end(*value) {
            Some(plies) => i64::from(plies.signum()) * 100_000 + i64::from((plies + plies.signum()) / 2),
            None => centipawns(*value),
        };
        Some(format!("{depth} {score} {} {nodes} {}", time.as_millis() / 10, line.join(" ")))
    }

    fn moved(&mut self, thought: &Thought) -> Vec<String> {
        if self.outdated > 0 {
            self.outdated -= 1;
            return Vec::new();
        }
        if std::mem::replace(&mut self.state, State::Idle) != State::Thinking {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if let Some(mv) = &thought.mv {
            self.moves.push(mv.clone());
            lines.push(format!("move {mv}"));
        }
        if let Some(ending) = &thought.ending {
            self.is_forced = true;
            lines.push(result(ending));
        }
        lines
    }

    fn refused(&mut self, refused: &Refused) -> Vec<Order> {
        let Refused { start, moves, refusal } = refused;
        // The program may have changed the game since it sent this position.
        let is_same_start = self.start == *start;
        let said = match refusal.legal {
            None => {
                if is_same_start {
                    (self.start, self.moves) = (None, Vec::new());
                }
                format!("tellusererror Illegal position: {}", refusal.why)
            }
            Some(legal) => {
                let is_same = is_same_start && self.moves.len() > legal && self.moves[..=legal] == moves[..=legal];
                if !is_same {
                    return Vec::new();
                }
                format!("Illegal move: {}", self.moves.remove(legal))
            }
        };
        let mut orders = vec![Order::Say(said)];
        match self.state {
            // The analysis goes on without the illegal move.
            State::Analysing if refusal.legal.is_some() => orders.extend(self.changed()),
            _ if is_same_start => orders.extend(self.drop_search()),
            _ => {}
        }
        orders
    }
}

/// Whether a word looks like a move, such as a2a3 or b5b6r.
fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |place: usize| bytes[place].is_ascii_lowercase() && bytes[place + 1].is_ascii_digit();
    (4..=5).contains(&bytes.len()) && is_square(0) && is_square(2)
}

/// The result of a game as chess programs write it.
fn result(ending: &Ending) -> String {
    let result = match ending.outcome {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    };
    format!("{result} {{{}}}", ending.why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::{GameForm, Refusal};

    fn cecp() -> Cecp {
        let start = "rnbknr/pppppp/6/6/PPPPPP/RNBKNR w - - 0 1".to_string();
        let game = GameForm { variant: "gamete-minichess", start };
        Cecp::new(Introduction { name: "Gamete".to_string(), game })
    }

    /// What follows the refusal of a position.
    fn refused(cecp: &mut Cecp, start: Option<&str>, moves: &[&str], legal: Option<usize>) -> Vec<String> {
        let moves = moves.iter().map(|mv| mv.to_string()).collect();
        let refusal = Refusal { legal, why: "why".to_string() };
        said(cecp.refused(&Refused { start: start.map(str::to_string), moves, refusal }))
    }

    fn said(orders: Vec<Order>) -> Vec<String> {
        let text = |order: Order| match order {
            Order::Say(line) | Order::Ready(line) => line,
            Order::Begin => "(begin)".to_string(),
            Order::Position { start, moves } => format!("({} {})", start.unwrap_or_default(), moves.join(" ")),
            Order::Go(go) => format!("(go {:?} {:?} {:?})", go.depth, go.move_time, go.left[0]),
            Order::Stop => "(stop)".to_string(),
            _ => "(other)".to_string(),
        };
        orders.into_iter().map(text).collect()
    }

    #[test]
    fn the_engine_keeps_the_game() {
        let mut cecp = cecp();
        let start = cecp.introduction.game.start.clone();
        let mut told = |line: &str| said(cecp.read(line));
        assert_eq!(
            told("variant gamete-minichess"),
            [format!("setup (PNBR.................Kpnbr.................k) 6x6+0_fairy {start}")]
        );
        assert_eq!(told("new"), ["(begin)", "( )"]);
        assert_eq!(told("level 40 1:30 0"), [""; 0]);
        assert_eq!(told("usermove a2a3"), ["( a2a3)", "(go None None Some(90000))"]);
        // A move that comes while the engine thinks is answered anew.
        assert_eq!(told("undo"), ["(stop)", "( )"]);
        assert_eq!(told("force"), [""; 0]);
        assert_eq!(told("b2b3"), ["( b2b3)"]);
        assert_eq!(told("sd 3"), [""; 0]);
        assert_eq!(told("go"), ["( b2b3)", "(go Some(3) None Some(90000))"]);
        assert_eq!(told("nonsense"), ["Error (unknown command): nonsense"]);
        assert_eq!(told("ping 7"), ["pong 7"]);
        // The search that was stopped says nothing; the last one moves.
        let thought = Thought { mv: Some("e5e4".to_string()), ..Thought::default() };
        assert_eq!(cecp.moved(&thought), [""; 0]);
        assert_eq!(cecp.moved(&thought), ["move e5e4"]);
        assert_eq!(said(cecp.read("usermove z9z9")), ["( b2b3 e5e4 z9z9)", "(go Some(3) None Some(90000))"]);
        let answer = refused(&mut cecp, None, &["b2b3", "e5e4", "z9z9"], Some(2));
        assert_eq!(answer, ["Illegal move: z9z9", "(stop)"]);
        assert_eq!(cecp.moved(&Thought::default()), [""; 0]);
        assert_eq!(cecp.moves, ["b2b3", "e5e4"]);
    }

    #[test]
    fn a_refusal_that_comes_late_does_not_change_the_new_game() {
        let mut cecp = cecp();
        for line in ["force", "setboard x", "setboard y", "usermove a2a3"] {
            cecp.read(line);
        }
        assert_eq!(refused(&mut cecp, Some("x"), &[], None), ["tellusererror Illegal position: why"]);
        assert_eq!((cecp.start.as_deref(), cecp.moves.as_slice()), (Some("y"), &["a2a3".to_string()][..]));
        // Only the illegal one of two moves is taken back, and it is reported once.
        for line in ["usermove z9z9", "usermove b5b4"] {
            cecp.read(line);
        }
        assert_eq!(refused(&mut cecp, Some("y"), &["a2a3", "z9z9"], Some(1)), ["Illegal move: z9z9"]);
        assert_eq!(refused(&mut cecp, Some("y"), &["a2a3", "z9z9", "b5b4"], Some(1)), [""; 0]);
        assert_eq!(cecp.moves, ["a2a3", "b5b4"]);
        assert_eq!(refused(&mut cecp, Some("y"), &["a2a3", "b5b4"], None), ["tellusererror Illegal position: why"]);
        assert_eq!((cecp.start.as_deref(), cecp.moves.len()), (None, 0));
    }

    #[test]
    fn an_analysis_goes_on_without_an_illegal_move() {
        let mut cecp = cecp();
        assert_eq!(said(cecp.read("analyze")), ["( )", "(go None None None)"]);
        assert_eq!(said(cecp.read("usermove z9z9")), ["(stop)", "( z9z9)", "(go None None None)"]);
        let expected = ["Illegal move: z9z9", "(stop)", "( )", "(go None None None)"];
        assert_eq!(refused(&mut cecp, None, &["z9z9"], Some(0)), expected);
        // The last `go` is stopped, so that nothing waits for it.
        assert_eq!(said(cecp.read("new")), ["(stop)", "(begin)", "( )"]);
        assert_eq!(cecp.outdated, 3);
    }
}
