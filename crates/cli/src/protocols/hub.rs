//! Hub, the protocol of draughts programs, version 2.
//!
//! A line is a command and its arguments, `KEY=VALUE` or a word alone; values with spaces are in quotation marks.

use super::{Dialect, Go, Introduction, MOST_MEGABYTES, Order, Refused, table_of};
use arena::{MOST_DEPTH, Progress, plies_to_end};
use players::Thought;
use std::time::Duration;

pub struct Hub {
    introduction: Introduction,
    /// The limits of the last `level` command.
    level: Go,
}

impl Hub {
    pub fn new(introduction: Introduction) -> Hub {
        Hub { introduction, level: Go::default() }
    }

    /// The lines that introduce the engine.
    fn greeting(&self) -> Vec<Order> {
        let Introduction { name, game } = &self.introduction;
        let variant = game.variant;
        // Some programs cannot read an equals sign within a value, so the player's options are left out.
        let name = name.split(',').next().unwrap_or(name);
        let lines = [
            format!("id name={} version={} author=\"the authors of Gamete\"", quoted(name), env!("CARGO_PKG_VERSION")),
            format!("param name=variant value={variant} type=enum values={variant}"),
            "param name=seed value=1 type=int min=0 max=2147483647".to_string(),
            format!("param name=hash value=0 type=int min=0 max={MOST_MEGABYTES}"),
            "wait".to_string(),
        ];
        lines.into_iter().map(Order::Say).collect()
    }

    fn set(&self, arguments: &[(String, String)]) -> Result<Option<Order>, String> {
        let value = |key: &str| arguments.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        let (Some(name), Some(text)) = (value("name"), value("value")) else {
            return Err("set-param needs a name and a value".to_string());
        };
        let number = || text.parse::<u64>().map_err(|_| format!("{name} is {text}, but it must be a whole number"));
        let variant = self.introduction.game.variant;
        match name {
            "seed" => Ok(Some(Order::Seed(number()?))),
            "hash" => table_of(name, number()?).map(Some),
            "variant" if text == variant => Ok(None),
            "variant" => Err(format!("the variant is {text}, but this engine plays {variant}")),
            _ => Err(format!("there is no parameter {name}")),
        }
    }
}

impl Dialect for Hub {
    fn read(&mut self, line: &str) -> Vec<Order> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let Some(arguments) = arguments(rest) else { return vec![error("the quotation marks do not match")] };
        let has = |key: &str| arguments.iter().any(|(known, _)| known == key);
        match command {
            "hub" => self.greeting(),
            "init" => vec![Order::Ready("ready".to_string())],
            "ping" => vec![Order::Ready("pong".to_string())],
            "new-game" => vec![Order::Begin],
            "set-param" => match self.set(&arguments) {
                Ok(order) => order.into_iter().collect(),
                Err(what) => vec![error(&what)],
            },
            "pos" => {
                let value = |key: &str| arguments.iter().find(|(known, _)| known == key).map(|(_, value)| value);
                let moves = value("moves").map(|moves| moves.split_whitespace().map(str::to_string).collect());
                vec![Order::Position { start: value("pos").cloned(), moves: moves.unwrap_or_default() }]
            }
            "level" => {
                self.level = level(&arguments);
                Vec::new()
            }
            "go" => {
                let mut go = self.level.clone();
                go.infinite |= has("analyze");
                go.ponder = has("ponder");
                vec![Order::Go(go)]
            }
            "stop" => vec![Order::Stop],
            "ponder-hit" => vec![Order::PonderHit],
            "quit" => vec![Order::Quit],
            "" => Vec::new(),
            unknown => vec![error(&format!("there is no command {unknown}"))],
        }
    }

    fn found(&self, progress: &Progress, time: Duration) -> Option<String> {
        let Progress { depth, deepest, value, nodes, line } = progress;
        // Ends are near 100; other values are shown as if a tenth were a man.
        let score = match plies_to_end(*value) {
            Some(plies) => f64::from(plies.signum()) * 100.0 - f64::from(plies) / 100.0,
            None => f64::from(10.0 * value.clamp(-8.0, 8.0)),
        };
        let (seconds, line) = (time.as_secs_f64(), line.join(" "));
        let millions = *nodes as f64 / seconds.max(1e-6) / 1e6;
        Some(format!(
            "info depth={depth} max-depth={deepest} score={score:.2} nodes={nodes} time={seconds:.3} nps={millions:.3} pv=\"{line}\""
        ))
    }

    fn moved(&mut self, thought: &Thought) -> Vec<String> {
        let Some(best) = &thought.mv else { return vec!["done".to_string()] };
        let reply = thought.reply.as_ref().map(|reply| format!(" ponder={reply}")).unwrap_or_default();
        vec![format!("done move={best}{reply}")]
    }

    fn refused(&mut self, refused: &Refused) -> Vec<Order> {
        vec![error(&refused.refusal.why)]
    }
}

fn error(what: &str) -> Order {
    Order::Say(format!("error message={}", quoted(what)))
}

/// A text in quotation marks; those within it become apostrophes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'"))
}

/// The arguments of a command: keys with their values, which are empty for a word alone. `None` if a quotation mark is
/// missing.
fn arguments(text: &str) -> Option<Vec<(String, String)>> {
    let mut arguments = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            None => ("", after),
            Some(after) => match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"')?,
                None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            },
        };
        arguments.push((key.to_string(), value.to_string()));
        rest = after.trim_start();
    }
    Some(arguments)
}

/// The limits of a `level` command. Times are in seconds. Unknown arguments are skipped.
fn level(arguments: &[(String, String)]) -> Go {
    let mut go = Go::default();
    // Both sides get the same, because the engine plays only one of them.
    let both = |milliseconds: Option<u64>| [milliseconds; 2];
    for (key, value) in arguments {
        let milliseconds = value.parse::<f64>().ok().map(|seconds| (1000.0 * seconds.max(0.0)) as u64);
        match key.as_str() {
            "depth" => go.depth = value.parse().ok().map(|depth: u32| depth.min(MOST_DEPTH)),
            "nodes" => go.nodes = value.parse().ok(),
            "move-time" => go.move_time = milliseconds,
            "time" => go.left = both(milliseconds),
            "inc" => go.increment = both(milliseconds).map(Option::unwrap_or_default),
            "moves" => go.moves_to_go = value.parse().ok(),
            "infinite" => go.infinite = true,
            _ => {}
        }
    }
    // The time that a program gives is that before the increment of this move.
    let added = go.increment[0];
    go.left = go.left.map(|left| left.map(|left| left.saturating_add(added)));
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let read = |text: &str| arguments(text).map(|read| read.into_iter().map(|(k, v)| format!("{k}:{v}")).collect());
        let list = |texts: &[&str]| Some(texts.iter().map(|text| text.to_string()).collect::<Vec<_>>());
        assert_eq!(read("pos=We moves=\"1-2  3x4\" x"), list(&["pos:We", "moves:1-2  3x4", "x:"]));
        assert_eq!(read(""), list(&[]));
        assert_eq!(read("a=\"b"), None);
        assert_eq!(read("="), list(&[":"]));
        let go = level(&arguments("time=1.5 inc=0.25 moves=7 depth=99 nodes=x").unwrap());
        let expected = Go {
            depth: Some(MOST_DEPTH),
            left: [Some(1750); 2],
            increment: [250; 2],
            moves_to_go: Some(7),
            ..Go::default()
        };
        assert_eq!(go, expected);
    }
}
