//! Chess on a board of six by six, as in Sebastianelli's thesis (2024): the side that captures the king wins.
//!
//! There is no check rule: a king may stay in attack or step into it, and then be captured. Pawns move one square and
//! become a rook on the last rank. There is no queen, no double step, no en passant and no castling. If the side to
//! move has no move, the game is drawn.

mod activity;
mod attacked;
mod attacks;
mod coding;
mod differences;
mod endgames;
mod exchanges;
mod pieces;
mod san;

use crate::bits::bits;
use crate::game::shown;
use crate::{
    Allowed, Decoder, Described, DrawRules, Encoder, Endgames, Game, NotationError, Outcome, Protocol, ProtocolForm,
    RecordForm, SetupError, Side, Suite, WeightedStarts, key,
};
use attacks::{Bitboard, KING, KNIGHT, PAWN_CAPTURES, SIDE, SQUARES, bishop, rook};
use chance::Rng;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

pub use activity::WithActivity;
pub use attacked::{Attacks, Vision};
pub use coding::{Board, Material, Planes, Squares};
pub use differences::Differences;
pub use pieces::Pieces;

/// A position: the squares of each side, the squares of each kind of piece, and the side to move. White is `First`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Minichess {
    sides: [Bitboard; 2],
    kinds: [Bitboard; 5],
    side: Side,
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    King,
}

const KINDS: [Kind; 5] = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::King];
const LETTERS: [char; 5] = ['p', 'n', 'b', 'r', 'k'];

/// The value of a piece in pawns. The king's value is used only to order captures, because its loss ends the game.
fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight | Kind::Bishop => 3,
        Kind::Rook => 5,
        Kind::King => 6,
    }
}

/// The name of the rules in `variant.ini` and in the protocols of engines.
const VARIANT: &str = "gamete-minichess";

/// The rows on which pawns become rooks: the top for White, the bottom for Black.
const LAST_ROWS: Bitboard = 0b111111 | 0b111111 << (SQUARES - SIDE);
const ALL: Bitboard = (1 << SQUARES) - 1;

/// A move: the two squares, and whether a pawn becomes a rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: u8,
    to: u8,
    promotes: bool,
}

/// How a game begins, and when it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// `standard`, `diana`, or a position in FEN.
    pub start: String,
    /// The number of plies after which the game is drawn.
    pub most_plies: u32,
    /// The number of times a position must come up to draw the game; 0 switches the rule off.
    pub repetitions: u8,
}

/// The starting positions with a name. The thesis's own drawing is lost; the squares that its text quotes fit the first
/// one best.
const ARRAYS: [(&str, &str); 2] =
    [("standard", "rnbknr/pppppp/6/6/PPPPPP/RNBKNR w"), ("diana", "rbnkbr/pppppp/6/6/PPPPPP/RBNKBR w")];

impl Setup {
    fn position(&self) -> Result<Minichess, NotationError> {
        let named = ARRAYS.iter().find(|(name, _)| *name == self.start);
        named.map_or(self.start.as_str(), |(_, fen)| fen).parse()
    }
}

impl crate::Setup for Setup {
    const KEYS: &'static [Described] = &[
        key("start", "where games begin: standard, diana, or a position in FEN", Allowed::Text),
        DrawRules::MOST_PLIES,
        DrawRules::REPETITIONS,
    ];

    fn usual() -> Setup {
        Setup { start: ARRAYS[0].0.to_string(), most_plies: 80, repetitions: 0 }
    }

    fn checked(&self) -> Result<(), SetupError> {
        let game =
            self.position().map_err(|error| SetupError(format!("start is neither standard nor diana, and {error}")))?;
        if game.outcome().is_some() {
            return Err(SetupError(format!("start is {game}, but the game is over there")));
        }
        if self.most_plies == 0 {
            return Err(SetupError("most_plies is 0, but it must be at least 1".to_string()));
        }
        if self.repetitions == 1 {
            let what = "repetitions is 1, but every position comes up once; it must be 0 (no such rule) or at least 2";
            return Err(SetupError(what.to_string()));
        }
        Ok(())
    }
}

impl Minichess {
    #[inline]
    fn own(&self) -> Bitboard {
        self.sides[self.side as usize]
    }

    #[inline]
    fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    #[inline]
    fn kind_on(&self, square: u8) -> Option<Kind> {
        KINDS.into_iter().find(|&kind| self.kinds[kind as usize] >> square & 1 == 1)
    }

    #[inline]
    fn kings(&self) -> Bitboard {
        self.kinds[Kind::King as usize]
    }

    /// Whether one side has lost its king.
    #[inline]
    fn king_is_gone(&self) -> bool {
        self.sides[0] & self.kings() == 0 || self.sides[1] & self.kings() == 0
    }

    /// The squares to which the mover's pawns can step.
    #[inline]
    fn pawn_steps(&self) -> Bitboard {
        let pawns = self.own() & self.kinds[Kind::Pawn as usize];
        let free = ALL & !self.occupied();
        match self.side {
            Side::First => pawns >> SIDE & free,
            Side::Second => pawns << SIDE & free,
        }
    }

    /// The squares to which a piece of the mover can go; for a pawn, only captures.
    fn reach(&self, kind: Kind, square: usize) -> Bitboard {
        let occupied = self.occupied();
        let reached = match kind {
            Kind::Pawn => PAWN_CAPTURES[self.side as usize][square] & self.sides[!self.side as usize],
            Kind::Knight => KNIGHT[square],
            Kind::Bishop => bishop(square, occupied),
            Kind::Rook => rook(square, occupied),
            Kind::King => KING[square],
        };
        reached & !self.own()
    }

    /// Whether the mover has a legal move. Both kings must be on the board.
    #[inline]
    fn has_move(&self) -> bool {
        if self.pawn_steps() != 0 {
            return true;
        }
        KINDS
            .iter()
            .any(|&kind| bits(self.own() & self.kinds[kind as usize]).any(|square| self.reach(kind, square) != 0))
    }

    /// All pieces: side, kind and square.
    fn pieces(&self) -> impl Iterator<Item = (Side, Kind, usize)> + '_ {
        Side::BOTH.into_iter().flat_map(move |side| {
            KINDS.into_iter().flat_map(move |kind| {
                bits(self.sides[side as usize] & self.kinds[kind as usize]).map(move |square| (side, kind, square))
            })
        })
    }
}

impl Game for Minichess {
    type Move = Step;
    type Setup = Setup;
    const NAME: &'static str = "minichess";
    const ABOUT: &'static str = "chess on a board of 6 by 6 without queens; the side that captures the king wins";
    const SIDES: [&'static str; 2] = ["White", "Black"];
    const ENCODERS: &'static [&'static dyn Encoder<Minichess>] = &[
        &Squares,
        &Planes,
        &Material,
        &Board,
        &Attacks,
        &Vision,
        &Pieces,
        &Differences,
        &WithActivity::PIECES,
        &WithActivity::DIFFERENCES,
    ];
    const DECODERS: &'static [&'static dyn Decoder<Minichess>] = &[];
    const LADDER: Option<&'static str> = Some(include_str!("minichess/ladder.toml"));
    const RECORDS: Option<RecordForm> = Some(RecordForm::Pgn);
    const PROTOCOLS: &'static [ProtocolForm<Minichess>] =
        &[ProtocolForm::plain(Protocol::Uci, VARIANT), ProtocolForm::plain(Protocol::Cecp, VARIANT)];
    const VARIANT_FILE: Option<&'static str> = Some(include_str!("minichess/variant.ini"));
    const ENDGAMES: Option<&'static dyn Endgames<Minichess>> = Some(&endgames::FourPieces);
    const SUITES: &'static [Suite] = Suite::KINGS_AND_PIECES;
    /// Made by `gamete questions minichess --seed 1`.
    const QUESTIONS: Option<&'static str> = Some(include_str!("minichess/questions.txt"));
    const MAN: f32 = 1.0 / 256.0;

    fn start(setup: &Setup, _: &mut Rng) -> Minichess {
        setup.position().expect("the setup was checked")
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Step>) {
        if self.king_is_gone() {
            return;
        }
        let back = match self.side {
            Side::First => SIDE as i8,
            Side::Second => -(SIDE as i8),
        };
        for to in bits(self.pawn_steps()) {
            let promotes = LAST_ROWS >> to & 1 == 1;
            moves.push(Step { from: (to as i8 + back) as u8, to: to as u8, promotes });
        }
        for kind in KINDS {
            for from in bits(self.own() & self.kinds[kind as usize]) {
                let promoting = if kind == Kind::Pawn { LAST_ROWS } else { 0 };
                for to in bits(self.reach(kind, from)) {
                    moves.push(Step { from: from as u8, to: to as u8, promotes: promoting >> to & 1 == 1 });
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, mv: Step) {
        let (from, to) = (1 << mv.from, 1 << mv.to);
        self.sides[self.side as usize] ^= from | to;
        self.sides[!self.side as usize] &= !to;
        for kind in &mut self.kinds {
            // Clears both squares, then puts the moved piece on its new square.
            *kind = *kind & !(from | to) | if *kind & from != 0 { to } else { 0 };
        }
        if mv.promotes {
            self.kinds[Kind::Pawn as usize] &= !to;
            self.kinds[Kind::Rook as usize] |= to;
        }
        self.side = !self.side;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match Side::BOTH.into_iter().find(|&side| self.sides[side as usize] & self.kings() == 0) {
            Some(loser) => Some(Outcome::Win(!loser)),
            None => (!self.has_move()).then_some(Outcome::Draw),
        }
    }

    fn why_won(&self) -> &'static str {
        "the king is captured"
    }

    #[inline]
    fn key(&self) -> u64 {
        let fold = |key: u64, part: u64| (key ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        // The side to move is the bit above the last square.
        let first = self.sides[0] | (self.side as u64) << SQUARES;
        self.kinds.iter().fold(fold(first, 0), |key, &kind| fold(key, kind))
    }

    fn fits(&self, _: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn starts(setup: &Setup, _: usize) -> Option<WeightedStarts<Minichess>> {
        Some(vec![(setup.position().expect("the setup was checked"), 1.0)])
    }

    fn draw_rules(setup: &Setup) -> DrawRules {
        DrawRules { most_plies: setup.most_plies, repetitions: setup.repetitions, ..DrawRules::NONE }
    }

    #[inline]
    fn is_progress(&self, mv: Step) -> bool {
        let pawns = self.kinds[Kind::Pawn as usize];
        self.is_capture(mv) || pawns >> mv.from & 1 == 1
    }

    #[inline]
    fn material(&self) -> Option<f32> {
        let (own, other) = (self.own(), self.sides[!self.side as usize]);
        let count = |kind: Kind| {
            let pieces = self.kinds[kind as usize];
            (own & pieces).count_ones() as i32 - (other & pieces).count_ones() as i32
        };
        let pawns: i32 =
            [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook].map(|kind| count(kind) * worth(kind)).iter().sum();
        // A board full of rooks stays below 1.
        Some(pawns as f32 * Self::MAN)
    }

    #[inline]
    fn promise(&self, mv: Step) -> u8 {
        if !mv.promotes && !self.is_capture(mv) {
            return 0;
        }
        let promotion = if mv.promotes { 16 * (worth(Kind::Rook) - worth(Kind::Pawn)) } else { 0 };
        let capture = match self.kind_on(mv.to) {
            Some(Kind::King) => return u8::MAX,
            // Most valuable victim first; among equal victims, least valuable attacker first.
            Some(victim) => 16 * worth(victim) + 8 - self.kind_on(mv.from).map_or(0, worth),
            None => 0,
        };
        (promotion + capture) as u8
    }

    #[inline]
    fn is_capture(&self, mv: Step) -> bool {
        self.occupied() >> mv.to & 1 == 1
    }

    fn can_win_at_once(&self) -> bool {
        self.attacks_king()
    }

    fn loses_by_exchange(&self, mv: Step) -> bool {
        Minichess::loses_by_exchange(self, mv)
    }

    fn passed(&self) -> Option<Minichess> {
        Some(Minichess { side: !self.side, ..*self })
    }

    /// In pawn endings zugzwang is common.
    fn may_pass(&self) -> bool {
        let pieces = [Kind::Knight, Kind::Bishop, Kind::Rook].map(|kind| self.kinds[kind as usize]);
        self.own() & (pieces[0] | pieces[1] | pieces[2]) != 0
    }

    fn move_slot(mv: Step) -> usize {
        usize::from(mv.from) << 6 | usize::from(mv.to)
    }

    fn record_move(&self, mv: Step) -> String {
        san::write(self, mv)
    }

    fn read_record_move(&self, text: &str) -> Result<Step, NotationError> {
        san::read(self, text)
    }

    fn diagram(&self) -> String {
        let text = self.to_string();
        let board = text.split(' ').next().unwrap_or_default();
        let row = |(row, number): (&str, usize)| {
            let squares = row.chars().flat_map(|c| match c.to_digit(10) {
                Some(empty) => vec!['.'; empty as usize],
                None => vec![c],
            });
            let squares: Vec<String> = squares.map(String::from).collect();
            format!("{number}  {}", squares.join(" "))
        };
        let rows = board.split('/').zip((1..=SIDE).rev()).map(row);
        rows.chain(["   a b c d e f".to_string()]).collect::<Vec<_>>().join("\n")
    }
}

/// The file and the rank of a square.
fn name(square: u8) -> (char, char) {
    let (row, column) = (square / SIDE as u8, square % SIDE as u8);
    (char::from(b'a' + column), char::from(b'0' + SIDE as u8 - row))
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((from_file, from_rank), (to_file, to_rank)) = (name(self.from), name(self.to));
        write!(f, "{from_file}{from_rank}{to_file}{to_rank}{}", if self.promotes { "r" } else { "" })
    }
}

impl fmt::Display for Minichess {
    /// Writes FEN. The fields that this game does not need have their values from the beginning of a game.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = ['.'; SQUARES];
        for (side, kind, square) in self.pieces() {
            let letter = LETTERS[kind as usize];
            board[square] = if side == Side::First { letter.to_ascii_uppercase() } else { letter };
        }
        for (number, row) in board.chunks(SIDE).enumerate() {
            write!(f, "{}", if number == 0 { "" } else { "/" })?;
            for run in row.chunk_by(|a, b| *a == '.' && *b == '.') {
                match run[0] {
                    '.' => write!(f, "{}", run.len())?,
                    letter => write!(f, "{letter}")?,
                }
            }
        }
        write!(f, " {} - - 0 1", if self.side == Side::First { "w" } else { "b" })
    }
}

impl FromStr for Minichess {
    type Err = NotationError;

    /// Reads FEN: six ranks from the top and the side to move; castling, en passant and counters may follow.
    fn from_str(text: &str) -> Result<Minichess, NotationError> {
        let refuse = |why: String| {
            Err(NotationError(format!(
                "`{}` is no position of minichess: {}; expected a position such as `{}`",
                shown(text),
                shown(&why),
                ARRAYS[0].1
            )))
        };
        let mut words = text.split_whitespace();
        let (board, side) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let mut game = Minichess { sides: [0; 2], kinds: [0; 5], side: Side::First };
        game.side = match side {
            "w" => Side::First,
            "b" => Side::Second,
            "" => return refuse("the side to move, w or b, is missing".to_string()),
            other => return refuse(format!("the side to move is `{other}`, but it must be w or b")),
        };
        // The fields that only chess needs: castling, en passant and two counters.
        let rest: Vec<&str> = words.collect();
        if let Some(word) = rest.iter().find(|word| **word != "-" && word.parse::<u32>().is_err()) {
            return refuse(format!("`{word}` stands where only a dash or a counter is allowed"));
        }
        if rest.len() > 4 {
            return refuse(format!("{} words follow the side to move, but at most four are allowed", rest.len()));
        }
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != SIDE {
            return refuse(format!("it has {} ranks, but the board has {SIDE}", ranks.len()));
        }
        for (row, rank) in ranks.iter().enumerate() {
            let mut column = 0;
            for letter in rank.chars() {
                if let Some(empty) = letter.to_digit(10).filter(|empty| *empty > 0) {
                    column += empty as usize;
                    continue;
                }
                let Some(kind) = LETTERS.iter().position(|&known| known == letter.to_ascii_lowercase()) else {
                    return refuse(format!("`{letter}` is no piece; the pieces are P N B R K and p n b r k"));
                };
                if column < SIDE {
                    let square = 1 << (row * SIDE + column);
                    game.sides[usize::from(letter.is_ascii_lowercase())] |= square;
                    game.kinds[kind] |= square;
                }
                column += 1;
            }
            if column != SIDE {
                return refuse(format!("rank {} has {column} files, but the board has {SIDE}", SIDE - row));
            }
        }
        for (side, name) in [(Side::First, "White"), (Side::Second, "Black")] {
            let kings = (game.sides[side as usize] & game.kings()).count_ones();
            if kings > 1 {
                return refuse(format!("{name} has {kings} kings, but at most one is allowed"));
            }
        }
        if game.kings() == 0 {
            return refuse("no side has a king".to_string());
        }
        if game.kinds[Kind::Pawn as usize] & LAST_ROWS != 0 {
            return refuse("a pawn stands on a last rank".to_string());
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_move;

    #[track_caller]
    fn check(position: &str, moves: &str, expected: &str, outcome: Option<Outcome>) {
        let mut game: Minichess = position.parse().unwrap();
        for text in moves.split_whitespace() {
            let mv = parse_move(&game, text).unwrap();
            game.play(mv);
        }
        assert_eq!(game.to_string(), format!("{expected} - - 0 1"));
        assert_eq!(game.outcome(), outcome);
    }

    #[test]
    fn pieces_move_as_in_chess() {
        check("rnbknr/pppppp/6/6/PPPPPP/RNBKNR w", "a2a3 b6c4 a3a4 c4d2", "r1bknr/pppppp/P5/6/1PPnPP/RNBKNR w", None);
        check("5k/P5/6/6/5p/K5 w", "a5a6r f2f1r", "R4k/6/6/6/6/K4r w", None);
        check("1r3k/P5/6/6/6/K5 w", "a5b6r", "1R3k/6/6/6/6/K5 b", None);
    }

    #[test]
    fn the_kings_capture_ends_the_game() {
        check("k5/6/6/6/6/R4K w", "a1a6", "R5/6/6/6/6/5K b", Some(Outcome::Win(Side::First)));
        check("5k/6/6/6/6/K4r b", "f1a1", "5k/6/6/6/6/r5 w", Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn a_side_without_a_move_draws() {
        let walled_in = "RRRRBk/RRRRRP/RRRRRR/RRRRRR/RRRRRR/RRRRRK w";
        check(walled_in, "", walled_in, Some(Outcome::Draw));
    }

    #[test]
    fn the_side_to_move_makes_another_key() {
        let key = |text: &str| text.parse::<Minichess>().unwrap().key();
        assert_ne!(key("R4k/6/6/6/6/5K b"), key("r4k/6/6/6/6/5K w"));
        assert_ne!(key("5k/6/6/6/6/5K b"), key("5k/6/6/6/6/5K w"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (text, why) in [
            ("rnbknrr/pppppp/6/6/PPPPPP/RNBKNR w", "rank 6 has 7 files"),
            ("rnbknr/pppppp/6/PPPPPP/RNBKNR w", "it has 5 ranks"),
            ("rnbkkr/pppppp/6/6/PPPPPP/RNBKNR w", "Black has 2 kings"),
            ("Pnbknr/pppppp/6/6/PPPPPP/RNBKNR w", "a pawn stands on a last rank"),
            ("rnbknr/pppppp/6/6/PPPPPP/RNBKNR x", "the side to move is `x`"),
            ("rnbqnr/pppppp/6/6/PPPPPP/RNBKNR w", "`q` is no piece"),
            ("6/6/6/6/6/6 w", "no side has a king"),
            ("", "the side to move, w or b, is missing"),
            ("rnbknr0/pppppp/6/6/PPPPPP/RNBKNR w", "`0` is no piece"),
            ("rnbknr/pppppp/6/6/PPPPPP/RNBKNR w hello", "`hello` stands where only a dash or a counter is allowed"),
            ("rnbknr/pppppp/6/6/PPPPPP/RNBKNR w - - 0 1 5", "5 words follow the side to move"),
        ] {
            let error = text.parse::<Minichess>().unwrap_err().0;
            assert!(error.contains(why) && error.contains("expected a position such as"), "{error}");
        }
    }
}
