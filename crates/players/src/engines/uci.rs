//! The client of engines that speak UCI.

use super::client::{Answer, Asked, Client, GREETING, Rules, note_option};
use super::process::EngineProcess;

pub struct UciClient;

/// The option that names the rules.
const VARIANT: &str = "UCI_Variant";

impl Client for UciClient {
    fn greet(&mut self, engine: &mut EngineProcess, rules: &Rules) -> Result<(), String> {
        engine.say("uci")?;
        let (mut options, mut knows_rules) = (Vec::new(), false);
        engine.hear(GREETING, |line| {
            if let Some(rest) = line.strip_prefix("option name ") {
                let name = rest.split(" type ").next().unwrap_or(rest);
                knows_rules |=
                    name == VARIANT && rest.split(" var ").skip(1).any(|known| known.trim() == rules.variant);
                if let Err(why) = note_option(&mut options, name) {
                    return Some(Err(why));
                }
            }
            (line == "uciok").then_some(Ok(()))
        })??;
        let has = |option: &str| options.iter().any(|known| known.eq_ignore_ascii_case(option));
        let file = rules.variant_file.filter(|_| has("VariantPath"));
        if !has(VARIANT) || !(knows_rules || file.is_some()) {
            return Err(format!("it does not know the rules {}", rules.variant));
        }
        if let Some(file) = file {
            engine.say(&format!("setoption name VariantPath value {}", file.display()))?;
        }
        engine.say(&format!("setoption name {VARIANT} value {}", rules.variant))?;
        for (name, value) in rules.options {
            if !has(name) {
                return Err(format!("it has no option {name}; it has {}", options.join(", ")));
            }
            engine.say(&format!("setoption name {name} value {value}"))?;
        }
        self.begin(engine)
    }

    fn begin(&mut self, engine: &mut EngineProcess) -> Result<(), String> {
        engine.say("ucinewgame")?;
        engine.say("isready")?;
        engine.hear(GREETING, |line| (line == "readyok").then_some(()))
    }

    fn ask(&mut self, engine: &mut EngineProcess, asked: &Asked) -> Result<Answer, String> {
        let moves = if asked.moves.is_empty() { String::new() } else { format!(" moves {}", asked.moves.join(" ")) };
        engine.say(&format!("position fen {}{moves}", asked.start))?;
        let limits = [
            asked.depth.map(|depth| format!(" depth {depth}")),
            asked.nodes.map(|nodes| format!(" nodes {nodes}")),
            asked.seconds.map(|seconds| format!(" movetime {}", (1000.0 * seconds).max(1.0) as u64)),
        ];
        engine.say(&format!("go{}", limits.into_iter().flatten().collect::<String>()))?;
        let mut positions = 0;
        let mv = engine.hear(asked.patience(), |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => {
                    if words.by_ref().any(|word| word == "nodes") {
                        positions = words.next().and_then(|count| count.parse().ok()).unwrap_or(positions);
                    }
                    None
                }
                Some("bestmove") => Some(words.next().unwrap_or_default().to_string()),
                _ => None,
            }
        })?;
        Ok(Answer { mv, positions })
    }
}
