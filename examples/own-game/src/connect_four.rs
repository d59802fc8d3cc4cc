//! Connect Four: discs fall to the lowest free place of a column; four in a row win.

use gamete::chance::Rng;
use gamete::games::{
    self, Allowed, Attempt, Decoder, Described, Encoder, Game, Inputs, NotationError, Outcome, SetupError, Side,
    WeightedStarts, key,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// Bits of a column. The one above the top row stays empty, so that no line runs over into the next column.
const HEIGHT: usize = ROWS + 1;

/// A position: the discs of `First` (x) and of `Second` (o), each a set of bits `HEIGHT * column + row`, rows from below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    discs: [u64; 2],
}

impl ConnectFour {
    fn taken(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    fn is_open(&self, column: usize) -> bool {
        self.taken() & place(column, ROWS - 1) == 0
    }

    /// Whether that side has four in a row: upright, level, or on a diagonal.
    fn has_line(&self, side: Side) -> bool {
        let discs = self.discs[side as usize];
        [1, HEIGHT, HEIGHT - 1, HEIGHT + 1].iter().any(|step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

fn place(column: usize, row: usize) -> u64 {
    1 << (HEIGHT * column + row)
}

/// A disc into a column, `a` to `g` from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

/// What an experiment may set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Where games begin: `empty`, or a position.
    start: String,
}

impl Setup {
    fn position(&self) -> Result<ConnectFour, NotationError> {
        if self.start == "empty" { Ok(ConnectFour::default()) } else { self.start.parse() }
    }
}

impl games::Setup for Setup {
    const KEYS: &'static [Described] = &[key("start", "where games begin: empty, or a position", Allowed::Text)];

    fn usual() -> Setup {
        Setup { start: "empty".to_string() }
    }

    fn checked(&self) -> Result<(), SetupError> {
        match self.position() {
            Ok(game) if game.outcome().is_some() => {
                Err(SetupError("start is a position where the game is over".into()))
            }
            Ok(_) => Ok(()),
            Err(NotationError(why)) => Err(SetupError(format!("start is not `empty`, and {why}"))),
        }
    }
}

impl Game for ConnectFour {
    type Move = Column;
    type Setup = Setup;
    const NAME: &'static str = "connect-four";
    const ABOUT: &'static str = "drop discs into seven columns in turn; four in a row win";
    const ENCODERS: &'static [&'static dyn Encoder<ConnectFour>] = &[&Discs];
    const DECODERS: &'static [&'static dyn Decoder<ConnectFour>] = &[&Slots];

    fn start(setup: &Setup, _: &mut Rng) -> ConnectFour {
        setup.position().expect("the setup has been checked")
    }

    fn side_to_move(&self) -> Side {
        if self.discs[0].count_ones() == self.discs[1].count_ones() { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, moves: &mut Vec<Column>) {
        if self.outcome().is_none() {
            moves.extend((0..COLUMNS).filter(|&column| self.is_open(column)).map(|column| Column(column as u8)));
        }
    }

    fn play(&mut self, Column(column): Column) {
        let side = self.side_to_move();
        let (lowest, taken) = (place(column.into(), 0), self.taken());
        // Adding the lowest place to a column that is filled from below carries to its first free place.
        self.discs[side as usize] |= (taken + lowest) & !taken & (lowest * ((1 << HEIGHT) - 1));
    }

    fn outcome(&self) -> Option<Outcome> {
        match Side::BOTH.into_iter().find(|&side| self.has_line(side)) {
            Some(winner) => Some(Outcome::Win(winner)),
            None => (self.taken().count_ones() as usize == COLUMNS * ROWS).then_some(Outcome::Draw),
        }
    }

    fn why_won(&self) -> &'static str {
        "four in a row"
    }

    fn key(&self) -> u64 {
        // The sum tells positions apart, as columns are filled from below; an odd factor keeps that.
        (self.discs[0] + self.taken() + (0..COLUMNS).map(|column| place(column, 0)).sum::<u64>())
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn fits(&self, _: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn is_progress(&self, _: Column) -> bool {
        true
    }

    fn move_slot(Column(column): Column) -> usize {
        column.into()
    }

    fn diagram(&self) -> String {
        let row = |row: &str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let text = self.to_string();
        text.split('/').map(row).chain(["a b c d e f g".to_string()]).collect::<Vec<_>>().join("\n")
    }

    fn starts(setup: &Setup, _: usize) -> Option<WeightedStarts<ConnectFour>> {
        Some(vec![(setup.position().expect("the setup has been checked"), 1.0)])
    }
}

/// One input per place: 1 for an own disc, −1 for the other side's, 0 for none.
struct Discs;

impl Encoder<ConnectFour> for Discs {
    fn name(&self) -> &'static str {
        "discs"
    }
    fn about(&self) -> &'static str {
        "one input per place: 1 for an own disc, -1 for the other side's, 0 for none"
    }
    fn width(&self, _: &Setup) -> usize {
        COLUMNS * ROWS
    }
    fn encode(&self, _: &Setup, game: &ConnectFour, inputs: &mut Inputs) {
        let mover = game.side_to_move();
        for input in 0..COLUMNS * ROWS {
            let place = place(input / ROWS, input % ROWS);
            let disc = |side: Side| f32::from(u8::from(game.discs[side as usize] & place != 0));
            inputs.set(input, disc(mover) - disc(!mover));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("disc on {}{}", Column((input / ROWS) as u8), input % ROWS + 1)
    }
}

/// One output per column; the highest wins.
struct Slots;

impl Slots {
    fn highest(outputs: &[f32]) -> usize {
        // Of equal ones the leftmost.
        (0..outputs.len()).rev().max_by(|&a, &b| outputs[a].total_cmp(&outputs[b])).unwrap_or(0)
    }
}

impl Decoder<ConnectFour> for Slots {
    fn name(&self) -> &'static str {
        "slots"
    }
    fn about(&self) -> &'static str {
        "one output per column; the highest wins"
    }
    fn width(&self, _: &Setup) -> usize {
        COLUMNS
    }
    fn decode(&self, _: &Setup, game: &ConnectFour, outputs: &[f32]) -> Attempt<Column> {
        let wanted = Slots::highest(outputs);
        let open = (0..COLUMNS).filter(|&column| game.is_open(column));
        let nearest = open.min_by_key(|column| column.abs_diff(wanted)).expect("the game is not over");
        let mv = Column(nearest as u8);
        if nearest == wanted { Attempt::Legal(mv) } else { Attempt::Illegal { nearest: mv } }
    }
    fn attempt_text(&self, _: &Setup, outputs: &[f32]) -> String {
        Column(Slots::highest(outputs) as u8).to_string()
    }
    fn label(&self, _: &Setup, output: usize) -> String {
        format!("disc into {}", Column(output as u8))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

impl fmt::Display for ConnectFour {
    /// Writes six rows from the top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let place = place(column, row);
                let disc = match self.discs.map(|discs| discs & place != 0) {
                    [true, _] => 'x',
                    [_, true] => 'o',
                    _ => '.',
                };
                write!(f, "{disc}")?;
            }
            f.write_str(if row > 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for ConnectFour {
    type Err = NotationError;

    /// Reads six rows from the top, such as `......./......./......./......./..o..../.xx.o..`; x moved first.
    fn from_str(text: &str) -> Result<ConnectFour, NotationError> {
        let refuse = |why: &str| {
            let shown: String = text.chars().take(60).collect();
            Err(NotationError(format!(
                "`{shown}` is no position of Connect Four: {why}; right would be six rows of seven from the top, such as `......./......./......./......./......./...x...`"
            )))
        };
        let rows: Vec<&str> = text.trim().split('/').collect();
        if rows.len() != ROWS || rows.iter().any(|row| row.chars().count() != COLUMNS) {
            return refuse("it has not six rows of seven places");
        }
        let mut game = ConnectFour::default();
        for (row, discs) in rows.iter().rev().enumerate() {
            for (column, disc) in discs.chars().enumerate() {
                let side = match disc {
                    'x' => Side::First,
                    'o' => Side::Second,
                    '.' => continue,
                    other => return refuse(&format!("`{other}` is not x, o or .")),
                };
                if row > 0 && game.taken() & place(column, row - 1) == 0 {
                    return refuse(&format!("nothing carries the disc on {}{}", Column(column as u8), row + 1));
                }
                game.discs[side as usize] |= place(column, row);
            }
        }
        let [first, second] = game.discs.map(u64::count_ones);
        if first != second && first != second + 1 {
            return refuse(&format!("{first} x and {second} o, but x moves first and they take turns"));
        }
        // The side that made four in a row made the last move.
        if game.has_line(game.side_to_move()) {
            return refuse("play went on after four in a row");
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamete::games::parse_move;
    use std::collections::HashSet;

    #[test]
    fn the_contract_is_kept() {
        games::conformance::<ConnectFour>();
    }

    #[track_caller]
    fn check(moves: &str, expected: Option<Outcome>) {
        let mut game = ConnectFour::default();
        for text in moves.split_whitespace() {
            game.play(parse_move(&game, text).unwrap());
        }
        assert_eq!(game.outcome(), expected, "{game}");
    }

    #[test]
    fn four_in_a_row_win() {
        check("a b a b a b a", Some(Outcome::Win(Side::First)));
        check("a a b b c c d", Some(Outcome::Win(Side::First)));
        check("a b b c c d c d d g d", Some(Outcome::Win(Side::First)));
        check("g f f e e d e d d a d", Some(Outcome::Win(Side::First)));
        check("a d b d c d g d", Some(Outcome::Win(Side::Second)));
        check("a a a a a a b b", None);
    }

    /// Three at the top of a column and one at the foot of the next are no line.
    #[test]
    fn lines_end_with_their_columns() {
        check("a a g a a g a g a c b", None);
    }

    /// How many positions can come up after each number of plies: sequence A212693 of the OEIS.
    #[test]
    fn positions_are_as_many_as_known() {
        let mut layer = HashSet::from([ConnectFour::default()]);
        for expected in [7, 49, 238, 1120, 4263, 16422, 54859, 184275] {
            let mut next = HashSet::new();
            for game in layer {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                next.extend(moves.iter().map(|&mv| game.after(mv)));
            }
            assert_eq!(next.len(), expected);
            layer = next;
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (text, why) in [
            ("......./......./......./......./......./xx.....", "2 x and 0 o"),
            ("......./......./......./......./x....../.......", "nothing carries the disc on a2"),
            ("......./......./......./......./ooo..../xxxx.o.", "play went on"),
            ("......./.......", "six rows"),
            ("......./......./......./......./......./..z....", "`z` is not"),
        ] {
            let error = text.parse::<ConnectFour>().unwrap_err().0;
            assert!(error.contains(why) && error.contains("such as"), "{error}");
        }
    }
}
