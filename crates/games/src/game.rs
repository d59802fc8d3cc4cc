//! The contract of a game: what a file of rules must say, and what may be relied on.

mod coding;
mod solver;

use crate::{Described, DrawRules, Outcome, RecordForm, Side, Suite};
use chance::Rng;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fmt::{self, Debug, Display},
    hash::Hash,
    str::FromStr,
};

pub(crate) use coding::highest;
pub use coding::{Attempt, Decoder, Encoder, FactSet, Facts, Gene, Inputs, encode};
pub use solver::{Endgames, Ending, Solver, Value, Verdict};

/// A position of a two-player, zero-sum game of perfect information, with whose turn it is.
///
/// What may be relied on, and is checked by [`conformance`](crate::conformance()): a position without an outcome has a
/// legal move, one with an outcome has none; the sides take turns; text, and the key, say everything that `Eq` compares.
pub trait Game: Clone + Eq + Hash + Debug + Display + FromStr<Err = NotationError> + Send + Sync + 'static {
    /// What a side may do.
    type Move: Copy + Eq + Debug + Display + Send + Sync;
    /// What an experiment may set.
    type Setup: Setup;

    /// The name people type.
    const NAME: &'static str;
    /// One sentence on the rules, for lists.
    const ABOUT: &'static str;
    /// What the sides are called.
    const SIDES: [&'static str; 2] = ["first", "second"];
    /// The ways a position can be shown to a network.
    const ENCODERS: &'static [&'static dyn Encoder<Self>];
    /// The ways a network's outputs can name a move; may be empty, then networks judge positions.
    const DECODERS: &'static [&'static dyn Decoder<Self>];
    /// The form in which people keep whole games, where there is one.
    const RECORDS: Option<RecordForm> = None;
    /// Exact knowledge of endings, where the game has some that takes long to work out.
    const ENDGAMES: Option<&'static dyn Endgames<Self>> = None;
    /// What the test positions of its exam ask for; all of them or none have points.
    const SUITES: &'static [Suite] = &[];
    /// Test positions with their right answers, as the exam writes them.
    const QUESTIONS: Option<&'static str> = None;
    /// What the least piece counts in [`Game::material`]; whoever has pieces to count says it.
    const MAN: f32 = 0.0;

    /// A starting position. The setup has been [checked](Setup::checked).
    fn start(setup: &Self::Setup, rng: &mut Rng) -> Self;
    /// Whose turn it is.
    fn side_to_move(&self) -> Side;
    /// Appends every legal move, so that a search can use one vector as a stack; always in the same order.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);
    /// How many legal moves there are, where that can be told without listing them.
    fn count_moves(&self) -> Option<usize> {
        None
    }
    /// Makes a legal move.
    fn play(&mut self, mv: Self::Move);
    /// The position after a legal move. The result is copied once more, so the searches clone and play by themselves: with
    /// `after` the experiment `minichess-16` took 1.20 times the processor time, and `minichess-td` 1.10 times.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }
    /// How the game ended, if it has; looks at the position alone, never at how it came about.
    fn outcome(&self) -> Option<Outcome>;
    /// Why somebody has won where the outcome says so, in a few words; empty where there is nothing to add.
    fn why_won(&self) -> &'static str {
        ""
    }
    /// A number that differs, but for rare accidents, where positions differ.
    fn key(&self) -> u64;

    /// Whether this position can come up under that setup, as one sentence when it cannot.
    fn fits(&self, setup: &Self::Setup) -> Result<(), SetupError>;

    /// Which pasts draw a game; positions do not know theirs.
    fn draw_rules(setup: &Self::Setup) -> DrawRules {
        let _ = setup;
        DrawRules::NONE
    }

    /// Whether the side to move has pieces and opponents, but no move: some draw such games, whatever the outcome says.
    fn is_blocked(&self) -> bool {
        false
    }

    /// Whether a legal move can never be undone, so that no position before it comes up again.
    fn is_progress(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// What the mover's pieces are worth less the other side's, between −1 and 1 and these excluded; `None` in games
    /// without pieces to count.
    fn material(&self) -> Option<f32> {
        None
    }

    /// How much of a legal move can be expected before looking on: searches try the highest first. 0 for quiet moves.
    fn promise(&self, mv: Self::Move) -> u8 {
        let _ = mv;
        0
    }

    /// Whether a legal move takes something from the other side.
    fn is_capture(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether every legal move is a capture by rule, so that the position is no place to judge.
    fn must_capture(&self) -> bool {
        false
    }

    /// The same position with the other side to move, where that makes sense.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// A move's number below [`MOVE_SLOTS`], for what searches remember of moves; different moves should differ.
    fn move_slot(mv: Self::Move) -> usize {
        let _ = mv;
        0
    }

    /// The legal move that is written so, if there is one; quicker than by writing every legal move where the game knows how.
    fn find_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|mv| mv.to_string() == text)
    }

    /// A legal move as records of whole games write it.
    fn record_move(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// The legal move that a record of a whole game means.
    fn read_record_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        parse_move(self, text)
    }

    /// The position drawn with characters, for a person at a terminal; its text where there is nothing to draw.
    fn diagram(&self) -> String {
        self.to_string()
    }

    /// Every start that the setup can draw, when there are at most `most`.
    fn starts(setup: &Self::Setup, most: usize) -> Option<WeightedStarts<Self>>;

    /// Every position that can come up and is not the end, as its mover sees it, when there are at most `most`; only
    /// for games that know them better than by trying all moves.
    fn positions(setup: &Self::Setup, most: usize) -> Option<Vec<Self>> {
        let _ = (setup, most);
        None
    }

    /// The same position as its mover sees it: where the rules do not care who is called `First`, the mover is.
    /// Networks, tables and solvers work on these, so that they need to know each situation once.
    fn for_mover(&self) -> Self {
        self.clone()
    }

    /// The number of a legal move in the order of [`Game::legal_moves`].
    fn move_number(&self, mv: Self::Move) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.iter().position(|&legal| legal == mv).expect("the caller's move is legal")
    }

    /// Exact knowledge that the game's own theory has; games of few positions are solved without it.
    fn solver(setup: &Self::Setup) -> Option<Box<dyn Solver<Self>>> {
        let _ = setup;
        None
    }
}

/// How many numbers [`Game::move_slot`] may give.
pub const MOVE_SLOTS: usize = 4096;

/// Starting positions with their relative chances.
pub type WeightedStarts<G> = Vec<(G, f64)>;

/// What an experiment may set for a game.
pub trait Setup: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// All its keys in words, for forms and lists.
    const KEYS: &'static [Described];

    /// The setup used where nobody gave one.
    fn usual() -> Self;
    /// Whether the game can be set up so, as one sentence when it cannot.
    fn checked(&self) -> Result<(), SetupError>;
}

/// Why a game cannot be set up as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub String);

impl Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}

/// Why a text is not a position or a move: what was found, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError(pub String);

impl Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotationError {}

/// The legal move that is written so.
pub fn parse_move<G: Game>(game: &G, text: &str) -> Result<G::Move, NotationError> {
    game.find_move(text.trim()).ok_or_else(|| not_legal(game, text.trim(), |mv| mv.to_string()))
}

/// That a text is no legal move, and which are, in the form that is given.
pub(crate) fn not_legal<G: Game>(game: &G, found: &str, form: impl Fn(G::Move) -> String) -> NotationError {
    // All of a position of chess; not all of a tall stack.
    const SHOWN: usize = 60;
    let (found, mut moves) = (shown(found), Vec::new());
    game.legal_moves(&mut moves);
    let count = if moves.len() > SHOWN + 1 { SHOWN } else { moves.len() };
    let mut legal: Vec<String> = moves[..count].iter().map(|&mv| form(mv)).collect();
    if count < moves.len() {
        legal.push(format!("and {} more", moves.len() - count));
    }
    NotationError(match legal.len() {
        0 => format!("`{found}` is no move in {game}, where the game is over"),
        _ => format!("`{found}` is no legal move in {game}; legal are {}", legal.join(", ")),
    })
}

/// A text from outside as messages repeat it: of a long one, how it begins.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Draughts;
    use crate::minichess::Minichess;
    use crate::nim::Nim;
    use crate::tic_tac_toe::TicTacToe;

    /// A megabyte of nonsense gets a sentence, not a megabyte.
    #[test]
    fn messages_are_short_however_long_the_text() {
        fn check<G: Game>(start: &str) {
            let game: G = start.parse().unwrap();
            for text in ["x", "é", "1", "/", ":", ","] {
                let long = text.repeat(1 << 20);
                let wrong = [long.clone(), format!("{long} w"), format!("B:W{long}:B1")];
                for error in wrong.iter().filter_map(|text| text.parse::<G>().err()) {
                    assert!(error.0.len() < 2000, "{} bytes", error.0.len());
                }
                for error in [parse_move(&game, &long), game.read_record_move(&long)] {
                    assert!(error.unwrap_err().0.len() < 3000);
                }
            }
        }
        check::<Nim>("3,5,7");
        check::<TicTacToe>(".../.../...");
        check::<Minichess>("rnbknr/pppppp/6/6/PPPPPP/RNBKNR w");
        check::<Draughts>("B:W21-32:B1-12");
    }

    /// Tall stacks have half a million moves: they are not written out one by one.
    #[test]
    fn moves_of_tall_stacks_are_found_at_once() {
        let game: Nim = "65535,65535,65535,65535,65535,65535,65535,65535".parse().unwrap();
        for _ in 0..2000 {
            assert_eq!(parse_move(&game, " 8:65535 ").unwrap().to_string(), "8:65535");
        }
        for wrong in ["9:1", "1:65536", "0:1", "1:0", "01:1", "+1:1", "1", "1:1:1", ""] {
            assert!(parse_move(&game, wrong).unwrap_err().0.contains("and 524220 more"));
        }
    }
}
