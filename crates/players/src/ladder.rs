//! A ladder: fixed opponents of rising strength, whose Elo is known, measure a player on a scale that is the same on
//! every machine.

use crate::Error;
use crate::context::Context;
use crate::examination::{ExamParams, examine};
use crate::match_play::{MatchParams, PlayedMatch, play_match};
use crate::move_cost::MoveCost;
use crate::player_spec::{PlayerSpec, setup_for};
use crate::portable::PortableNetwork;
use crate::search_options::SearchOptions;
use arena::{MOST_DEPTH, Match, MatchScore, Method, Rating, anchored_rating, ratings};
use games::{Game, GameVisitor};
use runs::MatchResult;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// The opponents of a game, as its file lists them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// The name of the game. It guards against a ladder that was copied together with the code of another game.
    pub game: String,
    /// The version of the scale. It rises when an anchor or its Elo changes.
    pub version: u32,
    /// The opponents, the weakest first.
    #[serde(rename = "anchor")]
    pub anchors: Vec<Anchor>,
}

/// An opponent whose strength is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// The player.
    pub player: String,
    /// Its Elo; `random` has 0.
    pub elo: f64,
}

impl Anchor {
    fn spec(&self) -> PlayerSpec {
        self.player.parse().expect("the ladder was checked when it was read")
    }
}

impl Ladder {
    /// The ladder of a game.
    pub fn of(game: &str) -> Result<Ladder, Error> {
        if let Some(text) = LadderText.in_game(game)? {
            return Ladder::parse(game, text);
        }
        let has = |name: &&str| LadderText.in_game(name).is_ok_and(|text| text.is_some());
        let known: Vec<&str> = games::names().into_iter().filter(has).collect();
        Err(Error::refused(format!("there is no ladder for {game}; there are ladders for {}", known.join(", "))))
    }

    /// Reads the text of a game's ladder.
    fn parse(game: &str, text: &str) -> Result<Ladder, Error> {
        let ladder: Ladder = toml::from_str(text).map_err(|error| {
            Error::refused(format!("the ladder of {game}: {}", trainer::toml_error::explain("", &error).1))
        })?;
        if ladder.game != game {
            let other = &ladder.game;
            return Err(Error::refused(format!(
                "the ladder of {game} says that it is for {other}; the Elo of its players holds only in {other}, so {game} needs a ladder of its own or none"
            )));
        }
        let named = |anchor: &Anchor| anchor.player.parse::<PlayerSpec>().map(|_| ());
        let wrong = |error: Error| Error::refused(format!("the ladder of {game}: {error}"));
        ladder.anchors.iter().try_for_each(named).map_err(wrong)?;
        match ladder.anchors.is_empty() {
            true => Err(Error::refused(format!("the ladder of {game} names no player"))),
            false => Ok(ladder),
        }
    }

    /// The anchors that can play here. Engines that are not installed are left out.
    fn present(&self, context: &Context) -> Vec<(PlayerSpec, f64, String)> {
        let spec = |anchor: &Anchor| {
            let player = anchor.spec();
            player.is_present(context).then(|| (player, anchor.elo, anchor.player.clone()))
        };
        self.anchors.iter().filter_map(spec).collect()
    }
}

/// How a player climbs a ladder.
pub struct LadderParams<'a> {
    /// The player.
    pub player: &'a PlayerSpec,
    /// The game's name.
    pub game: &'a str,
    /// The number of games; it is rounded up to whole rounds.
    pub games: u32,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads; `None` means all cores.
    pub threads: Option<usize>,
    /// The folders of runs and tables, and how to stop.
    pub context: &'a Context<'a>,
}

/// The result of a player on a ladder.
#[derive(Clone, Debug, Serialize)]
pub struct Climbed {
    /// The game.
    pub game: String,
    /// The version of the ladder.
    pub version: u32,
    /// The player's Elo; `random` has 0.
    #[serde(flatten)]
    pub rating: Rating,
    /// The opponents that it met, the weakest first.
    pub met: Vec<Met>,
    /// The number of games.
    pub games: u32,
    /// What the player's moves cost on average.
    pub cost: MoveCost,
    /// Whether games are missing because it was interrupted.
    pub interrupted: bool,
}

/// The games against one opponent.
#[derive(Clone, Debug, Serialize)]
pub struct Met {
    /// The opponent.
    pub player: String,
    /// Its Elo on the ladder.
    pub anchor_elo: f64,
    /// The result of the games.
    #[serde(flatten)]
    pub result: MatchResult,
}

/// The number of games of a round against one opponent.
const ROUND: u32 = 20;
/// The first rounds have fewer games, so that few are wasted on opponents of another strength.
const FIRST_ROUNDS: [u32; 3] = [4, 4, 8];

/// Whether a solver says that the player makes no mistake in any position. Then an Elo has no meaning.
pub fn is_perfect(player: &PlayerSpec, game: &str, context: &Context) -> Result<bool, Error> {
    let params = ExamParams { player, game: Some(game), setup: &[], questions: None, quick: true, context };
    // A game without an exam has no solver.
    Ok(IsSolved.in_game(game)? && examine(&params).is_ok_and(|(exam, _)| exam.solved()))
}

/// Plays the player against the anchors that tell most about its strength. `progress` receives the number of games.
pub fn climb(
    params: &LadderParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u32) + Send),
) -> Result<Climbed, Error> {
    climb_this(&Ladder::of(params.game)?, params, stop, progress)
}

fn climb_this(
    ladder: &Ladder,
    params: &LadderParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u32) + Send),
) -> Result<Climbed, Error> {
    let anchors = ladder.present(params.context);
    let mut scores = vec![MatchScore::default(); anchors.len()];
    let (mut games, mut round, mut interrupted) = (0, 0, false);
    let mut cost = CostSum::default();
    while games < params.games && !interrupted {
        let elos: Vec<f64> = anchors.iter().map(|(_, elo, _)| *elo).collect();
        let place = next_opponent(&elos, &scores);
        let count = FIRST_ROUNDS.get(round).copied().unwrap_or(ROUND).min((params.games - games).next_multiple_of(2));
        let seed = params.seed.wrapping_mul(1_000_003).wrapping_add(round as u64);
        let played =
            play([params.player, &anchors[place].0], params, count, seed, stop, &mut |now| progress(games + now))?;
        scores[place].add(&played.score);
        cost.add(&played.costs[0]);
        games += played.score.games();
        interrupted = played.interrupted;
        round += 1;
    }
    let all: Vec<(f64, MatchScore)> = anchors.iter().zip(&scores).map(|((_, elo, _), score)| (*elo, *score)).collect();
    let met = anchors.iter().zip(&scores).filter(|(_, score)| score.games() > 0);
    let met = met.map(|((_, elo, name), score)| Met {
        player: name.clone(),
        anchor_elo: *elo,
        result: MatchResult::new(score, false),
    });
    Ok(Climbed {
        game: params.game.to_string(),
        version: ladder.version,
        rating: anchored_rating(&all),
        met: met.collect(),
        games,
        cost: cost.mean(),
        interrupted,
    })
}

/// How the strength of a network is measured while a population learns.
#[derive(Clone, Copy, Debug)]
pub struct StrengthParams {
    /// The number of games.
    pub games: u32,
    /// The number of positions that the network's search looks at for each move; 0 means that it looks ahead as it was
    /// bred.
    pub nodes: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads. The result does not depend on it.
    pub threads: usize,
}

/// The strength of a network on its game's ladder. It only meets the ladder's own players, not engines, so that the
/// result is the same on every machine.
pub fn strength(network: PortableNetwork, params: StrengthParams) -> Result<Rating, Error> {
    let StrengthParams { games, nodes, seed, threads } = params;
    let options = match nodes {
        0 => SearchOptions::default(),
        _ => SearchOptions {
            depth: Some(MOST_DEPTH),
            nodes: Some(nodes),
            search: Some(Method::Selective),
            ..SearchOptions::default()
        },
    };
    let game = network.game.clone();
    let player = PlayerSpec::in_memory(network, options);
    let context = Context::nowhere();
    let params = LadderParams { player: &player, game: &game, games, seed, threads: Some(threads), context: &context };
    let ladder = Ladder::of(&game)?;
    let own = ladder.anchors.into_iter().filter(|anchor| !anchor.spec().info().is_command).collect();
    let ladder = Ladder { anchors: own, ..ladder };
    Ok(climb_this(&ladder, &params, &AtomicBool::new(false), &mut |_| ())?.rating)
}

/// The anchor that the player meets next: the one whose Elo is nearest to the player's, as far as it is known. A few
/// drawn games against the middle of the ladder keep the estimate finite.
fn next_opponent(elos: &[f64], scores: &[MatchScore]) -> usize {
    let middle = elos[elos.len() / 2];
    let mut drawn = MatchScore::default();
    drawn.add_pair([games::Outcome::Draw; 2]);
    let known: Vec<(f64, MatchScore)> = elos.iter().copied().zip(scores.iter().copied()).collect();
    let elo = anchored_rating(&[&known[..], &[(middle, drawn)]].concat()).elo.unwrap_or(middle);
    let distance = |place: &usize| (elos[*place] - elo).abs();
    (0..elos.len()).min_by(|one, two| distance(one).total_cmp(&distance(two))).unwrap_or(0)
}

fn play(
    players: [&PlayerSpec; 2],
    params: &LadderParams,
    games: u32,
    seed: u64,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u32) + Send),
) -> Result<PlayedMatch, Error> {
    let plies = MeasuringPlies(players[0], params.context).in_game(params.game)??;
    let params = MatchParams {
        game: params.game,
        players,
        games,
        plies,
        seed,
        setup: &[],
        threads: params.threads,
        context: params.context,
    };
    play_match(&params, stop, &mut |score| progress(score.games()))
}

/// Measures the anchors of a game anew: each plays against the three above it, `games` games each. Returns the ladder
/// with the new Elo, or `None` if it was interrupted. `progress` receives the number of matches played and of all.
pub fn calibrate(
    game: &str,
    games: u32,
    threads: Option<usize>,
    context: &Context,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<Option<Ladder>, Error> {
    const ABOVE: usize = 3;
    let mut ladder = Ladder::of(game)?;
    let anchors = ladder.present(context);
    if anchors.len() < ladder.anchors.len() {
        return Err(Error::refused("some engines of this ladder are not installed here".to_string()));
    }
    let count = anchors.len();
    let pairs: Vec<[usize; 2]> =
        (0..count).flat_map(|one| (one + 1..count.min(one + 1 + ABOVE)).map(move |two| [one, two])).collect();
    let mut matches = Vec::with_capacity(pairs.len());
    for (number, &[first, second]) in pairs.iter().enumerate() {
        progress(number, pairs.len());
        let players = [&anchors[first].0, &anchors[second].0];
        let params = LadderParams { player: players[0], game, games, seed: number as u64, threads, context };
        let played = play(players, &params, games, number as u64, stop, &mut |_| ())?;
        if played.interrupted {
            return Ok(None);
        }
        matches.push(Match { first, second, score: played.score });
    }
    let rated = ratings(count, 0, &matches);
    for (anchor, rating) in ladder.anchors.iter_mut().zip(rated) {
        let none = || Error::refused(format!("{} won or lost all its games, so that it has no Elo", anchor.player));
        anchor.elo = rating.elo.ok_or_else(none)?.round();
    }
    ladder.version += 1;
    ladder.anchors.sort_by(|one, two| one.elo.total_cmp(&two.elo));
    Ok(Some(ladder))
}

/// The sums of costs over several matches.
#[derive(Default)]
struct CostSum {
    moves: u64,
    milliseconds: f64,
    positions: f64,
}

impl CostSum {
    fn add(&mut self, cost: &MoveCost) {
        let moves = cost.moves as f64;
        self.moves += cost.moves;
        self.milliseconds += moves * cost.cpu_milliseconds;
        self.positions += moves * cost.positions;
    }

    fn mean(&self) -> MoveCost {
        let moves = (self.moves as f64).max(1.0);
        MoveCost { moves: self.moves, cpu_milliseconds: self.milliseconds / moves, positions: self.positions / moves }
    }
}

/// Finds the text of a game's ladder.
pub(crate) struct LadderText;

games::by_name!(LadderText);

impl GameVisitor for LadderText {
    type Output = Option<&'static str>;

    fn visit<G: Game>(self) -> Option<&'static str> {
        G::LADDER
    }
}

/// Finds whether a game is solved in its usual setup.
pub(crate) struct IsSolved;

games::by_name!(IsSolved);

impl GameVisitor for IsSolved {
    type Output = bool;

    fn visit<G: Game>(self) -> bool {
        arena::solver_of::<G>(&games::Setup::usual()).is_some()
    }
}

/// Finds the number of random plies at the beginning of games that measure a player.
pub(crate) struct MeasuringPlies<'a>(&'a PlayerSpec, &'a Context<'a>);

games::by_name!(MeasuringPlies<'a>, 'a);

impl GameVisitor for MeasuringPlies<'_> {
    type Output = Result<usize, Error>;

    fn visit<G: Game>(self) -> Result<usize, Error> {
        let setup = setup_for::<G>(&[self.0], &[], self.1.runs)?;
        Ok(trainer::measuring_plies::<G>(&setup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ladders_can_be_read() {
        for game in ["tic-tac-toe", "minichess", "draughts"] {
            let ladder = Ladder::of(game).unwrap();
            assert!(ladder.anchors.len() > 2, "{game}");
            assert_eq!((ladder.anchors[0].player.as_str(), ladder.anchors[0].elo), ("random", 0.0));
            assert!(ladder.anchors.is_sorted_by(|one, two| one.elo < two.elo), "{game}");
            assert!(ladder.anchors.iter().all(|anchor| anchor.player.parse::<PlayerSpec>().is_ok()), "{game}");
        }
        assert!(Ladder::of("nim").unwrap_err().to_string().contains("there are ladders for tic-tac-toe, minichess"));
    }

    #[test]
    fn a_ladder_of_another_game_is_refused() {
        let check = |text: &str, expected: &str| {
            let error = Ladder::parse("hex", text).unwrap_err().to_string();
            assert!(error.starts_with("the ladder of hex") && error.contains(expected), "{error}");
        };
        let ladder = |game: &str, player: &str| {
            format!("game = \"{game}\"\nversion = 1\n[[anchor]]\nplayer = \"{player}\"\nelo = 0\n")
        };
        assert_eq!(Ladder::parse("hex", &ladder("hex", "random")).unwrap().anchors.len(), 1);
        check(&ladder("tic-tac-toe", "random"), " says that it is for tic-tac-toe; the Elo of its players");
        check(&ladder("hex", "nobody"), "`nobody` is not a player");
        check("version = 1\nanchor = []", "the key `game` is missing");
        check("game = \"hex\"\nversion = 1\nanchor = []", " names no player");
    }

    #[test]
    fn the_next_opponent_is_the_nearest() {
        let elos = [0.0, 300.0, 600.0, 900.0];
        let mut scores = [MatchScore::default(); 4];
        assert_eq!(next_opponent(&elos, &scores), 2);
        use games::{Outcome, Side};
        (0..5).for_each(|_| scores[2].add_pair([Outcome::Win(Side::First), Outcome::Win(Side::Second)]));
        assert_eq!(next_opponent(&elos, &scores), 3);
        (0..20).for_each(|_| scores[3].add_pair([Outcome::Win(Side::Second), Outcome::Win(Side::First)]));
        assert_eq!(next_opponent(&elos, &scores), 2);
    }
}
