//! Reads the names of players as people type them, such as `material:3`, and prepares the players for a game.

use crate::Error;
use crate::context::Context;
use crate::endgames::{broken_off, endgame_solver};
use crate::kinds::{Kind, KindInfo, PLAYER_KINDS, Run};
use crate::player_network::PlayerNetwork;
use crate::portable::PortableNetwork;
use crate::search_options::{OPTIONS, SearchOptions};
use crate::seated::{SeatParams, Seated};
use arena::MOST_DEPTH;
use games::{Game, Setup, UnknownGame};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A player: its kind with the argument, and how it looks ahead. The player's network is read from its file once, when
/// it is first needed.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// The player as it was named, for messages.
    name: String,
    kind: Kind,
    options: SearchOptions,
    /// The network, set once it has been read; the inner value is `None` for players without a network.
    network: OnceLock<Option<Arc<PlayerNetwork>>>,
}

/// Two players are equal if their names are equal. Whether their files were read does not matter.
impl PartialEq for PlayerSpec {
    fn eq(&self, other: &PlayerSpec) -> bool {
        self.kind == other.kind && self.options == other.options
    }
}

/// The list of all ways to name a player, with explanations: each kind, then each option with the kinds that take it.
pub fn players() -> Vec<[String; 2]> {
    let kinds = PLAYER_KINDS.iter().map(|kind| [kind.form(), kind.about.to_string()]);
    let options = OPTIONS.iter().map(|option| {
        let takes = |kind: &&KindInfo| kind.options.contains(&option.key);
        let takers: Vec<&str> = PLAYER_KINDS.iter().filter(takes).map(|kind| kind.name).collect();
        let about = format!("{} (for {})", option.about, takers.join(", "));
        let value = if option.value.is_empty() { String::new() } else { format!("={}", option.value) };
        [format!("…,{}{value}", option.key), about]
    });
    kinds.chain(options).collect()
}

impl std::str::FromStr for PlayerSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<PlayerSpec, Error> {
        let refuse = |why: String| Error::refused(format!("`{text}` is not a player: {why}"));
        let unknown = || {
            let known: Vec<String> = PLAYER_KINDS.iter().map(KindInfo::form).collect();
            refuse(format!("there are {} (a run's champion is run:NAME)", known.join(", ")))
        };
        let name = text.split([':', ',']).next().unwrap_or(text);
        let info = PLAYER_KINDS.iter().find(|kind| kind.name == name).ok_or_else(unknown)?;
        let split = match info.is_command {
            true => SearchOptions::split_command(text, info.options),
            false => SearchOptions::split(text, info.options).map(|(named, options)| (named.to_string(), options)),
        };
        let (named, mut options) = split.map_err(refuse)?;
        let argument = match named.strip_prefix(name) {
            Some("") => "",
            Some(rest)
                if let Some(argument) = rest.strip_prefix(':')
                    && !info.argument.is_empty() =>
            {
                argument
            }
            _ => return Err(unknown()),
        };
        let kind = Kind::parse(name, argument, &mut options).ok_or_else(unknown)?.map_err(refuse)?;
        match options.problem() {
            Some(problem) => Err(refuse(problem.to_string())),
            None => Ok(PlayerSpec::new(text.to_string(), kind, options)),
        }
    }
}

impl PlayerSpec {
    fn new(name: String, kind: Kind, options: SearchOptions) -> PlayerSpec {
        PlayerSpec { name, kind, options, network: OnceLock::new() }
    }

    /// The champion of a run, which is given by its name or file. If `generation` is `None`, it is the champion of the
    /// last generation.
    pub fn run(run: impl Into<String>, generation: Option<u64>, options: SearchOptions) -> PlayerSpec {
        let run = run.into();
        let name = format!("run:{run}{}", generation.map_or(String::new(), |generation| format!("@{generation}")));
        PlayerSpec::new(name, Kind::Run(Run { run, generation }), options)
    }

    /// A network in memory. Its name is its origin.
    pub(crate) fn in_memory(network: PortableNetwork, options: SearchOptions) -> PlayerSpec {
        let name = network.origin.clone();
        let kind = Kind::Run(Run { run: name.clone(), generation: None });
        let network = OnceLock::from(Some(Arc::new(PlayerNetwork::Portable(Box::new(network)))));
        PlayerSpec { name, kind, options, network }
    }

    /// The description of the player's kind.
    pub fn info(&self) -> &'static KindInfo {
        self.kind.info()
    }

    /// The search options that were given with the player's name.
    pub fn search(&self) -> SearchOptions {
        self.options
    }

    /// Returns an error if visitors of the web app must not use this player.
    pub fn checked_for_pages(&self, context: &Context) -> Result<(), Error> {
        self.kind.checked_for_pages(context)
    }

    /// Whether the player can play on this machine. It is false for an engine that is not installed.
    pub(crate) fn is_present(&self, context: &Context) -> bool {
        self.kind.is_present(context)
    }

    /// The player's network, or `None` if it has none. The first call reads it from the run or file.
    fn network(&self, runs: &Path) -> Result<Option<&PlayerNetwork>, Error> {
        let network = match self.network.get() {
            Some(network) => network,
            None => {
                let read = self.kind.network(runs)?.map(Arc::new);
                self.network.get_or_init(|| read)
            }
        };
        Ok(network.as_deref())
    }

    /// The player's network with the game it was bred for; `None` if it has no network, or if the file of the network
    /// does not say for which game it is.
    pub fn portable(&self, runs: &Path) -> Result<Option<&PortableNetwork>, Error> {
        Ok(self.network(runs)?.and_then(PlayerNetwork::portable))
    }

    /// The only game that the player can play; `None` if it is not limited to one.
    pub fn game(&self, runs: &Path) -> Result<Option<&str>, Error> {
        Ok(self.portable(runs)?.map(|network| network.game.as_str()))
    }

    /// Whether the player is a network without search options.
    pub(crate) fn is_plain_network(&self, runs: &Path) -> Result<bool, Error> {
        Ok(self.options.is_empty() && self.network(runs)?.is_some())
    }

    /// A copy of the player with other search options.
    pub(crate) fn looking(&self, options: SearchOptions) -> PlayerSpec {
        PlayerSpec { options, ..self.clone() }
    }

    /// A copy of the player whose alpha-beta search visits at most `most_nodes` positions. Other players are not
    /// limited.
    pub(crate) fn limited(&self, most_nodes: u64, runs: &Path) -> Result<PlayerSpec, Error> {
        let mut options = self.options;
        if options.is_empty()
            && let Some(network) = self.portable(runs)?
        {
            // The depth stays the one that the network was bred for.
            options.depth = Some(network.player.depth).filter(|depth| *depth > 0);
        }
        if options.depth.is_some_and(|depth| depth > 0) {
            options.nodes = Some(options.nodes.map_or(most_nodes, |nodes| nodes.min(most_nodes)));
        }
        Ok(self.looking(options))
    }

    /// The player as an engine, whose clock limits its searches, and the depth to which it looks ahead without a clock.
    /// A network that was given no limits may look ahead as far as the clock allows.
    pub(crate) fn as_engine(&self, runs: &Path) -> Result<(PlayerSpec, u32), Error> {
        let mut options = self.options;
        let is_limited = options.depth.is_some() || options.nodes.is_some() || options.mcts.is_some();
        let bred = self
            .portable(runs)?
            .filter(|network| ["value", "balanced"].contains(&&*network.player.head))
            .map(|network| network.player.depth);
        match bred {
            Some(bred) if !is_limited => {
                options.depth = Some(MOST_DEPTH);
                Ok((self.looking(options), bred.max(1)))
            }
            _ => Ok((self.clone(), options.depth.unwrap_or(MOST_DEPTH).max(1))),
        }
    }

    /// Prepares the player for games with this setup.
    pub(crate) fn seat<G: Game>(&self, setup: &G::Setup, context: &Context) -> Result<Seated<G>, Error> {
        let params = SeatParams { setup, options: &self.options, network: self.network(context.runs)?, context };
        let seated = self.kind.seat::<G>(&params)?.named(&self.name);
        if !self.options.endgames {
            return Ok(seated);
        }
        let refuse = |why: String| Error::refused(format!("endgames=on cannot be used: {why}"));
        let Some(endgames) = G::ENDGAMES else {
            return Err(refuse(format!("there are no endgame tables of {}", G::NAME)));
        };
        endgames.holds(setup).map_err(|error| refuse(error.to_string()))?;
        match endgame_solver::<G>(setup, context) {
            Some(solver) => Ok(seated.with_endgames(solver)),
            None => Err(broken_off::<G>()),
        }
    }
}

/// The setup of a game between these players: the one for which the first network among them was bred, or the game's
/// usual setup, with the given overrides.
pub fn setup_for<G: Game>(players: &[&PlayerSpec], overrides: &[String], runs: &Path) -> Result<G::Setup, Error> {
    let bred: Vec<_> = players.iter().map(|player| player.portable(runs)).collect::<Result<_, _>>()?;
    let mut table = match bred.into_iter().flatten().next() {
        Some(network) => network.setup.clone(),
        None => toml::Table::try_from(G::Setup::usual()).expect("a setup can be written"),
    };
    for assignment in overrides {
        trainer::override_key::apply(&mut table, assignment)
            .map_err(|what| Error::parameter("setup", format!("{assignment}: {what}")))?;
    }
    let refuse = |what: String| Error::refused(format!("the setup of {} is invalid: {what}", G::NAME));
    let setup: G::Setup = table.try_into().map_err(|error| refuse(trainer::toml_error::explain("", &error).1))?;
    setup.checked().map_err(|error| refuse(error.to_string()))?;
    Ok(setup)
}

/// Returns an error if there is no game of this name, or if one of the players cannot play it.
pub fn check_game(game: &str, players: &[&PlayerSpec], runs: &Path) -> Result<(), Error> {
    if !games::names().contains(&game) {
        return Err(UnknownGame(game.to_string()).into());
    }
    for player in players {
        if let Some(theirs) = player.game(runs)?.filter(|theirs| *theirs != game) {
            return Err(Error::refused(format!("{} plays {theirs}, not {game}", player.name)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_players_are_parsed() {
        let plain = SearchOptions::default();
        let parsed = |text: &str| text.parse::<PlayerSpec>().unwrap();
        let deep = SearchOptions { depth: Some(3), nodes: Some(500), seconds: Some(0.5), ..plain };
        let search = SearchOptions::plies(4);
        assert_eq!(parsed("run:a-1"), PlayerSpec::run("a-1", None, plain));
        assert_eq!(parsed("run:a-1@7"), PlayerSpec::run("a-1", Some(7), plain));
        assert_eq!(parsed("run:a-1@7,depth=4"), PlayerSpec::run("a-1", Some(7), search));
        for (text, kind, options) in [
            ("random", "Random(Random)", plain),
            ("file:x/y.json", "File(File(\"x/y.json\"))", plain),
            ("file:a,b.json,depth=4", "File(File(\"a,b.json\"))", search),
            ("material:4", "Material(Material)", search),
            ("material:3,nodes=500,seconds=0.5", "Material(Material)", deep),
            ("mcts:7,seconds=0", "Mcts(Mcts)", SearchOptions { mcts: Some(7), seconds: Some(0.0), ..plain }),
        ] {
            let player = parsed(text);
            assert_eq!((format!("{:?}", player.kind).as_str(), player.options), (kind, options));
        }
        for (text, why) in [
            ("run:", "name is missing"),
            ("run:a@b", "`b` is not a generation"),
            ("rnd", "there are random"),
            ("material", "the number of plies is missing; write for example material:3"),
            ("material:", "the number of plies is missing; write for example material:3"),
            ("mcts", "the number of rounds is missing; write for example mcts:500"),
            ("material:0", "a whole number from 1 to 64"),
            ("material:65", "a whole number from 1 to 64"),
            ("run:a,depth=x", "depth is `x`, but it must be a whole number from 0 to 64"),
            ("run:a,depth=-1", "depth is `-1`"),
            ("run:a,dept=3", "it takes no option `dept`; it takes depth, nodes, seconds"),
            ("run:a,seconds=-1", "seconds is `-1`, but it must be a number from 0 up"),
            ("run:a,depth=0,nodes=5", "no search to limit"),
            ("run:a,depth=2,mcts=5", "it has depth and mcts"),
            ("run:a,mcts=5,nodes=5", "mcts is limited by its rounds"),
            ("run:a,ept=5", "ept and playouts are only allowed with mcts"),
            ("run:a,mcts=5,ept=0", "ept is `0`, but it must be a whole number from 1 up"),
            ("run:a,mcts=5,playouts=wild", "playouts is `wild`, but it must be random, captures, network"),
            ("mcts:5,endgames=maybe", "endgames is `maybe`, but it must be on or off"),
            ("mcts:x", "the number of rounds is `x`, but it must be a whole number from 0 up, as in mcts:500"),
            ("mcts:5,ept=2", "it takes no option `ept`; it takes seconds, playouts, endgames"),
            ("mcts:5,playouts=network", "needs a network"),
            ("mcts:5,mcts=5", "it takes no option `mcts`"),
            (
                "champion:",
                "the champions are champion:nim, champion:tic-tac-toe, champion:minichess, champion:draughts, ",
            ),
            ("champion:go", "the champions are champion:nim, "),
            ("material:3,mcts=5", "it takes no option `mcts`"),
            ("material:3,depth=5", "it takes no option `depth`"),
            ("random,depth=3", "it takes no option `depth`; it takes none"),
            ("random:3", "there are random"),
            ("random,x", "there are random"),
            ("", "there are"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
