//! A whole game with remarks: what a player thinks of every position, and which moves were blunders.
//!
//! Blunders are told by whoever knows: a solver, kept endgame tables, or else the pieces that can be won by force. What the
//! player thinks has no part in it.

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

/// A game to be annotated.
pub struct AnnotationParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// The position it begins with.
    pub start: &'a str,
    /// Its moves, in the game's notation.
    pub moves: &'a [String],
    /// Whose values; a network of which nobody said how to look ahead looks two plies, if it can.
    pub player: &'a PlayerSpec,
    /// A search visits no more positions than this.
    pub most_nodes: u64,
    /// Where files are.
    pub context: &'a Context<'a>,
}

/// What there is to say of a position, and of the move that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Remark {
    /// How many moves led there.
    pub ply: usize,
    /// What it is worth to the first side: from −1, lost, to 1, won.
    pub value: Option<f32>,
    /// Whether the value is a bare number of a network's, whose size means nothing but that more is better.
    pub bare: bool,
    /// In how many plies that is certain.
    pub ends_in: Option<u32>,
    /// What the player would do, as records write it.
    pub best: Option<String>,
    /// What was wrong with the move that led there.
    pub blunder: Option<Blunder>,
}

/// A move that gave something away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Blunder {
    /// A better one, as records write it.
    pub better: String,
    /// What it cost, as a sentence that begins with the move.
    pub words: String,
}

/// Goes through a game; `tell` hears a remark on every position as soon as there is one, and says whether to go on.
pub fn annotate(params: &AnnotationParams, tell: &mut dyn FnMut(Remark) -> ControlFlow<()>) -> Result<(), Error> {
    let player = params.player.limited(params.most_nodes, params.context.runs)?;
    check_game(params.game, &[&player], params.context.runs)?;
    let visitor = Annotate { params, player: &player, tell };
    visitor.in_game(params.game)?
}

/// How far networks look ahead where nobody says it.
const USUAL_DEPTH: u32 = 2;

/// Games with more legal moves in all their positions together take too long: a solver looks at each of them.
const MOST_CHOICES: usize = 2_000_000;

/// How many legal moves a position has.
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
        // 1. The whole game must be one before anything is said of it.
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
                "the game has {choices} legal moves in all its positions, but at most {MOST_CHOICES} are looked at; a shorter game or one with fewer moves would be right"
            )));
        }
        let mut seated = seat::<G>(player, &setup, params.context)?;
        seated.fits(&start)?;
        // 2. The first position, before anybody looks for what is known of the game.
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
            // What a player thought that was told to stop is worth nothing.
            if params.context.is_halted() || tell(remark).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn seat<G: Game>(player: &PlayerSpec, setup: &G::Setup, context: &Context) -> Result<Seated<G>, Error> {
    let looking = || player.looking(SearchOptions::plies(USUAL_DEPTH)).seat::<G>(setup, context).ok();
    match player.is_plain_network(context.runs)?.then(looking).flatten() {
        Some(seated) => Ok(seated),
        None => player.seat::<G>(setup, context),
    }
}

/// What a player says of a position.
fn remark<G: Game>(seated: &mut Seated<G>, history: &GameHistory<G>, ply: usize) -> Remark {
    let game = history.game();
    let silent = Remark { ply, value: None, bare: false, ends_in: None, best: None, blunder: None };
    if let Some(outcome) = game.outcome() {
        return Remark { value: Some(outcome.value_for(Side::First)), ends_in: Some(0), ..silent };
    }
    // A game that its past has drawn may still have been played on.
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

/// Whoever knows which moves give something away.
struct Judge<'a, G: Game> {
    /// One for the whole game, one for its endings.
    solvers: Vec<Arc<dyn Solver<G>>>,
    proof: Proof<'a, G>,
}

/// How many plies of all moves are looked at, the one in question included; captures are followed to the end. Both must
/// find the same fault.
const PROOFS: [u32; 2] = [4, 5];

/// No more positions are looked at to prove one move a blunder: pieces enough to fill the board can capture each other in
/// more ways than anybody waits for.
const MOST_PROVED: u64 = 1_000_000;

impl<'a, G: Game> Judge<'a, G> {
    fn new(setup: &G::Setup, context: &Context, gives_up: &'a dyn Fn() -> bool) -> Judge<'a, G> {
        let solved = solver_for::<G>(setup, &|| context.is_halted());
        Judge {
            solvers: solved.into_iter().chain(kept_endgames(setup, context)).collect(),
            proof: Proof::patient(gives_up),
        }
    }

    /// What is wrong with a legal move, if it is a blunder.
    fn blunder(&mut self, game: &G, mv: G::Move) -> Option<Blunder> {
        let (better, what) = match self.solved(game, mv) {
            Some(found) => found,
            None => self.proved(game, mv),
        }?;
        let (mv, better) = (game.record_move(mv), game.record_move(better));
        Some(Blunder { words: format!("{mv} {}", what.replace("{better}", &better)), better })
    }

    /// What a solver says, if it knows the position: nothing where the move is good.
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

    /// What looking some plies ahead shows: a move that wins pieces, or the game, that this one does not. Nothing where there
    /// is too much to look at.
    fn proved(&mut self, game: &G, mv: G::Move) -> Option<(G::Move, String)> {
        game.material()?;
        self.proof.limit(MOST_PROVED);
        let mut found: Option<(G::Move, f32, f32)> = None;
        for plies in PROOFS {
            let played = -self.proof.value(&game.after(mv), plies - 1, -WON, WON);
            // A little less, as numbers are rounded.
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

    /// Remarks on a game, all of them.
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
        // 3,2 is won by taking one of the first; taking all of it hands the win over, which the other keeps.
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
        // The rook goes where a pawn takes it.
        let found = remarks("minichess", "1k4/2p3/6/6/P5/R3K1 w", "a1b1 b6a6 b1b4 c5b4", "material:2");
        let told = blunders(&found);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].0 == 3 && told[0].1.contains("loses 5 men's worth"), "{told:?}");
        // Who takes it does well.
        assert!(found[4].value.unwrap() < found[2].value.unwrap());
    }

    #[test]
    fn a_man_that_is_given_for_two_is_well_given() {
        let shot = "B:W17,18,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,9,10,11,12,16";
        assert_eq!(blunders(&remarks("draughts", shot, "9-14", "material:2")), []);
        let missed = remarks("draughts", shot, "9-13", "material:2");
        assert_eq!(blunders(&missed), [(1, "9-13 loses a man's worth; 9-14 was better")]);
    }

    #[test]
    fn a_king_left_to_be_taken_is_the_end() {
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
