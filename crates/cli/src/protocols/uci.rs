//! UCI, the Universal Chess Interface.

use super::{Dialect, Go, Introduction, MOST_MEGABYTES, Order, Refused, table_of};
use arena::{MOST_DEPTH, Progress, plies_to_end};
use players::Thought;
use std::time::Duration;

pub struct Uci {
    introduction: Introduction,
    /// The depth and the number of positions that the user has set; 0 means that there is no such limit.
    depth: u32,
    nodes: u64,
}

impl Uci {
    pub fn new(introduction: Introduction) -> Uci {
        Uci { introduction, depth: 0, nodes: 0 }
    }

    /// Sets an option. The error says what is allowed.
    fn set(&mut self, option: &str, value: &str) -> Result<Option<Order>, String> {
        let number =
            || value.parse::<u64>().map_err(|_| format!("{option} is `{value}`, but it must be a whole number"));
        match option.to_ascii_lowercase().as_str() {
            "depth" => self.depth = number()?.min(u64::from(MOST_DEPTH)) as u32,
            "nodes" => self.nodes = number()?,
            "seed" => return Ok(Some(Order::Seed(number()?))),
            "hash" => return table_of(option, number()?).map(Some),
            "ponder" | "threads" => {}
            "uci_variant" if value == self.introduction.game.variant => {}
            "uci_variant" => {
                return Err(format!(
                    "UCI_Variant is `{value}`, but this engine plays {}",
                    self.introduction.game.variant
                ));
            }
            _ => return Err(format!("there is no option {option}")),
        }
        Ok(None)
    }
}

impl Dialect for Uci {
    fn read(&mut self, line: &str) -> Vec<Order> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] => {
                let Introduction { name, game } = &self.introduction;
                let variant = game.variant;
                let lines = [
                    format!("id name {name}"),
                    "id author the authors of Gamete".to_string(),
                    format!("option name Depth type spin default 0 min 0 max {MOST_DEPTH}"),
                    "option name Nodes type spin default 0 min 0 max 1000000000".to_string(),
                    "option name Seed type spin default 1 min 0 max 2147483647".to_string(),
                    format!("option name Hash type spin default 0 min 0 max {MOST_MEGABYTES}"),
                    "option name Ponder type check default false".to_string(),
                    "option name Threads type spin default 1 min 1 max 1".to_string(),
                    format!("option name UCI_Variant type combo default {variant} var {variant}"),
                    "uciok".to_string(),
                ];
                lines.into_iter().map(Order::Say).collect()
            }
            ["isready"] => vec![Order::Ready("readyok".to_string())],
            ["ucinewgame"] => vec![Order::Begin],
            ["position", rest @ ..] => match position(rest) {
                Some((start, moves)) => vec![Order::Position { start, moves }],
                None => {
                    let what = "info string a position is `startpos` or `fen` with a position, then `moves`";
                    vec![Order::Say(what.to_string())]
                }
            },
            ["setoption", "name", option, "value", value] => match self.set(option, value) {
                Ok(order) => order.into_iter().collect(),
                Err(what) => vec![Order::Say(format!("info string {what}"))],
            },
            ["go", rest @ ..] => {
                let mut go = go(rest);
                go.depth = go.depth.or(Some(self.depth).filter(|depth| *depth > 0));
                go.nodes = go.nodes.or(Some(self.nodes).filter(|nodes| *nodes > 0));
                vec![Order::Go(go)]
            }
            ["stop"] => vec![Order::Stop],
            ["ponderhit"] => vec![Order::PonderHit],
            ["quit"] => vec![Order::Quit],
            // The protocol says that unknown commands are skipped.
            _ => Vec::new(),
        }
    }

    fn found(&self, progress: &Progress, time: Duration) -> Option<String> {
        let Progress { depth, deepest, value, nodes, line } = progress;
        let score = match plies_to_end(*value) {
            Some(plies) => format!("mate {}", (plies + plies.signum()) / 2),
            None => format!("cp {}", centipawns(*value)),
        };
        let per_second = (*nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
        let (milliseconds, line) = (time.as_millis(), line.join(" "));
        Some(format!(
            "info depth {depth} seldepth {deepest} score {score} nodes {nodes} nps {per_second} time {milliseconds} pv {line}"
        ))
    }

    fn moved(&mut self, thought: &Thought) -> Vec<String> {
        let best = thought.mv.as_deref().unwrap_or("0000");
        let reply = thought.reply.as_ref().map(|reply| format!(" ponder {reply}")).unwrap_or_default();
        vec![format!("bestmove {best}{reply}")]
    }

    fn refused(&mut self, refused: &Refused) -> Vec<Order> {
        vec![Order::Say(format!("info string {}", refused.refusal.why))]
    }
}

/// A value as chess programs show it. Networks say how good a position is, from −1 to 1, not in pawns; a value of 0.1 is
/// shown as one pawn.
pub fn centipawns(value: f32) -> i64 {
    (1000.0 * value.clamp(-30.0, 30.0)).round() as i64
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

/// Reads the words after `go`. Unknown words are skipped.
fn go(words: &[&str]) -> Go {
    const KEYS: [&str; 12] = [
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "infinite",
        "ponder",
        "searchmoves",
        "mate",
    ];
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        if word == "searchmoves" {
            while let Some(mv) = words.next_if(|next| !KEYS.contains(next)) {
                go.only.push(mv.to_string());
            }
            continue;
        }
        // A negative time means that it is over.
        let mut number = || words.next().and_then(|value| value.parse::<i64>().ok()).map(|value| value.max(0) as u64);
        match word {
            "depth" => go.depth = number().map(|depth| depth.min(u64::from(MOST_DEPTH)) as u32),
            "nodes" => go.nodes = number(),
            "movetime" => go.move_time = number(),
            "wtime" => go.left[0] = number(),
            "btime" => go.left[1] = number(),
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
        let read = go(&words("depth 7 nodes x wtime 1000 btime -5 winc 10 searchmoves a2a3 b2b3 ponder nonsense 3"));
        let expected = Go {
            depth: Some(7),
            left: [Some(1000), Some(0)],
            increment: [10, 0],
            only: vec!["a2a3".to_string(), "b2b3".to_string()],
            ponder: true,
            ..Go::default()
        };
        assert_eq!(read, expected);
    }
}
