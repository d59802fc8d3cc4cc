//! A network outside its run, as a text file with the game, the setup and the seating it was bred for.

use crate::Error;
use arena::{Method, Seating};
use evolution::Network;
use games::{Game, Setup};
use runs::{RunFile, RunInfo, run_path};
use serde::{Deserialize, Serialize};
use std::path::Path;
use trainer::{Experiment, FinalChampion, PlayerParams};

/// The file format of an exported network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines of `key: value`; one of them is the network.
    Text,
    /// One JSON object.
    Json,
}

/// A network with everything it needs to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortableNetwork {
    /// The version of the file format.
    pub gamete_network: u32,
    /// A sentence about where the network comes from.
    pub origin: String,
    /// The game's name.
    pub game: String,
    /// The setup it was bred for.
    pub setup: toml::Table,
    /// Its encoder, head and search.
    pub player: PlayerParams,
    /// How it looks ahead if nothing else is asked for, as options of a player. If it is empty, it is the search that it
    /// was bred with.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub usual_search: String,
    /// The network itself.
    pub network: Network,
}

const VERSION: u32 = 4;

/// The champion of a run as text in this format. `run` is `RUN` or `RUN@GENERATION`.
pub fn export(runs: &Path, run: &str, format: Format) -> Result<String, Error> {
    let (run, generation) = split_generation(run)?;
    let file = RunFile::open(&run_path(runs, run)?)?;
    Ok(PortableNetwork::from_run(&file, generation)?.write(format))
}

/// Splits `RUN` or `RUN@GENERATION` into its parts.
pub fn split_generation(text: &str) -> Result<(&str, Option<u64>), Error> {
    let Some((run, generation)) = text.rsplit_once('@') else { return Ok((text, None)) };
    match generation.parse() {
        Ok(generation) => Ok((run, Some(generation))),
        Err(_) => {
            Err(Error::refused(format!("`{generation}` is not a generation; it must be a whole number, as in {run}@7")))
        }
    }
}

impl PortableNetwork {
    /// The champion of a generation of a run. `None` means the generation that [the run stands for](stands_for).
    pub fn from_run(file: &RunFile, generation: Option<u64>) -> Result<PortableNetwork, Error> {
        let info = file.info()?;
        let wanted = if generation.is_some() { generation } else { stands_for(file)? };
        let (generation, network) = file.champion(wanted)?;
        PortableNetwork::of_run(&info, file.path(), generation, &network)
    }

    /// A network of a run, which need not be saved in it. The path is used in error messages.
    pub fn of_run(info: &RunInfo, path: &Path, generation: u64, network: &Network) -> Result<PortableNetwork, Error> {
        let parameters = parameters(info, path)?;
        Ok(PortableNetwork {
            gamete_network: VERSION,
            origin: format!("{}, seed {}, champion of generation {generation}", info.experiment, info.seed),
            game: info.game.clone(),
            setup: parameters.setup,
            player: parameters.player,
            usual_search: String::new(),
            network: network.clone(),
        })
    }

    /// Reads an exported network in either format. The path is used in error messages.
    pub fn parse(path: &Path, text: &str) -> Result<PortableNetwork, Error> {
        let refuse = |why: String| Error::refused(format!("{} contains no network: {why}", path.display()));
        // The version is checked first, because other versions have other fields.
        let json = text.trim_start().starts_with('{');
        let version = match json {
            true => {
                serde_json::from_str(text).map(|head: Head| head.gamete_network).map_err(|error| json_error(&error))
            }
            false => version_of(text),
        };
        match version.map_err(refuse)? {
            VERSION => {}
            other => {
                return Err(refuse(format!("its version is {other}, this program reads {VERSION}; export it again")));
            }
        }
        match json {
            true => serde_json::from_str(text).map_err(|error| refuse(json_error(&error))),
            false => parse_text(text).map_err(refuse),
        }
    }

    /// The network as text in this format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Json => serde_json::to_string(self).expect("a network can be written") + "\n",
            Format::Text => {
                let PlayerParams { encoder, head, play, depth, extend, rounds, ept, playouts, search } = &self.player;
                let setup = serde_json::to_string(&self.setup).expect("a setup can be written");
                // Keys of version 0.2 are written only if they say more than their absence.
                let more = |key: &str, value: &str, usual: &str| match value == usual {
                    true => String::new(),
                    false => format!("{key}: {value}\n"),
                };
                let more = more("search", search, Method::Exact.name()) + &more("usual_search", &self.usual_search, "");
                format!(
                    "gamete_network: {}\norigin: {}\ngame: {}\nsetup: {setup}\nencoder: {encoder}\nhead: {head}\nplay: {play}\ndepth: {depth}\nextend: {extend}\nrounds: {rounds}\nept: {ept}\nplayouts: {playouts}\n{more}network: {}\n",
                    self.gamete_network, self.origin, self.game, self.network
                )
            }
        }
    }

    /// The seating of the network. Returns an error if the network does not fit the game and setup.
    pub fn seating<G: Game>(&self) -> Result<Seating<G>, Error> {
        let refuse = |why: String| Error::refused(format!("this network cannot play {}: {why}", G::NAME));
        let setup: G::Setup =
            self.setup.clone().try_into().map_err(|error: toml::de::Error| refuse(error.message().to_string()))?;
        setup.checked().map_err(|error| refuse(error.to_string()))?;
        let seating = self.player.seating::<G>(setup).map_err(|error| refuse(error.to_string()))?;
        let (found, wanted) = (self.network.shape(), seating.shape());
        if found != wanted {
            return Err(refuse(format!(
                "it has {} inputs and {} outputs, but this setup needs {} and {}",
                found.inputs, found.outputs, wanted.inputs, wanted.outputs
            )));
        }
        Ok(seating)
    }
}

/// The generation that a run stands for when it is a player or is exported, as its experiment says: the strongest one
/// that was measured, or the last one, for which this is `None`.
pub fn stands_for(file: &RunFile) -> Result<Option<u64>, Error> {
    match parameters(&file.info()?, file.path())?.record.final_champion {
        FinalChampion::Newest => Ok(None),
        FinalChampion::Strength => Ok(file.strongest()?.map(|(generation, _)| generation)),
    }
}

/// The parameters of a run.
fn parameters(info: &RunInfo, path: &Path) -> Result<Experiment, Error> {
    toml::from_str(&info.parameters)
        .map_err(|error| Error::NotARun { file: path.to_path_buf(), why: error.message().to_string() })
}

/// The part that is the same in all versions.
#[derive(Deserialize)]
struct Head {
    gamete_network: u32,
}

/// The message for JSON that cannot be read.
fn json_error(error: &serde_json::Error) -> String {
    if error.is_syntax() || error.is_eof() {
        return format!("it is not valid JSON: see line {}, column {}", error.line(), error.column());
    }
    // The line and column are left out: they are where the reader stopped, which may be far after the mistake.
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
    let wrong = said.strip_prefix("invalid type: ").or(said.strip_prefix("invalid value: "));
    match wrong.and_then(|wrong| wrong.split_once(", expected ")) {
        Some((found, expected)) => format!("found {found}, expected {}", expected_in_words(expected)),
        None => said.to_string(),
    }
}

/// What was expected, with Rust's number types replaced by words.
fn expected_in_words(expected: &str) -> String {
    match expected {
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => format!("a whole number from 0 to {}", u64::MAX),
        "f32" | "f64" => "a number".to_string(),
        other => other.to_string(),
    }
}

fn value_of(text: &str, key: &str) -> Result<String, String> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    line.map(|value| value.trim().to_string()).ok_or_else(|| format!("the line `{key}: …` is missing"))
}

fn version_of(text: &str) -> Result<u32, String> {
    let version = value_of(text, "gamete_network")?;
    version.parse().map_err(|_| format!("`{version}` is not a version number"))
}

fn parse_text(text: &str) -> Result<PortableNetwork, String> {
    let value = |key: &str| value_of(text, key);
    let whole = |key: &str| value(key)?.parse().map_err(|_| format!("its {key} is not a whole number"));
    Ok(PortableNetwork {
        gamete_network: version_of(text)?,
        origin: value("origin")?,
        game: value("game")?,
        setup: serde_json::from_str(&value("setup")?).map_err(|error| format!("its setup: {}", json_error(&error)))?,
        player: PlayerParams {
            encoder: value("encoder")?,
            head: value("head")?,
            play: value("play")?,
            depth: whole("depth")?,
            extend: value("extend")?,
            rounds: whole("rounds")?,
            ept: whole("ept")?,
            playouts: value("playouts")?,
            search: value("search").unwrap_or_else(|_| Method::Exact.name().to_string()),
        },
        usual_search: value("usual_search").unwrap_or_default(),
        network: value("network")?.parse().map_err(|error: evolution::NetworkError| error.to_string())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portable() -> PortableNetwork {
        let text = "gamete_network: 4\norigin: by hand\ngame: nim\nsetup: {\"stacks\":[4,4],\"start\":\"random\"}\nencoder: counts\nhead: value\nplay: strict\ndepth: 3\nextend: off\nrounds: 0\nept: 0\nplayouts: random\nnetwork: graph 2 1 elu:0.1 identity | 1 0.25 0:0.5 1:-0.125\n";
        let portable = parse_text(text).unwrap();
        assert_eq!(portable.write(Format::Text), text);
        portable
    }

    #[test]
    fn written_networks_are_read_back_in_both_formats() {
        for format in [Format::Text, Format::Json] {
            assert_eq!(PortableNetwork::parse(Path::new("x"), &portable().write(format)).unwrap(), portable());
        }
    }

    #[test]
    fn errors_say_why_a_text_is_not_a_network() {
        for (text, why) in [
            ("", "the line `gamete_network: …` is missing"),
            ("{\"a\": 1}", "missing field `gamete_network`"),
            ("{\"gamete_network\": -4}", "found integer `-4`, expected a whole number from 0 to 4294967295"),
            ("{\"gamete_network\": \"x\"}", "found string \"x\", expected a whole number"),
            ("{\"gamete_network\": ", "it is not valid JSON: see line 1, column 19"),
            ("{\"gamete_network\": 1}", "its version is 1, this program reads 4"),
            ("{\"gamete_network\": 4, \"a\": 1}", "unknown field `a`"),
            ("gamete_network: 1\norigin: x\n", "its version is 1"),
            ("gamete_network: 4\norigin: x\n", "the line `game: …` is missing"),
            ("\u{0}\u{1}", "is missing"),
        ] {
            let error = PortableNetwork::parse(Path::new("x"), text).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("contains no network"), "{error}");
            assert!(!error.contains("expected u32") && !error.contains(" at line "), "{error}");
        }
        let wrong = PortableNetwork { network: "graph 1 1 relu identity | 1 0 0:1".parse().unwrap(), ..portable() };
        let error = wrong.seating::<games::nim::Nim>().err().unwrap().to_string();
        assert!(error.contains("it has 1 inputs and 1 outputs, but this setup needs 2 and 1"), "{error}");
    }
}
