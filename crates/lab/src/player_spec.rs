//! Players by name, as people type them, and how they take their seats.

use crate::portable::{PortableNetwork, split_generation};
use crate::run_file::RunFile;
use crate::runs::run_path;
use crate::{Entry, Error};
use arena::{Examiner, First, NetworkPlayer, Perfect, Player, Random, Seating, Starts};
use chance::rng_for;
use evolution::{Network, NetworkError, Shape};
use games::{Game, Setup};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A player as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// Any legal move.
    Random,
    /// The first legal move.
    First,
    /// Whoever cannot be beaten where it need not be.
    Perfect,
    /// The champion of a run.
    Run {
        /// The run's name or file.
        run: String,
        /// The generation; the last one when not given.
        generation: Option<u64>,
    },
    /// An exported network.
    File(PathBuf),
}

/// What can be typed, for lists.
pub(crate) const PLAYERS: &[Entry] = &[
    Entry { name: "random", about: "any legal move, all equally likely" },
    Entry { name: "first", about: "the first legal move" },
    Entry { name: "perfect", about: "the best move, where the game can be solved" },
    Entry { name: "run:NAME[@GENERATION]", about: "the champion of a run, of its last generation or of the one given" },
    Entry { name: "file:PATH", about: "a network that was exported, or one line of network text" },
];

impl std::str::FromStr for PlayerSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<PlayerSpec, Error> {
        let refuse = |why: &str| Err(Error::Refused(format!("`{text}` is no player: {why}")));
        match text.split_once(':') {
            None if text == "random" => Ok(PlayerSpec::Random),
            None if text == "first" => Ok(PlayerSpec::First),
            None if text == "perfect" => Ok(PlayerSpec::Perfect),
            Some(("run", "")) => refuse("the run's name is missing, as in run:nim-2x4-1"),
            Some(("file", "")) => refuse("the file is missing, as in file:champion.json"),
            Some(("run", rest)) => {
                let (run, generation) = split_generation(rest)?;
                Ok(PlayerSpec::Run { run: run.to_string(), generation })
            }
            Some(("file", path)) => Ok(PlayerSpec::File(path.into())),
            _ => {
                let known: Vec<&str> = PLAYERS.iter().map(|entry| entry.name).collect();
                refuse(&format!("there are {} (a run's champion is run:NAME)", known.join(", ")))
            }
        }
    }
}

/// A player that was looked up: what is needed of files is read.
pub(crate) enum FoundPlayer {
    Random,
    First,
    Perfect,
    Network(Box<PortableNetwork>),
    /// A line of text that says nothing but the network: its seat is found by its shape.
    Bare(Box<Network>),
}

impl PlayerSpec {
    pub(crate) fn find(&self, runs: &Path) -> Result<FoundPlayer, Error> {
        Ok(match self {
            PlayerSpec::Random => FoundPlayer::Random,
            PlayerSpec::First => FoundPlayer::First,
            PlayerSpec::Perfect => FoundPlayer::Perfect,
            PlayerSpec::Run { run, generation } => {
                let file = RunFile::open(&run_path(runs, run)?)?;
                FoundPlayer::Network(Box::new(PortableNetwork::from_run(&file, *generation)?))
            }
            PlayerSpec::File(path) => {
                let text = std::fs::read_to_string(path).map_err(|source| Error::file("cannot read", path, source))?;
                if text.trim_start().starts_with("graph ") {
                    let refuse = |error| Error::Refused(format!("{} holds no network: {error}", path.display()));
                    return Ok(FoundPlayer::Bare(
                        text.parse().map(Box::new).map_err(|error: NetworkError| refuse(error))?,
                    ));
                }
                FoundPlayer::Network(Box::new(PortableNetwork::parse(path, &text)?))
            }
        })
    }
}

impl FoundPlayer {
    /// The game it plays; any when it does not say.
    pub fn game(&self) -> Option<&str> {
        match self {
            FoundPlayer::Network(network) => Some(&network.game),
            FoundPlayer::Random | FoundPlayer::First | FoundPlayer::Perfect | FoundPlayer::Bare(_) => None,
        }
    }

    /// The setup it was bred for.
    pub fn setup(&self) -> Option<&toml::Table> {
        match self {
            FoundPlayer::Network(network) => Some(&network.setup),
            FoundPlayer::Random | FoundPlayer::First | FoundPlayer::Perfect | FoundPlayer::Bare(_) => None,
        }
    }

    /// Takes a seat in a game that is set up so.
    pub fn seat<G: Game>(&self, setup: &G::Setup) -> Result<Seated<G>, Error> {
        let anything = |player: Box<dyn Player<G>>| Seated { player, knows: None };
        Ok(match self {
            FoundPlayer::Random => anything(Box::new(Random)),
            FoundPlayer::First => anything(Box::new(First)),
            FoundPlayer::Perfect => match Examiner::<G>::new(setup) {
                Some(examiner) => anything(Box::new(Perfect(Arc::clone(examiner.solver())))),
                None => {
                    return Err(Error::Refused(format!(
                        "nobody plays {} perfectly: it cannot be solved here",
                        G::NAME
                    )));
                }
            },
            FoundPlayer::Network(portable) => seat_network(portable.seating::<G>()?, &portable.network),
            FoundPlayer::Bare(network) => match seating_of_shape(setup, network.shape()) {
                Some(seating) => seat_network(seating, network),
                None => {
                    let Shape { inputs, outputs } = network.shape();
                    return Err(Error::Refused(format!(
                        "a network of {inputs} inputs and {outputs} outputs fits no seat of this setup of {}; --setup may help",
                        G::NAME
                    )));
                }
            },
        })
    }
}

fn seat_network<G: Game>(seating: Seating<G>, network: &Network) -> Seated<G> {
    let knows = Some(seating.setup.clone());
    let player = NetworkPlayer::new(Arc::new(seating), Arc::new(network.clone()));
    Seated { player: Box::new(player), knows }
}

/// The first pair of encoder and head of the game whose shape it is; strict.
fn seating_of_shape<G: Game>(setup: &G::Setup, shape: Shape) -> Option<Seating<G>> {
    let encoders = G::ENCODERS.iter().map(|encoder| encoder.name());
    let pairs = encoders.flat_map(|encoder| Seating::<G>::heads().into_iter().map(move |head| (encoder, head)));
    let mut seatings = pairs.filter_map(|(encoder, head)| Seating::new(setup.clone(), encoder, head, "strict").ok());
    seatings.find(|seating| seating.shape() == shape)
}

/// A player at the table.
pub(crate) struct Seated<G: Game> {
    pub player: Box<dyn Player<G>>,
    /// The setup whose positions it knows; all when it does not say.
    knows: Option<G::Setup>,
}

impl<G: Game> Seated<G> {
    /// Whether it can play games that are set up so: from every start, or from some where there are too many.
    pub fn fits_starts(&self, starts: &Starts<G>) -> Result<(), Error> {
        match starts.listed() {
            Some(listed) => listed.iter().try_for_each(|start| self.fits(start)),
            None => (0..100).try_for_each(|number| self.fits(&starts.draw(&mut rng_for(0, &[number])))),
        }
    }

    /// Whether it can play from that position.
    pub fn fits(&self, game: &G) -> Result<(), Error> {
        match &self.knows {
            Some(setup) => game.fits(setup).map_err(|error| Error::Refused(error.to_string())),
            None => Ok(()),
        }
    }
}

/// The setup of a game between these players: that of the first who has one, with overrides.
pub(crate) fn setup_for<G: Game>(players: &[&FoundPlayer], overrides: &[String]) -> Result<G::Setup, Error> {
    let base = match players.iter().find_map(|player| player.setup()) {
        Some(table) => table.clone(),
        None => toml::Table::try_from(G::Setup::usual()).expect("a setup can be written"),
    };
    let mut table = base;
    for assignment in overrides {
        crate::override_key::apply(&mut table, assignment)
            .map_err(|what| Error::Refused(format!("--setup {assignment}: {what}")))?;
    }
    let refuse = |what: String| Error::Refused(format!("the setup of {} cannot be: {what}", G::NAME));
    let setup: G::Setup = table.try_into().map_err(|error| refuse(crate::toml_error::explain("", &error).1))?;
    setup.checked().map_err(|error| refuse(error.to_string()))?;
    Ok(setup)
}

/// Whether the players can play that game; a name that is no game at all is told first.
pub(crate) fn check_game(game: &str, players: &[&FoundPlayer]) -> Result<(), Error> {
    if !games::names().contains(&game) {
        return Err(Error::unknown("game", game, games::names()));
    }
    match players.iter().find_map(|player| player.game().filter(|theirs| *theirs != game)) {
        Some(theirs) => Err(Error::Refused(format!("this network plays {theirs}, not {game}"))),
        None => Ok(()),
    }
}

/// Reads a position of a game.
pub(crate) fn parse_position<G: Game>(text: &str) -> Result<G, Error> {
    text.parse().map_err(|error: games::NotationError| Error::Refused(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named() {
        let run = |run: &str, generation| PlayerSpec::Run { run: run.into(), generation };
        assert_eq!("random".parse::<PlayerSpec>().unwrap(), PlayerSpec::Random);
        assert_eq!("run:a-1".parse::<PlayerSpec>().unwrap(), run("a-1", None));
        assert_eq!("run:a-1@7".parse::<PlayerSpec>().unwrap(), run("a-1", Some(7)));
        assert_eq!("file:x/y.json".parse::<PlayerSpec>().unwrap(), PlayerSpec::File("x/y.json".into()));
        for (text, why) in [
            ("run:", "name is missing"),
            ("run:a@b", "`b` is no generation"),
            ("rnd", "there are random"),
            ("", "there are"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
