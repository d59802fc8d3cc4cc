//! Tic-tac-toe: three in a row win.

use crate::game::highest;
use crate::game::shown;
use crate::{
    Attempt, Decoder, Described, Encoder, Game, Inputs, NotationError, Outcome, SetupError, Side, WeightedStarts,
};
use chance::Rng;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A position. Square `3 * row + column` is one bit for each side; rows count from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    /// The squares of `First` (x) and `Second` (o).
    taken: [u16; 2],
}

const ALL: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    fn has_line(&self, side: Side) -> bool {
        LINES.iter().any(|line| self.taken[side as usize] & line == *line)
    }

    fn empty(&self) -> u16 {
        ALL & !(self.taken[0] | self.taken[1])
    }
}

/// A move: takes a square. `a1` is the lower left square, `c3` the upper right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

/// The setup, which has no keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {}

impl crate::Setup for Setup {
    const KEYS: &'static [Described] = &[];

    fn usual() -> Setup {
        Setup {}
    }

    fn checked(&self) -> Result<(), SetupError> {
        Ok(())
    }
}

impl Game for TicTacToe {
    type Move = Square;
    type Setup = Setup;
    const NAME: &'static str = "tic-tac-toe";
    const ABOUT: &'static str = "take a square in turn; three in a row win";
    const ENCODERS: &'static [&'static dyn Encoder<TicTacToe>] = &[&Squares];
    const DECODERS: &'static [&'static dyn Decoder<TicTacToe>] = &[&Direct, &Slots];
    const LADDER: Option<&'static str> = Some(include_str!("tic_tac_toe/ladder.toml"));

    fn start(_: &Setup, _: &mut Rng) -> TicTacToe {
        TicTacToe::default()
    }

    fn side_to_move(&self) -> Side {
        if self.taken[0].count_ones() == self.taken[1].count_ones() { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, moves: &mut Vec<Square>) {
        if self.outcome().is_none() {
            let empty = self.empty();
            moves.extend((0..9).filter(|square| empty >> square & 1 == 1).map(Square));
        }
    }

    fn play(&mut self, mv: Square) {
        self.taken[self.side_to_move() as usize] |= 1 << mv.0;
    }

    fn outcome(&self) -> Option<Outcome> {
        match Side::BOTH.into_iter().find(|&side| self.has_line(side)) {
            Some(winner) => Some(Outcome::Win(winner)),
            None => (self.empty() == 0).then_some(Outcome::Draw),
        }
    }

    fn why_won(&self) -> &'static str {
        "three in a row"
    }

    fn key(&self) -> u64 {
        (u64::from(self.taken[0]) << 9 | u64::from(self.taken[1])).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn fits(&self, _: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn diagram(&self) -> String {
        let text = self.to_string();
        let rows = text.split('/').zip([3, 2, 1]).map(|(row, number)| {
            let squares: Vec<String> = row.chars().map(String::from).collect();
            format!("{number}  {}", squares.join(" "))
        });
        rows.chain(["   a b c".to_string()]).collect::<Vec<_>>().join("\n")
    }

    fn starts(_: &Setup, _: usize) -> Option<WeightedStarts<TicTacToe>> {
        Some(vec![(TicTacToe::default(), 1.0)])
    }
}

/// One input per square: 1 for a mark of the mover, −1 for a mark of the other side, 0 for an empty square.
pub struct Squares;

impl Encoder<TicTacToe> for Squares {
    fn name(&self) -> &'static str {
        "squares"
    }
    fn about(&self) -> &'static str {
        "one input per square: 1 for a mark of the mover, -1 for the other side's, 0 if empty"
    }
    fn width(&self, _: &Setup) -> usize {
        9
    }
    fn encode(&self, _: &Setup, game: &TicTacToe, inputs: &mut Inputs) {
        let mover = game.side_to_move();
        let mark = |side: Side, square: usize| f32::from(game.taken[side as usize] >> square & 1);
        for square in 0..9 {
            inputs.set(square, mark(mover, square) - mark(!mover, square));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("mark on {}", Square(input as u8))
    }
}

/// One output, truncated toward zero: the index of the square, from 0 at the upper left.
pub struct Direct;

impl Decoder<TicTacToe> for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }
    fn about(&self) -> &'static str {
        "one output, truncated toward zero: the index of the square, from 0 at the upper left"
    }
    fn width(&self, _: &Setup) -> usize {
        1
    }
    fn decode(&self, _: &Setup, game: &TicTacToe, outputs: &[f32]) -> Attempt<Square> {
        attempt(game, outputs[0] as i64)
    }
    fn attempt_text(&self, _: &Setup, outputs: &[f32]) -> String {
        attempt_text(outputs[0] as i64)
    }
    fn label(&self, _: &Setup, _: usize) -> String {
        "square, from 0 at a3".to_string()
    }
}

/// One output per square; the highest output names the move.
pub struct Slots;

impl Decoder<TicTacToe> for Slots {
    fn name(&self) -> &'static str {
        "slots"
    }
    fn about(&self) -> &'static str {
        "one output per square; the highest output names the move"
    }
    fn width(&self, _: &Setup) -> usize {
        9
    }
    fn decode(&self, _: &Setup, game: &TicTacToe, outputs: &[f32]) -> Attempt<Square> {
        attempt(game, highest(outputs) as i64)
    }
    fn attempt_text(&self, _: &Setup, outputs: &[f32]) -> String {
        attempt_text(highest(outputs) as i64)
    }
    fn label(&self, _: &Setup, output: usize) -> String {
        format!("take {}", Square(output as u8))
    }
}

/// The attempt to take the square with this index. If it is illegal, the nearest move is the empty square with the
/// nearest index, the lower one if two are equally near.
fn attempt(game: &TicTacToe, number: i64) -> Attempt<Square> {
    let empty = game.empty();
    let nearest =
        (0..9u8).filter(|square| empty >> square & 1 == 1).min_by_key(|&square| number.abs_diff(i64::from(square)));
    let nearest = Square(nearest.expect("the game is not over"));
    if i64::from(nearest.0) == number { Attempt::Legal(nearest) } else { Attempt::Illegal { nearest } }
}

fn attempt_text(number: i64) -> String {
    match u8::try_from(number) {
        Ok(square @ 0..9) => Square(square).to_string(),
        _ => format!("square {number}"),
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 3), 3 - self.0 / 3)
    }
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in 0..9 {
            let taken = |side: Side| self.taken[side as usize] >> square & 1 == 1;
            let mark = if taken(Side::First) {
                "x"
            } else if taken(Side::Second) {
                "o"
            } else {
                "."
            };
            write!(f, "{}{mark}", if square > 0 && square % 3 == 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for TicTacToe {
    type Err = NotationError;

    /// Reads three rows from the top, such as `x.o/.x./...`; x moves first.
    fn from_str(text: &str) -> Result<TicTacToe, NotationError> {
        let refuse = |why: &str| {
            Err(NotationError(format!(
                "`{}` is no position of tic-tac-toe: {why}; expected three rows from the top, such as `x.o/.x./...`",
                shown(text)
            )))
        };
        let rows: Vec<&str> = text.trim().split('/').collect();
        if rows.len() != 3 || rows.iter().any(|row| row.chars().count() != 3) {
            return refuse("it does not have three rows of three squares");
        }
        let mut game = TicTacToe::default();
        for (square, mark) in rows.concat().chars().enumerate() {
            match mark {
                'x' => game.taken[0] |= 1 << square,
                'o' => game.taken[1] |= 1 << square,
                '.' => {}
                other => return refuse(&format!("`{other}` is not x, o or .")),
            }
        }
        let marks = game.taken.map(u16::count_ones);
        if marks[0] != marks[1] && marks[0] != marks[1] + 1 {
            return refuse(&format!("{} x and {} o, but x moves first and the sides take turns", marks[0], marks[1]));
        }
        // Only the side that made the last mark can have a line.
        if game.has_line(game.side_to_move()) {
            return refuse("play went on after three in a row");
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_move;

    #[track_caller]
    fn check(moves: &str, position: &str, expected: Option<Outcome>) {
        let mut game = TicTacToe::default();
        for text in moves.split_whitespace() {
            let mv = parse_move(&game, text).unwrap();
            game.play(mv);
        }
        assert_eq!(game.to_string(), position);
        assert_eq!(game.outcome(), expected);
    }

    #[test]
    fn three_in_a_row_win() {
        check("a1 b1 a2 b2 a3", "x../xo./xo.", Some(Outcome::Win(Side::First)));
        check("a1 c3 b1 b3 c2 a3", "ooo/..x/xx.", Some(Outcome::Win(Side::Second)));
        check("b2 a3 c1 a1 a2 c2 b3 b1 c3", "oxx/xxo/oox", Some(Outcome::Draw));
        check("b2", ".../.x./...", None);
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (text, why) in [
            ("xx./.../...", "2 x and 0 o"),
            ("xxx/ooo/...", "play went on"),
            ("xx/.../...", "three rows"),
            ("x.z/.../...", "`z` is not"),
            ("", "three rows"),
        ] {
            let error = text.parse::<TicTacToe>().unwrap_err().0;
            assert!(error.contains(why) && error.contains("such as"), "{error}");
        }
    }

    /// The number of reachable positions, known from the literature.
    #[test]
    fn there_are_5478_positions() {
        let (mut seen, mut open) = (std::collections::BTreeSet::new(), vec![TicTacToe::default()]);
        while let Some(game) = open.pop() {
            if seen.insert(game.taken) {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                open.extend(moves.iter().map(|&mv| game.after(mv)));
            }
        }
        assert_eq!(seen.len(), 5478);
    }
}
