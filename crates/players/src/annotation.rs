//! Remarks on a whole game: a player's opinion of every position, and which moves were blunders.
//!
//! A blunder is proved by a solver, by saved endgame tables, or by a search for pieces that can be won by force. The
//! player's opinion does not matter for it.

use crate::Error;
use crate::context::Context;
use crate::endgames::kept_endgames;
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use crate::search_options::SearchOptions;
use crate::seated::Seated;
use crate::solvers::solver_for;
use arena::{GameHistory, Opinion, Outlook, Proof, WON};
use chance::rng_for;
use games::{Game, GameVisitor, Side, Solver, Value, Verdict, parse_move};
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The game to be annotated, and the player whose opinions are wanted.
pub struct AnnotationParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// The position in which the game begins.
    pub start: &'a str,
    /// The moves, in the game's notation.
    pub moves: &'a [String],
    /// The player whose opinions are wanted. A network without search options looks two plies ahead, if it can.
    pub player: &'a PlayerSpec,
    /// The most positions that a search visits.
    pub most_nodes: u64,
    /// The folders of runs and tables, and how to stop.
    pub context: &'a Context<'a>,
}

/// A remark on a position and on the move that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Remark {
    /// The number of moves from the start to the position.
    pub ply: usize,
    /// The value of the position for the first side, from −1 (lost) to 1 (won); `None` if the player has no opinion.
    pub value: Option<f32>,
    /// Whether the value is an unscaled output of a network: a larger one is better, but its size means nothing else.
    pub bare: bool,
    /// The number of plies to the end, if the end is certain.
    pub ends_in: Option<u32>,
    /// The move that the player would make, as PGN or PDN writes it.
    pub best: Option<String>,
    /// What was wrong with the move that led to the position, if it was a blunder.
    pub blunder: Option<Blunder>,
}

/// A move that is proved to be worse than another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Blunder {
    /// A better move, as PGN or PDN writes it.
    pub better: String,
    /// What the move lost, as a sentence that begins with the move.
    pub words: String,
}

/// Annotates a game. `tell` receives the remark on each position as soon as it is ready, and decides whether to go on.
pub fn annotate(params: &AnnotationParams, tell: &mut dyn FnMut(Remark) -> ControlFlow<()>) -> Result<(), Error> {
    let player = params.player.limited(params.most_nodes, params.context.runs)?;
    check_game(params.game, &[&player], params.context.runs)?;
    let visitor = Annotate { params, player: &player, tell };
    visitor.in_game(params.game)?
}

/// The search depth in plies of networks without search options.
const USUAL_DEPTH: u32 = 2;

/// The most legal moves in all positions of a game together. A solver looks at each of them, so larger games take too
/// long.
const MOST_CHOICES: usize = 2_000_000;

/// The number of legal moves in a position.
fn count_moves<G: Game>(game: &G) -> usize {
    game.count_moves().unwrap_or_else(|| {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.len()
    })
}

pub(crate) struct Annotate<'a> {
    params: &'a AnnotationParams<'a>,
    player: &'a PlayerSpec,
    tell: &'a mut dyn FnMut(Remark) -> ControlFlow<()>,
}

games::by_name!(Annotate<'a>, 'a);

impl GameVisitor for Annotate<'_> {
    type Output = Result<(), Error>;

    fn visit<G: Game>(self) -> Result<(), Error> {
        let Annotate { params, player, tell } = self;
        // 1. The moves are checked before the first remark.
        let setup = setup_for::<G>(&[player], params.setup, params.context.runs)?;
        let start: G = params.start.parse()?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        let mut choices = count_moves(&position);
        for (number, text) in (1..).zip(params.moves) {
            let mv = parse_move(&position, text).map_err(|error| Error::refused(format!("move {number}: {error}")))?;
            position.play(mv);
            moves.push(mv);
            choices += count_moves(&position);
        }
        if choices > MOST_CHOICES {
            return Err(Error::refused(format!(
                "the game has {choices} legal moves in all its positions, but at most {MOST_CHOICES} are looked at; choose a shorter game or one with fewer moves"
            )));
        }
        let mut seated = seat::<G>(player, &setup, params.context)?;
        seated.fits(&start)?;
        // 2. The first position. It needs no solver, which may take a while to prepare.
        let mut history = GameHistory::new(start, &setup, 0);
        seated.player.begin();
        let opened = remark(&mut seated, &history, 0);
        if params.context.is_halted() || tell(opened).is_break() {
            return Ok(());
        }
        // 3. Move by move.
        let gives_up = || params.context.is_halted();
        let mut judge = Judge::<G>::new(&setup, params.context, &gives_up);
        for (ply, &mv) in (1..).zip(&moves) {
            let blunder = judge.blunder(history.game(), mv);
            history.play(mv);
            let remark = Remark { blunder, ..remark(&mut seated, &history, ply) };
            // The opinion of a player whose search was stopped is worth nothing.
            if params.context.is_halted() || tell(remark).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Prepares the player. A network without search options looks [`USUAL_DEPTH`] plies ahead if it can.
fn seat<G: Game>(player: &PlayerSpec, setup: &G::Setup, context: &Context) -> Result<Seated<G>, Error> {
    let looking = || player.looking(SearchOptions::plies(USUAL_DEPTH)).seat::<G>(setup, context).ok();
    match player.is_plain_network(context.runs)?.then(looking).flatten() {
        Some(seated) => Ok(seated),
        None => player.seat::<G>(setup, context),
    }
}

/// The player's opinion of a position as a remark, without a verdict on the last move.
fn remark<G: Game>(seated: &mut Seated<G>, history: &GameHistory<G>, ply: usize) -> Remark {
    let game = history.game();
    let silent = Remark { ply, value: None, bare: false, ends_in: None, best: None, blunder: None };
    if let Some(outcome) = game.outcome() {
        return Remark { value: Some(outcome.value_for(Side::First)), ends_in: Some(0), ..silent };
    }
    // Players may have gone on after a draw by repetition or by the limit of moves. Then the past is ignored.
    let history = &if history.outcome().is_some() { GameHistory::timeless(game.clone()) } else { history.clone() };
    let Some(Opinion { value, line, moves }) = seated.player.view(history, &mut rng_for(0, &[ply as u64])) else {
        return silent;
    };
    let bare = value.is_none();
    let value = value.or_else(|| best_of(&moves));
    let sign = if game.side_to_move() == Side::First { 1.0 } else { -1.0 };
    Remark {
        value: value.map(|found| sign * found.value),
        bare,
        ends_in: value.and_then(|found| found.ends_in),
        best: line.first().map(|&mv| game.record_move(mv)),
        ..silent
    }
}

/// The highest of the moves' values.
fn best_of<M>(moves: &[(M, Outlook)]) -> Option<Outlook> {
    moves.iter().map(|(_, found)| *found).max_by(|one, two| one.value.total_cmp(&two.value))
}

/// Finds blunders with solvers, or else with a search for won pieces.
struct Judge<'a, G: Game> {
    /// The solver of the whole game and the one of its endgames, as far as they exist.
    solvers: Vec<Arc<dyn Solver<G>>>,
    proof: Proof<'a, G>,
}

/// The two search depths in plies, including the move in question. After that, captures are followed to the end. Both
/// searches must find the same better move.
const PROOFS: [u32; 2] = [4, 5];

/// The most positions that are searched to prove that one move is a blunder. On a board full of pieces, there are so
/// many sequences of captures that a search without a limit could take too long.
const MOST_PROVED: u64 = 1_000_000;

impl<'a, G: Game> Judge<'a, G> {
    fn new(setup: &G::Setup, context: &Context, gives_up: &'a dyn Fn() -> bool) -> Judge<'a, G> {
        let solved = solver_for::<G>(setup, &|| context.is_halted());
        Judge {
            solvers: solved.into_iter().chain(kept_endgames(setup, context)).collect(),
            proof: Proof::patient(gives_up),
        }
    }

    /// What is wrong with a legal move; `None` if it is not a blunder.
    fn blunder(&mut self, game: &G, mv: G::Move) -> Option<Blunder> {
        let (better, what) = match self.solved(game, mv) {
            Some(found) => found,
            None => self.proved(game, mv),
        }?;
        let (mv, better) = (game.record_move(mv), game.record_move(better));
        Some(Blunder { words: format!("{mv} {}", what.replace("{better}", &better)), better })
    }

    /// A better move and an explanation, from a solver. The outer `None` means that no solver knows the position, the
    /// inner `None` that the move is good.
    fn solved(&self, game: &G, mv: G::Move) -> Option<Option<(G::Move, String)>> {
        let known = |game: &G| self.solvers.iter().find_map(|solver| solver.verdict(game));
        let after = |mv: G::Move| known(&game.after(mv)).map(|verdict| verdict.value.reversed());
        let (now, then) = (known(game)?, after(mv)?);
        if then >= now.value {
            return Some(None);
        }
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let better = moves.into_iter().find(|&other| after(other) == Some(now.value))?;
        let lost = match then {
            Value::Lost => "loses",
            Value::Drawn | Value::Won => "gives the win away",
        };
        let would = match now {
            Verdict { value: Value::Won, distance: Some(plies) } => format!("there was a win in {plies} plies"),
            Verdict { value: Value::Won, distance: None } => "it would have won".to_string(),
            Verdict { .. } => "it would have kept the draw".to_string(),
        };
        Some(Some((better, format!("{lost}; {{better}} was right: {would}"))))
    }

    /// A better move and an explanation, from a search: the other move wins pieces or the game, and this one does not.
    /// Returns `None` if there is no such move, or if there are too many positions to search.
    fn proved(&mut self, game: &G, mv: G::Move) -> Option<(G::Move, String)> {
        game.material()?;
        self.proof.limit(MOST_PROVED);
        let mut found: Option<(G::Move, f32, f32)> = None;
        for plies in PROOFS {
            let played = -self.proof.value(&game.after(mv), plies - 1, -WON, WON);
            // A little less than a man, because numbers are rounded.
            let enough = played + 0.99 * G::MAN;
            let mut moves = Vec::new();
            match found {
                Some((better, ..)) => moves.push(better),
                None => game.legal_moves(&mut moves),
            }
            let mut best: Option<(G::Move, f32, f32)> = None;
            for other in moves.into_iter().filter(|&other| other != mv) {
                let least = best.map_or(enough, |(_, value, _)| value);
                let value = -self.proof.value(&game.after(other), plies - 1, -WON, -least);
                if value > least {
                    best = Some((other, value, played));
                }
            }
            found = Some(best?);
        }
        let (better, value, played) = found.filter(|_| !self.proof.gave_up())?;
        let men = ((value - played) / G::MAN).round();
        let what = match () {
            () if played <= -WON => "loses the game; {better} does not".to_string(),
            () if value >= WON => "misses a win; {better} wins".to_string(),
            () if men <= 1.0 => "loses a man's worth; {better} was better".to_string(),
            () => format!("loses {men} men's worth; {{better}} was better"),
        };
        Some((better, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All remarks on a game.
    #[track_caller]
    fn remarks(game: &str, start: &str, moves: &str, player: &str) -> Vec<Remark> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        let player: PlayerSpec = player.parse().unwrap();
        let (context, mut found) = (Context::nowhere(), Vec::new());
        let most_nodes = 100_000;
        let params =
            AnnotationParams { game, setup: &[], start, moves: &moves, player: &player, most_nodes, context: &context };
        annotate(&params, &mut |remark| {
            found.push(remark);
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(found.iter().map(|remark| remark.ply).collect::<Vec<_>>(), (0..=moves.len()).collect::<Vec<_>>());
        found
    }

    fn blunders(found: &[Remark]) -> Vec<(usize, &str)> {
        found.iter().filter_map(|remark| Some((remark.ply, remark.blunder.as_ref()?.words.as_str()))).collect()
    }

    #[test]
    fn a_solver_finds_blunders_of_nim() {
        // 3,2 is won by taking one match from the first stack. Taking the whole stack gives the win to the opponent,
        // who keeps it.
        let found = remarks("nim", "3,2", "1:3 2:1 2:1", "perfect");
        assert_eq!(blunders(&found), [(1, "1:3 loses; 1:1 was right: it would have won")]);
        let values: Vec<f32> = found.iter().map(|remark| remark.value.unwrap()).collect();
        assert_eq!(values, [1.0, -1.0, -1.0, -1.0]);
        assert_eq!((found[0].best.as_deref(), found[3].ends_in), (Some("1:1"), Some(0)));
    }

    #[test]
    fn a_draw_thrown_away_is_a_blunder() {
        let found = remarks("tic-tac-toe", "x../.o./..x", "c3", "perfect");
        assert_eq!(blunders(&found).len(), 1, "{found:?}");
        assert!(found[1].blunder.as_ref().unwrap().words.ends_with("it would have kept the draw"), "{found:?}");
    }

    #[test]
    fn perfect_play_has_no_blunders() {
        for (game, start) in [("nim", "7,6"), ("tic-tac-toe", ".../.../...")] {
            let mut moves = String::new();
            loop {
                let found = remarks(game, start, &moves, "perfect");
                assert_eq!(blunders(&found), []);
                match &found.last().unwrap().best {
                    Some(best) => moves = format!("{moves} {best}"),
                    None => break,
                }
            }
        }
    }

    #[test]
    fn a_hung_piece_is_found_by_looking_ahead() {
        // The rook moves to a square where a pawn captures it.
        let found = remarks("minichess", "1k4/2p3/6/6/P5/R3K1 w", "a1b1 b6a6 b1b4 c5b4", "material:2");
        let told = blunders(&found);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].0 == 3 && told[0].1.contains("loses 5 men's worth"), "{told:?}");
        // The capture improves Black's value.
        assert!(found[4].value.unwrap() < found[2].value.unwrap());
    }

    #[test]
    fn giving_one_man_for_two_is_not_a_blunder() {
        let shot = "B:W17,18,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,10,11,12,16";
        assert_eq!(blunders(&remarks("draughts", shot, "9-14", "material:2")), []);
        let missed = remarks("draughts", shot, "9-13", "material:2");
        assert_eq!(blunders(&missed), [(1, "9-13 loses a man's worth; 9-14 was better")]);
    }

    #[test]
    fn not_capturing_the_king_is_a_blunder() {
        let found = remarks("minichess", "k5/6/6/6/6/R4K w", "f1f2 a6b6", "material:2");
        assert!(blunders(&found)[0].1.contains("misses a win"), "{found:?}");
    }

    #[test]
    fn broken_games_are_refused() {
        let refused = |start: &str, moves: &[&str], player: &str| {
            let moves: Vec<String> = moves.iter().map(|text| text.to_string()).collect();
            let (context, player) = (Context::nowhere(), player.parse().unwrap());
            let params = AnnotationParams {
                game: "nim",
                setup: &[],
                start,
                moves: &moves,
                player: &player,
                most_nodes: 1000,
                context: &context,
            };
            annotate(&params, &mut |_| panic!("nothing should be said")).unwrap_err().to_string()
        };
        assert!(refused("3,2", &["1:1", "1:7"], "perfect").starts_with("move 2: `1:7` is no legal move"));
        assert!(refused("3;2", &[], "perfect").contains("3;2"));
        assert!(refused("3,2", &[], "material:2").contains("no pieces to count"));
        assert!(refused("3,2,1,1,1", &[], "champion:nim").contains("stack"));
    }
}
