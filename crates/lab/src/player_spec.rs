//! Players by name, as people type them, and how they take their seats.

mod search_options;

pub use search_options::SearchOptions;

use crate::champions::{ShippedChampion, shipped_champions};
use crate::endgames::{broken_off, endgame_solver, unknown_ending};
use crate::home::Home;
use crate::portable::{PortableNetwork, split_generation};
use crate::run_file::RunFile;
use crate::runs::run_path;
use crate::{Entry, Error};
use arena::{
    Examiner, Extend, First, Limits, MOST_DEPTH, MaterialPlayer, MonteCarloPlayer, NetworkPlayer, Perfect, Player,
    Random, Seating, Starts, WithEndgames,
};
use chance::rng_for;
use evolution::{Network, NetworkError, Shape};
use games::{Game, Setup, Solver};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A player as it was named.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// Any legal move.
    Random,
    /// The first legal move.
    First,
    /// Whoever cannot be beaten where it need not be.
    Perfect,
    /// Counts pieces some plies ahead.
    Material(SearchOptions),
    /// Plays on at random, many times.
    MonteCarlo(SearchOptions),
    /// The champion of a run.
    Run {
        /// The run's name or file.
        run: String,
        /// The generation; the last one when not given.
        generation: Option<u64>,
        /// How it looks ahead; as it was bred when nothing is given.
        search: SearchOptions,
    },
    /// An exported network.
    File(PathBuf, SearchOptions),
    /// The champion of that game that is inside the program.
    Champion(&'static ShippedChampion, SearchOptions),
}

/// What can be typed, for lists.
pub(crate) const PLAYERS: &[Entry] = &[
    Entry { name: "random", about: "any legal move, all equally likely" },
    Entry { name: "first", about: "the first legal move" },
    Entry { name: "perfect", about: "the best move, where the game or the ending is solved" },
    Entry { name: "material:DEPTH", about: "counts pieces so many plies ahead (alpha-beta); equals by chance" },
    Entry {
        name: "mcts:ROUNDS",
        about: "plays on at random so many times (Monte Carlo tree search), with seconds=S no longer; playouts=captures takes where it can",
    },
    Entry {
        name: "champion:GAME",
        about: "the best network bred so far, inside the program; looks ahead as it does best",
    },
    Entry { name: "run:NAME[@GENERATION]", about: "the champion of a run, of its last generation or of the one given" },
    Entry { name: "file:PATH", about: "a network that was exported, or one line of network or genome text" },
    Entry {
        name: "…,depth=D[,nodes=N][,seconds=S]",
        about: "behind champion, run or file (and, but for depth, material): plies to look ahead, 0 for a network alone; positions; time",
    },
    Entry {
        name: "…,extend=WHERE",
        about: "behind material, champion, run or file with a depth: where it looks on because captures are forced: off, leaves, everywhere (they take no ply)",
    },
    Entry {
        name: "…,endgames=on",
        about: "behind material, mcts, champion, run or file: endgame tables play where they know better",
    },
    Entry {
        name: "…,mcts=ROUNDS[,ept=PLIES][,playouts=P]",
        about: "behind champion, run or file: Monte Carlo rounds instead; ept: the network judges after so many plies; P: random, captures, network",
    },
];

impl std::str::FromStr for PlayerSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<PlayerSpec, Error> {
        let refuse = |why: &str| Error::Refused(format!("`{text}` is no player: {why}"));
        let (named, search) = SearchOptions::split(text).map_err(|why| refuse(&why))?;
        match named.split_once(':') {
            None if text == "random" => Ok(PlayerSpec::Random),
            None if text == "first" => Ok(PlayerSpec::First),
            None if text == "perfect" => Ok(PlayerSpec::Perfect),
            Some(("run" | "file" | "champion" | "material", _)) if let Some(problem) = search.problem() => {
                Err(refuse(problem))
            }
            Some(("material", _)) if search.mcts.is_some() => {
                Err(refuse("it looks plies ahead; mcts:ROUNDS is another player"))
            }
            Some(("material", depth)) => {
                let depth = depth.parse().ok().filter(|depth| (1..=MOST_DEPTH).contains(depth));
                if search.depth.is_some() {
                    return Err(refuse("its depth stands behind the colon already"));
                }
                let wanted = format!("its depth must be a whole number from 1 to {MOST_DEPTH}, as in material:3");
                let depth = depth.ok_or_else(|| refuse(&wanted))?;
                Ok(PlayerSpec::Material(SearchOptions { depth: Some(depth), ..search }))
            }
            Some(("mcts", rounds)) => {
                let wanted = "its rounds must be a whole number, as in mcts:500";
                let rounds = rounds.parse().map_err(|_| refuse(wanted))?;
                if search.mcts.is_some() {
                    return Err(refuse("its rounds stand behind the colon already"));
                }
                let search = SearchOptions { mcts: Some(rounds), ..search };
                match search.monte_carlo().filter(|settings| settings.asks_network()) {
                    Some(_) => Err(refuse("ept and playouts=network need a network, as in run:NAME,mcts=500,ept=6")),
                    None => match search.problem() {
                        Some(problem) => Err(refuse(problem)),
                        None => Ok(PlayerSpec::MonteCarlo(search)),
                    },
                }
            }
            Some(("run", "")) => Err(refuse("the run's name is missing, as in run:nim-2x4-1")),
            Some(("file", "")) => Err(refuse("the file is missing, as in file:champion.json")),
            Some(("run", rest)) => {
                let (run, generation) = split_generation(rest)?;
                Ok(PlayerSpec::Run { run: run.to_string(), generation, search })
            }
            Some(("file", path)) => Ok(PlayerSpec::File(path.into(), search)),
            Some(("champion", game)) => {
                let champion = ShippedChampion::of(game).ok_or_else(|| {
                    let known: Vec<&str> = shipped_champions().iter().map(|champion| champion.game).collect();
                    refuse(&format!("there are champions of {}", known.join(", ")))
                })?;
                Ok(PlayerSpec::Champion(champion, search))
            }
            _ => {
                let known: Vec<&str> = PLAYERS.iter().map(|entry| entry.name).collect();
                Err(refuse(&format!(
                    "there are {} (a run's champion is run:NAME)",
                    known[..known.len() - 4].join(", ")
                )))
            }
        }
    }
}

/// A player that was looked up: what is needed of files is read.
#[derive(Clone)]
pub(crate) enum FoundPlayer {
    Random,
    First,
    Perfect,
    Material(SearchOptions),
    MonteCarlo(SearchOptions),
    Network(Box<PortableNetwork>, SearchOptions),
    /// A line of text that says nothing but the network: its seat is found by its shape.
    Bare(Box<Network>, SearchOptions),
}

impl PlayerSpec {
    /// How it looks ahead, as far as that was said.
    pub fn search(&self) -> SearchOptions {
        match self {
            PlayerSpec::Random | PlayerSpec::First | PlayerSpec::Perfect => SearchOptions::default(),
            PlayerSpec::Material(search) | PlayerSpec::MonteCarlo(search) => *search,
            PlayerSpec::Run { search, .. } | PlayerSpec::File(_, search) => *search,
            PlayerSpec::Champion(champion, search) if search.is_empty() => champion.usual_search(search.endgames),
            PlayerSpec::Champion(_, search) => *search,
        }
    }

    pub(crate) fn find(&self, runs: &Path) -> Result<FoundPlayer, Error> {
        Ok(match self {
            PlayerSpec::Random => FoundPlayer::Random,
            PlayerSpec::First => FoundPlayer::First,
            PlayerSpec::Perfect => FoundPlayer::Perfect,
            PlayerSpec::Material(search) => FoundPlayer::Material(*search),
            PlayerSpec::MonteCarlo(search) => FoundPlayer::MonteCarlo(*search),
            PlayerSpec::Run { run, generation, search } => {
                let file = RunFile::open(&run_path(runs, run)?)?;
                FoundPlayer::Network(Box::new(PortableNetwork::from_run(&file, *generation)?), *search)
            }
            PlayerSpec::File(path, search) => {
                let text = std::fs::read_to_string(path).map_err(|source| Error::file("cannot read", path, source))?;
                let first = text.split_whitespace().next();
                if matches!(first, Some("graph" | "layered" | "genome")) {
                    let refuse = |error| Error::Refused(format!("{} holds no network: {error}", path.display()));
                    let network = text.parse().map(Box::new).map_err(|error: NetworkError| refuse(error))?;
                    return Ok(FoundPlayer::Bare(network, *search));
                }
                FoundPlayer::Network(Box::new(PortableNetwork::parse(path, &text)?), *search)
            }
            PlayerSpec::Champion(champion, _) => FoundPlayer::Network(Box::new(champion.network()?), self.search()),
        })
    }
}

impl PlayerSpec {
    /// The game it plays, where it says so.
    pub fn game(&self, runs: &Path) -> Result<Option<String>, Error> {
        Ok(self.find(runs)?.game().map(str::to_string))
    }
}

impl FoundPlayer {
    /// The game it plays; any when it does not say.
    pub fn game(&self) -> Option<&str> {
        self.portable().map(|network| network.game.as_str())
    }

    /// The setup it was bred for.
    pub fn setup(&self) -> Option<&toml::Table> {
        self.portable().map(|network| &network.setup)
    }

    /// The network that says for which game it was bred.
    pub fn portable(&self) -> Option<&PortableNetwork> {
        match self {
            FoundPlayer::Network(network, _) => Some(network),
            FoundPlayer::Random
            | FoundPlayer::First
            | FoundPlayer::Perfect
            | FoundPlayer::Material(_)
            | FoundPlayer::MonteCarlo(_)
            | FoundPlayer::Bare(..) => None,
        }
    }

    /// Whether it is a network of which nobody said how to look ahead.
    pub fn is_plain_network(&self) -> bool {
        matches!(self, FoundPlayer::Network(_, search) | FoundPlayer::Bare(_, search) if search.is_empty())
    }

    /// The same network looking ahead in that way; other players stay as they are.
    pub fn looking(&self, search: SearchOptions) -> FoundPlayer {
        match self {
            FoundPlayer::Random => FoundPlayer::Random,
            FoundPlayer::First => FoundPlayer::First,
            FoundPlayer::Perfect => FoundPlayer::Perfect,
            FoundPlayer::Material(options) => FoundPlayer::Material(*options),
            FoundPlayer::MonteCarlo(options) => FoundPlayer::MonteCarlo(*options),
            FoundPlayer::Network(network, _) => FoundPlayer::Network(network.clone(), search),
            FoundPlayer::Bare(network, _) => FoundPlayer::Bare(network.clone(), search),
        }
    }

    /// The same, visiting no more than so many positions where it looks plies ahead.
    pub fn limited(mut self, most_nodes: u64) -> FoundPlayer {
        let search = match &mut self {
            FoundPlayer::Random | FoundPlayer::First | FoundPlayer::Perfect | FoundPlayer::MonteCarlo(_) => {
                return self;
            }
            FoundPlayer::Network(network, search) if search.is_empty() => {
                // As it was bred, but for the limit.
                search.depth = Some(network.player.depth).filter(|depth| *depth > 0);
                search
            }
            FoundPlayer::Material(search) | FoundPlayer::Network(_, search) | FoundPlayer::Bare(_, search) => search,
        };
        if search.depth.is_some_and(|depth| depth > 0) {
            search.nodes = Some(search.nodes.map_or(most_nodes, |nodes| nodes.min(most_nodes)));
        }
        self
    }

    /// What was asked for behind its name.
    fn options(&self) -> SearchOptions {
        match self {
            FoundPlayer::Random | FoundPlayer::First | FoundPlayer::Perfect => SearchOptions::default(),
            FoundPlayer::Material(options) | FoundPlayer::MonteCarlo(options) => *options,
            FoundPlayer::Network(_, options) | FoundPlayer::Bare(_, options) => *options,
        }
    }

    /// Takes a seat in a game that is set up so.
    pub fn seat<G: Game>(&self, setup: &G::Setup, home: &Home) -> Result<Seated<G>, Error> {
        let seated = self.seat_alone::<G>(setup, home)?;
        if !self.options().endgames {
            return Ok(seated);
        }
        let refuse = |why: String| Error::Refused(format!("endgames=on cannot be had: {why}"));
        let Some(endgames) = G::ENDGAMES else {
            return Err(refuse(format!("there are no endgame tables of {}", G::NAME)));
        };
        endgames.holds(setup).map_err(|error| refuse(error.to_string()))?;
        match endgame_solver::<G>(setup, home) {
            Some(solver) => Ok(Seated { player: Box::new(WithEndgames { player: seated.player, solver }), ..seated }),
            None => Err(broken_off::<G>()),
        }
    }

    fn seat_alone<G: Game>(&self, setup: &G::Setup, home: &Home) -> Result<Seated<G>, Error> {
        let anything = |player: Box<dyn Player<G>>| Seated { player, knows: None, solver: None };
        Ok(match self {
            FoundPlayer::Random => anything(Box::new(Random)),
            FoundPlayer::First => anything(Box::new(First)),
            FoundPlayer::Perfect => {
                let solved = Examiner::<G>::new(setup).and_then(|examiner| examiner.solver().cloned());
                match solved.map(|solver| (solver, None)).or_else(|| {
                    let solver = endgame_solver::<G>(setup, home)?;
                    Some((Arc::clone(&solver), Some(solver)))
                }) {
                    Some((solver, partly)) => Seated { player: Box::new(Perfect(solver)), knows: None, solver: partly },
                    None if home.is_halted() => return Err(broken_off::<G>()),
                    None => {
                        let untrue = G::ENDGAMES.and_then(|endgames| endgames.holds(setup).err());
                        let why = untrue.map_or("it cannot be solved here".to_string(), |error| error.to_string());
                        return Err(Error::Refused(format!("nobody plays {} perfectly: {why}", G::NAME)));
                    }
                }
            }
            FoundPlayer::Material(options) => {
                if G::start(setup, &mut rng_for(0, &[])).material().is_none() {
                    return Err(Error::Refused(format!(
                        "{} has no pieces to count, so `material` cannot play it",
                        G::NAME
                    )));
                }
                anything(Box::new(MaterialPlayer::new(options.limits(), options.patience(home))))
            }
            FoundPlayer::MonteCarlo(options) => {
                let settings = options.monte_carlo().expect("its rounds were given");
                anything(Box::new(MonteCarloPlayer::new(settings, options.patience(home))))
            }
            FoundPlayer::Network(portable, search) => {
                seat_network(portable.seating::<G>()?, &portable.network, search, home)?
            }
            FoundPlayer::Bare(network, search) => match seating_of_shape(setup, network.shape()) {
                Some(seating) => seat_network(seating, network, search, home)?,
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

fn seat_network<G: Game>(
    seating: Seating<G>,
    network: &Network,
    search: &SearchOptions,
    home: &Home,
) -> Result<Seated<G>, Error> {
    seating.checked_genes(network.genes()).map_err(|error| Error::Refused(format!("this network: {error}")))?;
    let knows = Some(seating.setup.clone());
    let limits = search.limits();
    let limited = search.nodes.is_some() || search.seconds.is_some();
    // As it was bred, where nothing else is asked for.
    let extend = search.extend.unwrap_or(seating.extend());
    let seated = match search.monte_carlo() {
        Some(settings) => seating.with_monte_carlo(settings),
        None if search.depth.is_some() || limited => seating.at_depth(limits.depth),
        None => Ok(seating),
    };
    let seating = seated.map_err(|error| Error::Refused(format!("this network: {error}")))?;
    if search.extend.is_some_and(|extend| extend != Extend::Off) && seating.depth() == 0 {
        return Err(Error::Refused("this network: it looks no plies ahead, so that extend needs a depth".to_string()));
    }
    let seating = seating.extended(extend);
    let (depth, rounds) = (seating.depth(), seating.monte_carlo().is_some());
    let mut player = NetworkPlayer::new(Arc::new(seating), Arc::new(network.clone()));
    // Who looks ahead can be told to stop.
    if limited {
        player = player.limited(limits.extended(extend), search.patience(home));
    } else if home.halt.is_some() && (depth > 0 || rounds) {
        player = player.limited(Limits::depth(depth).extended(extend), search.patience(home));
    }
    Ok(Seated { player: Box::new(player), knows, solver: None })
}

/// The first pair of encoder and head of the game whose shape it is; strict.
fn seating_of_shape<G: Game>(setup: &G::Setup, shape: Shape) -> Option<Seating<G>> {
    let encoders = G::ENCODERS.iter().map(|encoder| encoder.name());
    let pairs = encoders.flat_map(|encoder| Seating::<G>::heads().into_iter().map(move |head| (encoder, head)));
    let mut seatings = pairs.filter_map(|(encoder, head)| Seating::new(setup.clone(), encoder, head, "strict", 0).ok());
    seatings.find(|seating| seating.shape() == shape)
}

/// A player at the table.
pub(crate) struct Seated<G: Game> {
    pub player: Box<dyn Player<G>>,
    /// The setup whose positions it knows; all when it does not say.
    knows: Option<G::Setup>,
    /// The solver whose positions it knows; all when there is none.
    solver: Option<Arc<dyn Solver<G>>>,
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
        if let Some(setup) = &self.knows {
            game.fits(setup).map_err(|error| Error::Refused(error.to_string()))?;
        }
        match &self.solver {
            Some(solver) if solver.verdict(game).is_none() => Err(unknown_ending(game)),
            _ => Ok(()),
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
        let plain = SearchOptions::default();
        let run = |run: &str, generation| PlayerSpec::Run { run: run.into(), generation, search: plain };
        assert_eq!("random".parse::<PlayerSpec>().unwrap(), PlayerSpec::Random);
        assert_eq!("run:a-1".parse::<PlayerSpec>().unwrap(), run("a-1", None));
        assert_eq!("run:a-1@7".parse::<PlayerSpec>().unwrap(), run("a-1", Some(7)));
        assert_eq!("file:x/y.json".parse::<PlayerSpec>().unwrap(), PlayerSpec::File("x/y.json".into(), plain));
        let deep = SearchOptions { depth: Some(3), nodes: Some(500), seconds: Some(0.5), ..SearchOptions::default() };
        let search = SearchOptions { depth: Some(4), ..plain };
        for (text, spec) in [
            ("run:a-1@7,depth=4", PlayerSpec::Run { run: "a-1".into(), generation: Some(7), search }),
            ("file:a,b.json,depth=4", PlayerSpec::File("a,b.json".into(), search)),
            ("material:4", PlayerSpec::Material(search)),
            ("material:3,nodes=500,seconds=0.5", PlayerSpec::Material(deep)),
            ("mcts:7,seconds=0", PlayerSpec::MonteCarlo(SearchOptions { mcts: Some(7), seconds: Some(0.0), ..plain })),
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap(), spec);
        }
        for (text, why) in [
            ("run:", "name is missing"),
            ("run:a@b", "`b` is no generation"),
            ("rnd", "there are random"),
            ("material", "there are random"),
            ("material:", "a whole number from 1 to 64, as in material:3"),
            ("material:0", "a whole number from 1 to 64"),
            ("material:65", "a whole number from 1 to 64"),
            ("run:a,depth=x", "depth is `x`, but it must be a whole number from 0 to 64"),
            ("run:a,depth=-1", "depth is `-1`"),
            ("run:a,dept=3", "there is no option `dept`; there are depth, nodes, seconds"),
            ("run:a,seconds=-1", "seconds is `-1`, but it must be a number from 0 up"),
            ("run:a,depth=0,nodes=5", "no search to limit"),
            ("run:a,depth=2,mcts=5", "it has depth and mcts"),
            ("run:a,mcts=5,nodes=5", "rounds limit mcts"),
            ("run:a,ept=5", "ept and playouts say how the rounds of mcts are made"),
            ("run:a,mcts=5,ept=0", "ept is `0`, but it must be a whole number from 1 up"),
            ("run:a,mcts=5,playouts=wild", "playouts is `wild`, but it must be random, captures, network"),
            ("mcts:5,endgames=maybe", "endgames is `maybe`, but it must be on or off"),
            ("mcts:x", "its rounds must be a whole number, as in mcts:500"),
            ("mcts:5,ept=2", "need a network"),
            ("mcts:5,mcts=5", "behind the colon already"),
            ("champion:", "there are champions of nim, tic-tac-toe, minichess, draughts"),
            ("champion:go", "there are champions of nim"),
            ("material:3,mcts=5", "mcts:ROUNDS is another player"),
            ("random,depth=3", "there are random"),
            ("", "there are"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
