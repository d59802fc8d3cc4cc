//! What every protocol must be able to do with an engine.

use super::process::EngineProcess;
use std::path::Path;
use std::time::Duration;

/// The side of a protocol that asks an engine for moves. Errors say what the engine did wrong.
pub trait Client: Send {
    /// Begins to talk, and sets the rules and options.
    fn greet(&mut self, engine: &mut EngineProcess, rules: &Rules) -> Result<(), String>;
    /// Begins another game.
    fn begin(&mut self, engine: &mut EngineProcess) -> Result<(), String>;
    /// Asks for a move.
    fn ask(&mut self, engine: &mut EngineProcess, asked: &Asked) -> Result<Answer, String>;
}

/// The rules of the game, and the options that the user has set.
pub struct Rules<'a> {
    /// The name of the rules in the protocol.
    pub variant: &'static str,
    /// The file that defines the rules for engines that read such files.
    pub variant_file: Option<&'a Path>,
    /// The names and values of options.
    pub options: &'a [(String, String)],
}

/// A position in which an engine is asked for a move, and the limits of its search.
#[derive(Default)]
pub struct Asked {
    /// A position, and the moves that followed it.
    pub start: String,
    pub moves: Vec<String>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub seconds: Option<f64>,
}

/// The move of an engine.
pub struct Answer {
    /// The move in the notation of the protocol.
    pub mv: String,
    /// The number of positions that it searched, as far as it tells.
    pub positions: u64,
}

/// The time in which an engine must answer everything except a request for a move.
pub const GREETING: Duration = Duration::from_secs(10);
/// The time in which an engine must move if it has no time limit, and the time that it may take beyond its limit.
const MOST_THINKING: Duration = Duration::from_secs(60);
const MOST_DELAY: Duration = Duration::from_secs(5);

/// The number of options that an engine may have, and the length of their names and of all that messages quote.
const MOST_OPTIONS: usize = 1000;
const LONGEST_QUOTE: usize = 80;

/// What an engine says, as messages quote it.
pub fn shown(text: &str) -> String {
    text.chars().take(LONGEST_QUOTE).collect()
}

/// Notes the name of an option. The error says that there are too many.
pub fn note_option(options: &mut Vec<String>, name: &str) -> Result<(), String> {
    if options.len() >= MOST_OPTIONS {
        return Err(format!("it has more than {MOST_OPTIONS} options"));
    }
    options.push(shown(name));
    Ok(())
}

impl Asked {
    /// The time in which the engine must answer.
    pub fn patience(&self) -> Duration {
        self.seconds.map_or(MOST_THINKING, |seconds| Duration::from_secs_f64(seconds.clamp(0.0, 1e6)) + MOST_DELAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_with_endless_options_is_refused() {
        let mut options = Vec::new();
        let refused = (0..=MOST_OPTIONS).find_map(|_| note_option(&mut options, &"x".repeat(1 << 14)).err());
        assert_eq!(refused.as_deref(), Some("it has more than 1000 options"));
        assert!(options.iter().all(|name| name.len() == LONGEST_QUOTE));
    }
}
