//! `engine:COMMAND`: another program that plays, by a protocol of engines.

use super::{KindInfo, PlayerKind};
use crate::Error;
use crate::context::Context;
use crate::engines::{EnginePlayer, EngineSettings};
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use games::{Game, Protocol, ProtocolForm};
use std::path::PathBuf;
use std::sync::Arc;

/// An engine: its name or its command, and the options that it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    engine: String,
    options: Vec<(String, String)>,
}

impl PlayerKind for Engine {
    const INFO: KindInfo = KindInfo {
        argument: "COMMAND",
        options: &["depth", "nodes", "seconds", "protocol"],
        is_command: true,
        in_pages: false,
        ..KindInfo::plain(
            "engine",
            "another program that plays, such as engine:fairy-stockfish,depth=3; option.NAME=VALUE sets its options; one second a move if nothing limits it",
            "Engines of other programs",
            "the engine {}",
        )
    };

    fn parse(argument: &str, _: &mut SearchOptions) -> Result<Engine, String> {
        let mut parts = SearchOptions::parts(argument).into_iter();
        let engine = parts.next().unwrap_or_default().trim().to_string();
        if engine.is_empty() {
            return Err("the command is missing, as in engine:fairy-stockfish".to_string());
        }
        let option = |part: &str| {
            let named = part.strip_prefix("option.").and_then(|option| option.split_once('='));
            let (name, value) = named.filter(|(name, _)| !name.is_empty())?;
            let is_clean = |text: &str| !text.contains(char::is_control);
            (is_clean(name) && is_clean(value)).then(|| (name.to_string(), value.to_string()))
        };
        let read = |part: &str| {
            option(part).ok_or_else(|| format!("`{part}` is no option of an engine; write option.NAME=VALUE"))
        };
        Ok(Engine { engine, options: parts.map(read).collect::<Result<_, _>>()? })
    }

    /// The web app may only use engines that the person who started it has defined, and may not set their options: some
    /// options of engines name files that are written.
    fn checked_for_pages(&self, context: &Context) -> Result<(), Error> {
        context.engines.command_of(&self.engine)?;
        match self.options.first() {
            Some((name, _)) => {
                Err(Error::refused(format!("the option {name} of an engine cannot be set in the web app")))
            }
            None => Ok(()),
        }
    }

    fn is_present(&self, context: &Context) -> bool {
        context.engines.command_of(&self.engine).is_ok()
    }

    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        let refuse = |why: String| Error::refused(format!("the engine `{}` cannot play: {why}", self.engine));
        let words = params.context.engines.command_of(&self.engine)?;
        let protocol = params.options.protocol.unwrap_or(G::PROTOCOLS[0].protocol);
        let form = ProtocolForm::<G>::of(protocol).ok_or_else(|| {
            let known: Vec<&str> = G::PROTOCOLS.iter().map(|form| form.protocol.name()).collect();
            refuse(format!("{} cannot be played by {}, only by {}", G::NAME, protocol.name(), known.join(", ")))
        })?;
        if protocol == Protocol::Cecp && params.options.nodes.is_some() {
            return Err(refuse("cecp has no limit of positions; use depth or seconds".to_string()));
        }
        let settings = EngineSettings {
            name: self.engine.clone(),
            words,
            options: self.options.clone(),
            variant_file: variant_file::<G>(params)?,
            depth: params.options.depth,
            nodes: params.options.nodes,
            seconds: params.options.seconds,
            engines: Arc::clone(&params.context.engines),
        };
        EnginePlayer::start(settings, form).map(Seated::anywhere).map_err(refuse)
    }
}

/// Writes the game's rules for engines that read them, in the folder of tables. `None` if the game has no such file.
fn variant_file<G: Game>(params: &SeatParams<'_, G>) -> Result<Option<PathBuf>, Error> {
    let Some(text) = G::VARIANT_FILE else { return Ok(None) };
    let folder = match params.context.tables {
        nowhere if nowhere.as_os_str().is_empty() => std::env::temp_dir(),
        folder => folder.to_path_buf(),
    };
    let file = folder.join(format!("{}.ini", G::NAME));
    if runs::read_text(&file).ok().as_deref() != Some(text) {
        std::fs::create_dir_all(&folder).map_err(|source| Error::file("cannot create", &folder, source))?;
        runs::write_whole(&file, text.as_bytes())?;
    }
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_options_are_read() {
        let parsed = |text: &str| Engine::parse(text, &mut SearchOptions::default());
        let engine = |engine: &str, options: &[(&str, &str)]| {
            let options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            Ok(Engine { engine: engine.to_string(), options })
        };
        assert_eq!(parsed("fsf"), engine("fsf", &[]));
        assert_eq!(parsed("'a, b' -x,option.Skill Level=3"), engine("'a, b' -x", &[("Skill Level", "3")]));
        assert_eq!(parsed("x,option.A=,option.B=c=d"), engine("x", &[("A", ""), ("B", "c=d")]));
        for wrong in ["", " ", "x,y", "x,option.=3", "x,option.A", "x,option.A=b\nquit"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
