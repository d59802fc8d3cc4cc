//! The trait `Game`: what the rules of a game must provide, and what callers can rely on.

mod coding;
mod protocol;
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
pub use coding::{Attempt, COUNTERS, Counters, Decoder, Encoder, FACTS, FactSet, Facts, Gene, Inputs, encode};
pub use protocol::{Protocol, ProtocolForm};
pub use solver::{Endgames, Ending, Solver, Value, Verdict};

/// A position of a two-player, zero-sum game of perfect information, with the side to move.
///
/// Callers can rely on these promises, which [`conformance`](crate::conformance()) checks: a position has either an
/// outcome or at least one legal move; the sides take turns; text and key contain everything that `Eq` compares.
pub trait Game: Clone + Eq + Hash + Debug + Display + FromStr<Err = NotationError> + Send + Sync + 'static {
    /// A move.
    type Move: Copy + Eq + Debug + Display + Send + Sync;
    /// The details of the rules and the start that an experiment can set.
    type Setup: Setup;

    /// The name that people type.
    const NAME: &'static str;
    /// One sentence about the rules, for lists.
    const ABOUT: &'static str;
    /// The names of the two sides, `First` first.
    const SIDES: [&'static str; 2] = ["first", "second"];
    /// The encoders: the ways to turn a position into the inputs of a network.
    const ENCODERS: &'static [&'static dyn Encoder<Self>];
    /// The decoders: the ways to turn a network's outputs into a move. The list may be empty; then networks only judge
    /// positions.
    const DECODERS: &'static [&'static dyn Decoder<Self>];
    /// The file format for records of whole games, or `None` if people have none for this game.
    const RECORDS: Option<RecordForm> = None;
    /// The protocols by which engines play this game, the usual one first. Every game can be played by UCI in its own
    /// notation.
    const PROTOCOLS: &'static [ProtocolForm<Self>] = &[ProtocolForm::plain(Protocol::Uci, Self::NAME)];
    /// The definition of the game's rules for Fairy-Stockfish and the programs built on it, or `None`.
    const VARIANT_FILE: Option<&'static str> = None;
    /// Endgame tables that take long to compute, or `None`.
    const ENDGAMES: Option<&'static dyn Endgames<Self>> = None;
    /// The suites of test positions in the game's exam. Either all suites give points or none does.
    const SUITES: &'static [Suite] = &[];
    /// Test positions with their correct answers, in the exam's text format.
    const QUESTIONS: Option<&'static str> = None;
    /// The game's ladder: opponents of rising strength with their Elo, as TOML that names the game. `None` if it has
    /// none.
    const LADDER: Option<&'static str> = None;
    /// The value of the least piece in [`Game::material`]. Games with pieces must set it.
    const MAN: f32 = 0.0;

    /// A starting position. The caller has [checked](Setup::checked) the setup.
    fn start(setup: &Self::Setup, rng: &mut Rng) -> Self;
    /// The side to move.
    fn side_to_move(&self) -> Side;
    /// Appends every legal move to `moves`, always in the same order. Appending lets a search use one vector as a
    /// stack.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);
    /// The number of legal moves, or `None` if the game cannot count them without listing them.
    fn count_moves(&self) -> Option<usize> {
        None
    }
    /// Makes a legal move.
    fn play(&mut self, mv: Self::Move);
    /// The position after a legal move. Searches clone and play by themselves instead, because the result of `after` is
    /// copied once more: with `after` the experiment `minichess-16` took 1.20 times the processor time, and
    /// `minichess-td` 1.10 times.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }
    /// How the game ended, or `None` if it goes on. It depends on the position alone, not on the moves before it.
    fn outcome(&self) -> Option<Outcome>;
    /// The reason for a win in a few words; empty if the outcome needs no explanation.
    fn why_won(&self) -> &'static str {
        ""
    }
    /// A hash of the position: different positions almost always have different keys.
    fn key(&self) -> u64;

    /// Checks that this position is possible under `setup`; the error says in one sentence why it is not.
    fn fits(&self, setup: &Self::Setup) -> Result<(), SetupError>;

    /// The rules that draw a game because of the moves before the position, which the position does not know.
    fn draw_rules(setup: &Self::Setup) -> DrawRules {
        let _ = setup;
        DrawRules::NONE
    }

    /// Whether the side to move has pieces and opponents but no legal move. Some rules draw such games although the
    /// outcome is a loss.
    fn is_blocked(&self) -> bool {
        false
    }

    /// Whether a legal move can never be undone, so that no earlier position can come up again.
    fn is_progress(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// The value of the mover's pieces minus the value of the other side's, strictly between −1 and 1; `None` in games
    /// without pieces.
    fn material(&self) -> Option<f32> {
        None
    }

    /// How promising a legal move looks before it is searched. Searches try the highest first. Quiet moves have 0.
    fn promise(&self, mv: Self::Move) -> u8 {
        let _ = mv;
        0
    }

    /// Whether a legal move captures something.
    fn is_capture(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether the side to move has a move that wins the game at once. A game that cannot tell this faster than by trying
    /// its moves says false; then searches find it by trying.
    fn can_win_at_once(&self) -> bool {
        false
    }

    /// Whether a legal move loses material when the other side answers with captures on the same square. Selective
    /// searches look at such moves last or not at all. A game that does not know says false.
    fn loses_by_exchange(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether the rules force the side to move to capture. Then a search should go on instead of judging the position.
    fn must_capture(&self) -> bool {
        false
    }

    /// The same position with the other side to move, or `None` if passing makes no sense in this game.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// Whether a move is nearly always better than passing, so that a search may try what happens after a pass (null
    /// move). It must be false where zugzwang is common, and if [`Game::passed`] is `None`.
    fn may_pass(&self) -> bool {
        false
    }

    /// A number below [`MOVE_SLOTS`] for a move; searches index what they remember of moves by it. Different moves
    /// should have different numbers.
    fn move_slot(mv: Self::Move) -> usize {
        let _ = mv;
        0
    }

    /// The legal move with this text, or `None`. By default every legal move is written and compared; games can do it
    /// faster.
    fn find_move(&self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|mv| mv.to_string() == text)
    }

    /// The text of a legal move in records of whole games.
    fn record_move(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// The legal move for a text from a record of a whole game.
    fn read_record_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        parse_move(self, text)
    }

    /// The position drawn with characters for a terminal; the position's text if the game draws no diagram.
    fn diagram(&self) -> String {
        self.to_string()
    }

    /// All starts that the setup can draw, or `None` if there are more than `most`.
    fn starts(setup: &Self::Setup, most: usize) -> Option<WeightedStarts<Self>>;

    /// All reachable positions in which the game is not over, as the mover sees them; `None` if there are more than
    /// `most`. Only games that know a faster way than trying all moves implement it.
    fn positions(setup: &Self::Setup, most: usize) -> Option<Vec<Self>> {
        let _ = (setup, most);
        None
    }

    /// The same position as the mover sees it: if the rules are the same for both sides, the mover becomes `First`.
    /// Networks, tables and solvers use these positions, so that they need to know each situation only once.
    fn for_mover(&self) -> Self {
        self.clone()
    }

    /// The index of a legal move in the order of [`Game::legal_moves`].
    fn move_number(&self, mv: Self::Move) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.iter().position(|&legal| legal == mv).expect("the caller's move is legal")
    }

    /// A solver from the game's own theory, or `None`. Games with few positions are solved without one.
    fn solver(setup: &Self::Setup) -> Option<Box<dyn Solver<Self>>> {
        let _ = setup;
        None
    }
}

/// The number of different values of [`Game::move_slot`].
pub const MOVE_SLOTS: usize = 4096;

/// Starting positions with their relative probabilities.
pub type WeightedStarts<G> = Vec<(G, f64)>;

/// The details of a game's rules and start that an experiment can set.
pub trait Setup: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Descriptions of all keys, for forms and lists.
    const KEYS: &'static [Described];

    /// The default setup.
    fn usual() -> Self;
    /// Checks that the game can be set up like this; the error says in one sentence why it cannot.
    fn checked(&self) -> Result<(), SetupError>;
}

/// Why a setup is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub String);

impl Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}

/// Why a text is not a position or a move: what was found, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError(pub String);

impl Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotationError {}

/// The legal move with this text.
pub fn parse_move<G: Game>(game: &G, text: &str) -> Result<G::Move, NotationError> {
    game.find_move(text.trim()).ok_or_else(|| not_legal(game, text.trim(), |mv| mv.to_string()))
}

/// An error that `found` is not a legal move. It lists the legal moves as `form` writes them.
pub(crate) fn not_legal<G: Game>(game: &G, found: &str, form: impl Fn(G::Move) -> String) -> NotationError {
    // Enough for all moves of a chess position, but not for a tall stack of Nim.
    const SHOWN: usize = 60;
    let (found, mut moves) = (shown(found), Vec::new());
    game.legal_moves(&mut moves);
    let count = if moves.len() > SHOWN + 1 { SHOWN } else { moves.len() };
    let mut legal: Vec<String> = moves[..count].iter().map(|&mv| form(mv)).collect();
    if count < moves.len() {
        legal.push(format!("and {} more", moves.len() - count));
    }
    NotationError(match legal.len() {
        0 => format!("`{found}` is no move in {game}, because the game is over"),
        _ => format!("`{found}` is no legal move in {game}; legal moves: {}", legal.join(", ")),
    })
}

/// A text from outside as error messages repeat it: long texts are cut.
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

    /// Error messages stay short even if the text is a megabyte long.
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

    /// Tall stacks have half a million moves, so a move must be found without writing all of them.
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
