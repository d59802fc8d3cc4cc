//! The client of engines that speak Hub.

use super::client::{Answer, Asked, Client, GREETING, Rules, note_option};
use super::process::EngineProcess;

pub struct HubClient;

impl Client for HubClient {
    fn greet(&mut self, engine: &mut EngineProcess, rules: &Rules) -> Result<(), String> {
        engine.say("hub")?;
        let mut parameters = Vec::new();
        engine.hear(GREETING, |line| {
            if let Some(name) = value(line, "name").filter(|_| line.starts_with("param "))
                && let Err(why) = note_option(&mut parameters, name)
            {
                return Some(Err(why));
            }
            (line == "wait").then_some(Ok(()))
        })??;
        let has = |name: &str| parameters.iter().any(|known| known == name);
        if has("variant") {
            engine.say(&format!("set-param name=variant value={}", rules.variant))?;
        }
        for (name, value) in rules.options {
            if !has(name) {
                return Err(format!("it has no parameter {name}; it has {}", parameters.join(", ")));
            }
            engine.say(&format!("set-param name={name} value=\"{value}\""))?;
        }
        engine.say("init")?;
        engine.hear(GREETING, |line| (line == "ready").then_some(()))
    }

    fn begin(&mut self, engine: &mut EngineProcess) -> Result<(), String> {
        engine.say("new-game")?;
        engine.say("ping")?;
        engine.hear(GREETING, |line| (line == "pong").then_some(()))
    }

    fn ask(&mut self, engine: &mut EngineProcess, asked: &Asked) -> Result<Answer, String> {
        let moves = match asked.moves.as_slice() {
            [] => String::new(),
            moves => format!(" moves=\"{}\"", moves.join(" ")),
        };
        engine.say(&format!("pos pos={}{moves}", asked.start))?;
        let limits = [
            asked.depth.map(|depth| format!(" depth={depth}")),
            asked.nodes.map(|nodes| format!(" nodes={nodes}")),
            asked.seconds.map(|seconds| format!(" move-time={seconds}")),
        ];
        engine.say(&format!("level{}", limits.into_iter().flatten().collect::<String>()))?;
        engine.say("go think")?;
        let mut positions = 0;
        let mv = engine.hear(asked.patience(), |line| {
            if let Some(count) = line.strip_prefix("info ").and_then(|line| value(line, "nodes")) {
                positions = count.parse().unwrap_or(positions);
            }
            let is_done = line == "done" || line.starts_with("done ");
            is_done.then(|| value(line, "move").unwrap_or_default().to_string())
        })?;
        Ok(Answer { mv, positions })
    }
}

/// The value of a key in a line of arguments.
fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_whitespace()
        .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
        .map(|value| value.trim_matches('"'))
}
