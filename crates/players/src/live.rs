//! A game in progress between a person and a player, with positions and moves as text for the terminal and the web app.

use crate::Error;
use crate::context::Context;
use crate::endgames::endgame_solver;
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use crate::records::WrittenGame;
use crate::search_options::SearchOptions;
use crate::seated::Seated;
use crate::solvers::solver_for;
use arena::{Choice, GameHistory, Limits, Material, Opinion, Outlook, Perfect, Player, Search, Starts};
use chance::{Rng, rng_for};
use games::{Game, GameVisitor, Outcome, Side, Solver, Value, parse_move};
use serde::Serialize;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::sync::Arc;

/// A game between a person and a player. Here a game is used through `dyn`, which is slower than generic code, because
/// each method is called about once per move of a person.
pub trait LiveGame {
    /// The game's name.
    fn name(&self) -> &'static str;
    /// One sentence about the rules.
    fn about(&self) -> &'static str;
    /// The position, in the game's notation.
    fn position(&self) -> String;
    /// The position in which the game began.
    fn start(&self) -> String;
    /// The position drawn with characters.
    fn diagram(&self) -> String;
    /// The side to move.
    fn side(&self) -> Side;
    /// The name of a side in this game.
    fn side_name(&self, side: Side) -> &'static str;
    /// The outcome; `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// Why the game is drawn, if a repetition or a limit of moves draws it; otherwise `None`.
    fn why_drawn(&self) -> Option<String>;
    /// Why the game is won, in a few words; `None` if it is not won or the game gives no reason.
    fn why_won(&self) -> Option<&'static str>;
    /// The legal moves, in the game's notation.
    fn moves(&self) -> Vec<String>;
    /// The number of legal moves.
    fn count_moves(&self) -> usize;
    /// The moves so far, as PGN or PDN writes them.
    fn written(&self) -> Vec<String>;
    /// The game so far as PGN or PDN, between players of these names; `None` if games of this kind are not kept in
    /// files.
    fn record(&self, players: [&str; 2]) -> Option<String>;
    /// Makes the person's move.
    fn play(&mut self, text: &str) -> Result<(), Error>;
    /// Lets the player move. Returns its move, or as an error the illegal attempt with which it loses.
    fn answer(&mut self) -> Result<String, String>;
    /// Takes back up to `moves` moves. Returns the number of moves taken back.
    fn take_back(&mut self, moves: usize) -> usize;
    /// A best move with an explanation; `None` if the game is over, or if the position is not solved and the game has no
    /// pieces to count.
    fn hint(&self) -> Option<Hint>;
    /// The player's opinion of the position; `None` if it has no opinion, if nobody plays against the person, or if the
    /// game is over.
    fn view(&mut self) -> Option<LiveView>;
}

/// A player's opinion of a position, as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveView {
    /// The value of the position; `None` if the values of the moves can only be compared with each other.
    pub value: Option<Outlook>,
    /// The moves that the player expects (principal variation), as PGN or PDN writes them.
    pub line: Vec<String>,
    /// The values of moves, the best first.
    pub moves: Vec<LiveMove>,
}

/// A move and its value for the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveMove {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move as PGN or PDN writes it.
    pub written: String,
    /// The value of the move.
    #[serde(flatten)]
    pub prospect: Outlook,
}

/// A best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The move.
    pub mv: String,
    /// Why the move is best, as a sentence that begins with the move.
    pub words: String,
    /// Whether a solver or an endgame table proves it. `false` if it was found by counting pieces.
    pub is_proved: bool,
}

/// The parameters of a game against a player, or of a position to be shown without one.
pub struct LiveParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The opponent, if there is one.
    pub against: Option<&'a PlayerSpec>,
    /// The position in which the game begins; if it is `None`, a start of the setup is drawn.
    pub position: Option<&'a str>,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// The seed of all random numbers.
    pub seed: u64,
    /// The folders of runs and tables, and how to stop.
    pub context: &'a Context<'a>,
}

/// Sets up a game.
pub fn live_game<'a>(params: &LiveParams<'a>) -> Result<Box<dyn LiveGame + 'a>, Error> {
    SetUpGame { params, moves: &[], is_limited: false }.run()
}

/// Sets up a game and makes some moves. If a position has many legal moves or the search is deep, the player's search
/// is limited, so that a person need not wait long for its next move.
pub fn live_game_after<'a>(params: &LiveParams<'a>, moves: &[String]) -> Result<Box<dyn LiveGame + 'a>, Error> {
    SetUpGame { params, moves, is_limited: true }.run()
}

/// The most positions that a search for one move may visit while a person waits for it.
pub const MOST_LIVE_NODES: u64 = 3_000_000;
/// In positions with more legal moves than this, the two limits below apply.
const MANY_MOVES: usize = 200;
/// The most positions that a search may visit if there are more than [`MANY_MOVES`] legal moves.
const MOST_NODES_OF_MANY: u64 = 60_000;
/// The most Monte Carlo rounds if there are more than [`MANY_MOVES`] legal moves.
const MOST_ROUNDS_OF_MANY: u32 = 1000;
/// Searches of more plies than this are limited by [`MOST_LIVE_NODES`].
const DEEP: u32 = 8;

/// The most positions that a search may visit if the position has `moves` legal moves; `None` if no limit is needed.
/// Returns an error if the search asks for too many Monte Carlo rounds.
fn most_nodes(search: &SearchOptions, moves: usize) -> Result<Option<u64>, Error> {
    if moves > MANY_MOVES && search.mcts.is_some_and(|rounds| rounds > MOST_ROUNDS_OF_MANY) {
        let what =
            format!("with {moves} legal moves, at most {MOST_ROUNDS_OF_MANY} Monte Carlo rounds are allowed here");
        return Err(Error::refused(what));
    }
    Ok(match search.depth {
        _ if moves > MANY_MOVES => Some(MOST_NODES_OF_MANY),
        Some(depth) if depth > DEEP => Some(MOST_LIVE_NODES),
        _ => None,
    })
}

pub(crate) struct SetUpGame<'a, 'b> {
    params: &'b LiveParams<'a>,
    moves: &'b [String],
    /// Whether the player's search is limited so that a person need not wait long.
    is_limited: bool,
}

games::by_name!(SetUpGame<'a, 'b>, 'a, 'b);

impl<'a> SetUpGame<'a, '_> {
    fn run(self) -> Result<Box<dyn LiveGame + 'a>, Error> {
        let LiveParams { game, against, context, .. } = *self.params;
        check_game(game, &Vec::from_iter(against), context.runs)?;
        self.in_game(game)?
    }

    /// The player, with its search limited if that is wanted; `moves` is the number of legal moves.
    fn player(&self, moves: usize) -> Result<Option<PlayerSpec>, Error> {
        let LiveParams { against: Some(player), context, .. } = *self.params else { return Ok(None) };
        let limit = if self.is_limited { most_nodes(&player.search(), moves)? } else { None };
        let limited = limit.map(|nodes| player.limited(nodes, context.runs)).transpose()?;
        Ok(Some(limited.unwrap_or_else(|| player.clone())))
    }
}

impl<'a> GameVisitor for SetUpGame<'a, '_> {
    type Output = Result<Box<dyn LiveGame + 'a>, Error>;

    fn visit<G: Game>(self) -> Result<Box<dyn LiveGame + 'a>, Error> {
        // 1. The start.
        let LiveParams { seed, context, against, .. } = *self.params;
        let setup = setup_for::<G>(&Vec::from_iter(against), self.params.setup, context.runs)?;
        let mut rng = rng_for(seed, &[]);
        let start: G = match self.params.position {
            Some(text) => text.parse()?,
            None => Starts::new(&setup).draw(&mut rng),
        };
        // 2. The moves so far. They need no player.
        let history = GameHistory::new(start.clone(), &setup, 0);
        let (solved, endgames) = (OnceCell::new(), OnceCell::new());
        let mut table = GameAtTable { past: Vec::new(), history, setup, seated: None, solved, endgames, seed, context };
        for (number, text) in self.moves.iter().enumerate() {
            table.play(text).map_err(|error| Error::refused(format!("move {}: {error}", number + 1)))?;
        }
        // 3. The player. Its search may be limited by the number of legal moves, which is known now.
        if let Some(player) = self.player(table.count_moves())? {
            let seated = player.seat::<G>(&table.setup, context)?;
            seated.fits(&start)?;
            table.seated = Some(seated);
        }
        Ok(Box::new(table))
    }
}

/// A game in progress, of one game's type.
struct GameAtTable<'a, G: Game> {
    /// Every earlier position, and the move that was made there.
    past: Vec<(GameHistory<G>, G::Move)>,
    history: GameHistory<G>,
    setup: G::Setup,
    seated: Option<Seated<G>>,
    /// The solver of the whole game, if there is one; set when it is first needed.
    solved: OnceCell<Option<Arc<dyn Solver<G>>>>,
    /// The solver of endgames, if there is one; set when it is first needed.
    endgames: OnceCell<Option<Arc<dyn Solver<G>>>>,
    seed: u64,
    context: &'a Context<'a>,
}

impl<G: Game> GameAtTable<'_, G> {
    fn make(&mut self, mv: G::Move) {
        self.past.push((self.history.clone(), mv));
        self.history.play(mv);
    }

    /// Random numbers that depend only on the seed and the number of moves made, so that a game that is set up again
    /// goes on in the same way.
    fn rng(&self) -> Rng {
        rng_for(self.seed, &[1 + self.past.len() as u64])
    }

    fn solver(&self) -> Option<&Arc<dyn Solver<G>>> {
        if let Some(solved) = self.solved.get_or_init(|| solver_for::<G>(&self.setup, &|| self.context.is_halted())) {
            return Some(solved);
        }
        // Endgame tables may have to be computed, which is only worth while if they can know the position.
        if !G::ENDGAMES.is_some_and(|endgames| endgames.may_know(self.history.game())) {
            return None;
        }
        self.endgames.get_or_init(|| endgame_solver::<G>(&self.setup, self.context)).as_ref()
    }
}

impl<G: Game> LiveGame for GameAtTable<'_, G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn position(&self) -> String {
        self.history.game().to_string()
    }

    fn start(&self) -> String {
        self.past.first().map_or(&self.history, |(history, _)| history).game().to_string()
    }

    fn diagram(&self) -> String {
        self.history.game().diagram()
    }

    fn side(&self) -> Side {
        self.history.game().side_to_move()
    }

    fn side_name(&self, side: Side) -> &'static str {
        G::SIDES[side as usize]
    }

    fn why_drawn(&self) -> Option<String> {
        self.history.why_drawn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.history.outcome()
    }

    fn why_won(&self) -> Option<&'static str> {
        let why = self.history.game().why_won();
        (matches!(self.history.outcome(), Some(Outcome::Win(_))) && !why.is_empty()).then_some(why)
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.history.game().legal_moves(&mut moves);
        moves.iter().map(|mv| mv.to_string()).collect()
    }

    fn count_moves(&self) -> usize {
        self.history.game().count_moves().unwrap_or_else(|| {
            let mut moves = Vec::new();
            self.history.game().legal_moves(&mut moves);
            moves.len()
        })
    }

    fn written(&self) -> Vec<String> {
        self.past.iter().map(|(history, mv)| history.game().record_move(*mv)).collect()
    }

    fn record(&self, players: [&str; 2]) -> Option<String> {
        let form = G::RECORDS?;
        let record = WrittenGame {
            event: "A game at home".to_string(),
            round: "-".to_string(),
            players: players.map(str::to_string),
            start: self.start(),
            moves: self.past.iter().map(|(_, mv)| mv.to_string()).collect(),
            illegal: None,
            outcome: self.history.outcome(),
        };
        // All moves are legal, so writing succeeds.
        record.write::<G>(form).ok()
    }

    fn play(&mut self, text: &str) -> Result<(), Error> {
        // The form of PGN or PDN is accepted, too; error messages are about the game's own notation.
        let game = self.history.game();
        if let Some(why) = self.why_drawn() {
            return Err(Error::refused(format!("`{text}` cannot be played: the game is over, {why}")));
        }
        let mv = parse_move(game, text).or_else(|error| game.read_record_move(text).map_err(|_| error));
        let mv = mv.map_err(|error| Error::refused(error.to_string()))?;
        self.make(mv);
        Ok(())
    }

    fn answer(&mut self) -> Result<String, String> {
        let mut rng = self.rng();
        let seated = self.seated.as_mut().expect("the game has an opponent");
        match seated.player.choose(&self.history, &mut rng) {
            Choice::Move(mv) => {
                self.make(mv);
                Ok(mv.to_string())
            }
            Choice::Illegal(attempt) => Err(attempt),
        }
    }

    fn take_back(&mut self, moves: usize) -> usize {
        let kept = self.past.len().saturating_sub(moves);
        let taken = self.past.len() - kept;
        if taken > 0 {
            self.history = self.past[kept].0.clone();
            self.past.truncate(kept);
        }
        taken
    }

    fn hint(&self) -> Option<Hint> {
        if self.history.outcome().is_some() {
            return None;
        }
        // 1. A solver's best move, if the position is solved.
        let known = self.solver().and_then(|solver| Some((solver, solver.verdict(self.history.game())?)));
        if let Some((solver, verdict)) = known {
            let prospect = match (verdict.value, verdict.distance) {
                (Value::Won, Some(plies)) => format!("MOVE wins in {}", plies_of(plies)),
                (Value::Won, None) => "MOVE wins".to_string(),
                (Value::Drawn, _) => "MOVE draws".to_string(),
                (Value::Lost, Some(plies)) => format!("every move loses; MOVE loses last, after {}", plies_of(plies)),
                (Value::Lost, None) => "every move loses; MOVE is as good as any other".to_string(),
            };
            return match Perfect(Arc::clone(solver)).choose(&self.history, &mut self.rng()) {
                Choice::Move(mv) => Some(hint(self.history.game(), mv, &prospect, true)),
                Choice::Illegal(_) => None,
            };
        }
        // 2. Otherwise a search that counts pieces, if the game has pieces to count.
        self.history.game().material()?;
        let mut patience = SearchOptions::default().patience(self.context);
        let limits = Limits::depth(HINT_DEPTH);
        let found = Search::default().run(&self.history, &mut Material, limits, patience.as_deref_mut(), None);
        let words = format!("MOVE is best by counting pieces {HINT_DEPTH} plies ahead");
        Some(hint(self.history.game(), found.mv, &words, false))
    }

    fn view(&mut self) -> Option<LiveView> {
        if self.history.outcome().is_some() {
            return None;
        }
        let mut rng = self.rng();
        let Opinion { value, line, moves } = self.seated.as_mut()?.player.view(&self.history, &mut rng)?;
        let game = self.history.game();
        let live =
            |(mv, prospect): (G::Move, _)| LiveMove { mv: mv.to_string(), written: game.record_move(mv), prospect };
        let mut moves: Vec<LiveMove> = moves.into_iter().map(live).collect();
        moves.sort_by(|one, two| by_rank(&two.prospect, &one.prospect));
        let line = line.iter().scan(game.clone(), |game, &mv| {
            let text = game.record_move(mv);
            game.play(mv);
            Some(text)
        });
        Some(LiveView { value, line: line.collect(), moves })
    }
}

/// A hint from a sentence in which `MOVE` stands for the move.
fn hint<G: Game>(game: &G, mv: G::Move, sentence: &str, is_proved: bool) -> Hint {
    Hint { words: sentence.replace("MOVE", &game.record_move(mv)), mv: mv.to_string(), is_proved }
}

/// The depth in plies of the search for a hint.
const HINT_DEPTH: u32 = 4;

/// Compares two moves. Certain wins are above all values that a network estimates, and a faster win is better. Certain
/// defeats are below all of them, and a later defeat is better. Other moves are ordered by value, then by the number of
/// visits.
fn by_rank(one: &Outlook, two: &Outlook) -> Ordering {
    let key = |found: &Outlook| match found.ends_in {
        Some(plies) if found.value > 0.0 => (1, -f64::from(plies)),
        Some(plies) if found.value < 0.0 => (-1, f64::from(plies)),
        _ => (0, f64::from(found.value)),
    };
    let (one_key, two_key) = (key(one), key(two));
    one_key.0.cmp(&two_key.0).then(one_key.1.total_cmp(&two_key.1)).then(one.visits.cmp(&two.visits))
}

/// A number of plies as text.
fn plies_of(plies: u32) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_results_rank_above_or_below_all_estimates() {
        let sees = |value: f32, ends_in: Option<u32>| Outlook { value, ends_in, visits: None };
        let mut found = [
            sees(1.03, None),
            sees(-1.0, Some(2)),
            sees(1.0, Some(4)),
            sees(-1.36, None),
            sees(1.0, Some(2)),
            sees(-1.0, Some(6)),
        ];
        found.sort_by(|one, two| by_rank(two, one));
        let order = found.map(|found| (found.value, found.ends_in));
        let expected = [(1.0, Some(2)), (1.0, Some(4)), (1.03, None), (-1.36, None), (-1.0, Some(6)), (-1.0, Some(2))];
        assert_eq!(order, expected);
    }

    #[test]
    fn there_is_no_hint_and_no_opinion_after_the_end() {
        let context = Context::nowhere();
        let against: PlayerSpec = "perfect".parse().unwrap();
        let params = LiveParams {
            game: "nim",
            against: Some(&against),
            position: Some("1"),
            setup: &[],
            seed: 1,
            context: &context,
        };
        let mut game = live_game(&params).unwrap();
        assert!(game.hint().is_some() && game.view().is_some());
        game.play("1:1").unwrap();
        assert!(game.outcome().is_some() && game.hint().is_none() && game.view().is_none());
    }

    #[test]
    fn large_searches_are_limited() {
        let search = |text: &str| text.parse::<PlayerSpec>().unwrap().search();
        let limit = |text: &str, moves: usize| most_nodes(&search(text), moves).ok();
        assert_eq!(limit("material:8", 200), Some(None));
        assert_eq!(limit("material:9", 200), Some(Some(MOST_LIVE_NODES)));
        assert_eq!(limit("material:2", 201), Some(Some(MOST_NODES_OF_MANY)));
        assert_eq!(limit("mcts:1001", 200), Some(None));
        assert_eq!(limit("mcts:1001", 201), None);
    }
}
