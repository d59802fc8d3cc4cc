//! The client of engines that speak CECP.

use super::client::{Answer, Asked, Client, GREETING, Rules, shown};
use super::process::EngineProcess;
use std::time::Duration;

#[derive(Default)]
pub struct CecpClient {
    variant: &'static str,
    /// Whether moves are sent after the word `usermove`.
    has_usermove: bool,
    /// The number of the last ping.
    pings: u64,
}

/// The length of all features together.
const LONGEST_FEATURES: usize = 1 << 16;
/// Engines that do not tell their features need no longer than this to start.
const SILENCE: Duration = Duration::from_secs(2);

impl Client for CecpClient {
    fn greet(&mut self, engine: &mut EngineProcess, rules: &Rules) -> Result<(), String> {
        engine.say("xboard")?;
        engine.say("protover 2")?;
        let mut features = String::new();
        let mut patience = SILENCE;
        // `done=0` asks for more time.
        while let Err(error) = engine.hear(patience, |line| {
            if let Some(rest) = line.strip_prefix("feature ").filter(|_| features.len() < LONGEST_FEATURES) {
                features.push_str(rest);
                features.push(' ');
            }
            line.split_whitespace().any(|word| word == "done=1").then_some(())
        }) {
            if patience == GREETING || !features.contains("done=0") {
                return Err(error);
            }
            patience = GREETING;
        }
        for needed in ["setboard=1", "ping=1"] {
            if !features.contains(needed) {
                return Err(format!("it has no feature {needed}"));
            }
        }
        self.variant = rules.variant;
        self.has_usermove = features.contains("usermove=1");
        if let Some(file) = rules.variant_file.filter(|_| features.contains("option=\"VariantPath ")) {
            engine.say(&format!("option VariantPath={}", file.display()))?;
        }
        for (name, value) in rules.options {
            if !features.contains(&format!("option=\"{name} ")) {
                return Err(format!("it has no option {name}"));
            }
            engine.say(&format!("option {name}={value}"))?;
        }
        self.begin(engine)
    }

    fn begin(&mut self, engine: &mut EngineProcess) -> Result<(), String> {
        engine.say("new")?;
        engine.say(&format!("variant {}", self.variant))?;
        engine.say("post")?;
        engine.say("easy")?;
        engine.say("force")?;
        self.ping(engine)
    }

    fn ask(&mut self, engine: &mut EngineProcess, asked: &Asked) -> Result<Answer, String> {
        if asked.nodes.is_some() {
            return Err("CECP has no limit of positions; use depth or seconds".to_string());
        }
        engine.say("force")?;
        engine.say(&format!("setboard {}", asked.start))?;
        for mv in &asked.moves {
            engine.say(&if self.has_usermove { format!("usermove {mv}") } else { mv.clone() })?;
        }
        if let Some(depth) = asked.depth {
            engine.say(&format!("sd {depth}"))?;
        }
        if let Some(seconds) = asked.seconds {
            engine.say(&format!("st {}", seconds.ceil().max(1.0)))?;
        }
        self.ping(engine)?;
        engine.say("go")?;
        let mut positions = 0;
        let mv = engine.hear(asked.patience(), |line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["move", mv] => Some(mv.to_string()),
                ["Illegal" | "resign" | "1-0" | "0-1" | "1/2-1/2", ..] => Some(line.to_string()),
                // Depth, score, time and positions, then moves.
                [depth, _, _, count, ..] if depth.trim_end_matches('.').parse::<u32>().is_ok() => {
                    positions = count.parse().unwrap_or(positions);
                    None
                }
                _ => None,
            }
        })?;
        Ok(Answer { mv, positions })
    }
}

impl CecpClient {
    /// Waits until the engine has read all lines so far.
    fn ping(&mut self, engine: &mut EngineProcess) -> Result<(), String> {
        self.pings += 1;
        let (number, mut refused) = (self.pings, None);
        engine.say(&format!("ping {number}"))?;
        engine.hear(GREETING, |line| {
            // Unknown commands do no harm, but the position must be what it is.
            if line.starts_with("Illegal") || line.starts_with("tellusererror") {
                refused = Some(line.to_string());
            }
            (line == format!("pong {number}")).then_some(())
        })?;
        refused.map_or(Ok(()), |line| Err(format!("it says `{}`", shown(&line))))
    }
}
