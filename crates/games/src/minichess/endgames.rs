//! Endgame tables for all positions of up to four pieces, kings included, computed backwards from finished games.
//!
//! Positions are stored as the mover sees them: the mover is White (otherwise the board is turned top to bottom and the
//! colours change), and its king is on the left half (otherwise the board is mirrored; the rules treat left and right
//! alike). One byte is the number of plies to the king's capture: odd is won, even is lost, 0 is a draw.
//!
//! The tables of an ending and of the same pieces with the other side to move lead to each other. All other moves,
//! captures and promotions, lead to tables with fewer pieces or fewer pawns, which are computed before.

use super::attacks::{Bitboard, KING, KNIGHT, SIDE, SQUARES, bishop, rook};
use super::{KINDS, Kind, LAST_ROWS, LETTERS, Minichess};
use crate::bits::bits;
use crate::retrograde::{Draft, Moves, plies_of, summary, verdict_of};
use crate::tables::{Made, levels, make_tables};
use crate::{Endgames, Ending, Game, Side, Solver, Verdict};
use chance::Rng;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The tables of all endings of up to four pieces.
pub(super) struct FourPieces;

/// The highest number of pieces besides the kings.
const MOST: usize = 2;

/// An ending: the pieces besides the kings, first the mover's, then the other side's, each in the order of [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Class {
    pieces: [(bool, Kind); MOST],
    count: usize,
}

/// The squares of the mover's king, of the other king, and of the pieces in the order of their class.
type Squares = [u8; MOST + 2];

/// The places of all tables in one array of bytes.
struct Layout {
    classes: Vec<Class>,
    /// The index at which the table of each class begins, and the total length at the end.
    first: Vec<usize>,
}

impl Class {
    fn new(mut pieces: Vec<(bool, Kind)>) -> Class {
        pieces.sort_by_key(|&(own, kind)| (!own, kind as usize));
        let count = pieces.len();
        pieces.resize(MOST, (false, Kind::King));
        Class { pieces: [pieces[0], pieces[1]], count }
    }

    fn pieces(&self) -> &[(bool, Kind)] {
        &self.pieces[..self.count]
    }

    /// The same pieces with the other side to move.
    fn reversed(&self) -> Class {
        Class::new(self.pieces().iter().map(|&(own, kind)| (!own, kind)).collect())
    }

    fn pawns(&self) -> usize {
        self.pieces().iter().filter(|(_, kind)| *kind == Kind::Pawn).count()
    }

    /// The number of ways to place the pieces, with the mover's king on the left half.
    fn length(&self) -> usize {
        SQUARES.pow(self.count as u32 + 2) / 2
    }

    /// The name of the ending, the mover's pieces first, as in `KRvK`.
    fn name(&self) -> String {
        let letters = |own: bool| {
            let pieces = self.pieces().iter().rev().filter(move |piece| piece.0 == own);
            pieces.map(|&(_, kind)| LETTERS[kind as usize].to_ascii_uppercase())
        };
        ["K".to_string(), letters(true).collect(), "vK".to_string(), letters(false).collect()].concat()
    }

    /// The index of a position in its table. The position is mirrored if necessary.
    fn number(&self, squares: &Squares) -> usize {
        let mirrored = usize::from(squares[0]) % SIDE >= SIDE / 2;
        let place = |square: u8| usize::from(if mirrored { MIRRORED[usize::from(square)] } else { square });
        let king = place(squares[0]);
        let king = king / SIDE * (SIDE / 2) + king % SIDE;
        squares[1..self.count + 2].iter().fold(king, |number, &square| number * SQUARES + place(square))
    }

    /// The position with this index; `None` if two pieces are on one square or a pawn is on a last rank.
    fn squares(&self, mut number: usize) -> Option<Squares> {
        let mut squares = [0; MOST + 2];
        let mut occupied: Bitboard = 0;
        for place in (1..self.count + 2).rev() {
            squares[place] = (number % SQUARES) as u8;
            occupied |= 1 << squares[place];
            number /= SQUARES;
        }
        squares[0] = (number / (SIDE / 2) * SIDE + number % (SIDE / 2)) as u8;
        occupied |= 1 << squares[0];
        let misplaced = |(piece, &square): (&(bool, Kind), &u8)| piece.1 == Kind::Pawn && LAST_ROWS >> square & 1 == 1;
        let whole = occupied.count_ones() as usize == self.count + 2;
        (whole && !self.pieces().iter().zip(&squares[2..]).any(misplaced)).then_some(squares)
    }

    /// The position with these squares, White to move.
    fn game(&self, squares: &Squares) -> Minichess {
        let mut game = Minichess { sides: [0; 2], kinds: [0; 5], side: Side::First };
        let all = [(true, Kind::King), (false, Kind::King)].into_iter().chain(self.pieces().iter().copied());
        for ((own, kind), &square) in all.zip(squares) {
            game.sides[usize::from(!own)] |= 1 << square;
            game.kinds[kind as usize] |= 1 << square;
        }
        game
    }
}

/// The squares after mirroring the board left to right, and after turning it top to bottom.
const MIRRORED: [u8; SQUARES] = turned(false);
const UPSIDE_DOWN: [u8; SQUARES] = turned(true);

const fn turned(upside_down: bool) -> [u8; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let (row, column) = (square / SIDE, square % SIDE);
        let other = if upside_down { (SIDE - 1 - row) * SIDE + column } else { row * SIDE + SIDE - 1 - column };
        table[square] = other as u8;
        square += 1;
    }
    table
}

/// The class and the squares of a position as the mover sees it; `None` if there are too many pieces or a king is
/// missing.
fn seen(game: &Minichess) -> Option<(Class, Squares)> {
    if game.occupied().count_ones() as usize > MOST + 2 || game.king_is_gone() {
        return None;
    }
    let (own, other) = (game.own(), game.sides[!game.side as usize]);
    let place = |square: usize| match game.side {
        Side::First => square as u8,
        Side::Second => UPSIDE_DOWN[square],
    };
    let mut squares = [0; MOST + 2];
    let king = |side: Bitboard| place((side & game.kings()).trailing_zeros() as usize);
    (squares[0], squares[1]) = (king(own), king(other));
    let mut class = Class { pieces: [(false, Kind::King); MOST], count: 0 };
    for (is_own, side) in [(true, own), (false, other)] {
        for kind in &KINDS[..4] {
            for square in bits(side & game.kinds[*kind as usize]) {
                class.pieces[class.count] = (is_own, *kind);
                squares[class.count + 2] = place(square);
                class.count += 1;
            }
        }
    }
    Some((class, squares))
}

impl Layout {
    fn new() -> Layout {
        let all: Vec<(bool, Kind)> =
            [true, false].into_iter().flat_map(|own| KINDS[..4].iter().map(move |&kind| (own, kind))).collect();
        let mut classes = vec![Class::new(Vec::new())];
        classes.extend(all.iter().map(|&piece| Class::new(vec![piece])));
        for (place, &one) in all.iter().enumerate() {
            classes.extend(all[place..].iter().map(|&other| Class::new(vec![one, other])));
        }
        let mut first = vec![0];
        for class in &classes {
            first.push(first[first.len() - 1] + class.length());
        }
        Layout { classes, first }
    }

    fn place(&self, class: &Class) -> usize {
        self.classes.iter().position(|known| known == class).expect("the layout has every class of at most four pieces")
    }

    fn bytes(&self) -> usize {
        self.first[self.classes.len()]
    }

    fn levels(&self) -> Vec<Vec<Vec<usize>>> {
        let ranks: Vec<(usize, usize)> = self.classes.iter().map(|class| (class.count, class.pawns())).collect();
        levels(&ranks, |place| self.place(&self.classes[place].reversed()))
    }
}

/// Tables that are computed together: a class and its reverse, or a class that is its own reverse.
struct Group<'a> {
    layout: &'a Layout,
    places: &'a [usize],
}

/// The byte of a lost game is not needed, because positions without a king are in no table.
const END: u8 = 0;

impl Group<'_> {
    fn solve(&self, made: &Made) -> Vec<Vec<u8>> {
        let lengths: Vec<usize> = (0..self.places.len()).map(|table| self.class(table).length()).collect();
        let mut draft = Draft::new(&lengths, END);
        for table in 0..self.places.len() {
            self.note_moves(table, made, &mut draft);
        }
        draft.finish(|draft, table, number, plies| self.note_origins(draft, table, number, plies))
    }

    fn class(&self, table: usize) -> Class {
        self.layout.classes[self.places[table]]
    }

    /// Enters the moves of every position, with the results of those that leave the group.
    fn note_moves(&self, table: usize, made: &Made, draft: &mut Draft) {
        let class = self.class(table);
        let mut moves = Vec::new();
        for number in 0..class.length() {
            let Some(squares) = class.squares(number) else { continue };
            let game = class.game(&squares);
            moves.clear();
            game.legal_moves(&mut moves);
            let mut found = Moves::default();
            for &mv in &moves {
                if !mv.promotes && game.occupied() >> mv.to & 1 == 0 {
                    found.step();
                    continue;
                }
                found.leave(match seen(&game.after(mv)) {
                    // The king was captured.
                    None => Some(0),
                    Some((class, squares)) => {
                        let known = made[self.layout.place(&class)].read().expect("no thread has panicked");
                        plies_of(known[class.number(&squares)], END)
                    }
                });
                if found.wins_at_once() {
                    break;
                }
            }
            if !moves.is_empty() {
                draft.begin(table, number, &found, false);
            }
        }
    }

    /// Enters this result in all positions from which a quiet move leads here.
    fn note_origins(&self, draft: &mut Draft, table: usize, number: usize, plies: usize) {
        let class = self.class(table);
        let squares = class.squares(number).expect("only positions are decided");
        let occupied: Bitboard = squares[..class.count + 2].iter().fold(0, |board, square| board | 1 << square);
        // The mover before was the other side: its table is the other one of the group, or the same.
        let before = self.places.len() - 1 - table;
        let earlier = self.class(before);
        // The pieces in the order in which the other side sees them.
        let theirs = class.pieces().iter().position(|(own, _)| !own).unwrap_or(class.count);
        let mut turned = [0; MOST + 2];
        let mut from = [0; MOST];
        (turned[0], turned[1]) = (UPSIDE_DOWN[usize::from(squares[1])], UPSIDE_DOWN[usize::from(squares[0])]);
        for (place, old) in (theirs..class.count).chain(0..theirs).enumerate() {
            turned[place + 2] = UPSIDE_DOWN[usize::from(squares[old + 2])];
            from[place] = old;
        }
        let upside_down = bits(occupied).fold(0, |board, square| board | 1 << UPSIDE_DOWN[square]);
        let own = class.count - theirs;
        for place in std::iter::once(0).chain(2..own + 2) {
            let kind = if place == 0 { Kind::King } else { class.pieces[from[place - 2]].1 };
            let square = usize::from(turned[place]);
            let came_from = match kind {
                // White's pawns go toward lower numbers and never start on the first row.
                Kind::Pawn => 1 << (square + SIDE) & !LAST_ROWS & !upside_down,
                Kind::Knight => KNIGHT[square] & !upside_down,
                Kind::Bishop => bishop(square, upside_down) & !upside_down,
                Kind::Rook => rook(square, upside_down) & !upside_down,
                Kind::King => KING[square] & !upside_down,
            };
            let there = turned[place];
            for origin in bits(came_from) {
                turned[place] = origin as u8;
                draft.note_step(before, earlier.number(&turned), plies);
            }
            turned[place] = there;
        }
    }
}

impl Endgames<Minichess> for FourPieces {
    fn name(&self) -> &'static str {
        "minichess-4-pieces-1"
    }

    fn size(&self) -> usize {
        Layout::new().bytes()
    }

    fn build(&self, progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync)) -> Option<Vec<u8>> {
        let layout = Layout::new();
        make_tables(
            &layout.levels(),
            layout.bytes(),
            |places, made| Group { layout: &layout, places }.solve(made),
            progress,
        )
    }

    fn may_know(&self, game: &Minichess) -> bool {
        seen(game).is_some()
    }

    fn open(&self, bytes: Vec<u8>) -> Arc<dyn Solver<Minichess>> {
        Arc::new(Tables { layout: Layout::new(), bytes })
    }

    fn endings(&self, bytes: &[u8]) -> Vec<Ending> {
        let layout = Layout::new();
        let ending = |(place, class): (usize, &Class)| {
            let table = &bytes[layout.first[place]..layout.first[place + 1]];
            let positions = table.iter().enumerate().filter(|(number, _)| class.squares(*number).is_some());
            let ending = summary(class.name(), positions.map(|(_, &byte)| verdict_of(byte, END)));
            // The table leaves out mirrored positions, so counts are doubled; two equal pieces are in it in both
            // orders, so they are counted twice already.
            let like = class.count == 2 && class.pieces[0] == class.pieces[1];
            let times = |count: u64| if like { count } else { 2 * count };
            Ending {
                positions: times(ending.positions),
                won: times(ending.won),
                drawn: times(ending.drawn),
                lost: times(ending.lost),
                ..ending
            }
        };
        layout.classes.iter().enumerate().map(ending).collect()
    }

    fn draw(&self, rng: &mut Rng) -> Minichess {
        let layout = Layout::new();
        loop {
            let class = &layout.classes[1 + rng.below(layout.classes.len() - 1)];
            if let Some(squares) = class.squares(rng.below(class.length())) {
                return class.game(&squares);
            }
        }
    }

    fn about(&self) -> &'static str {
        "positions of up to four pieces, kings included"
    }
}

/// A solver with all tables in one array.
struct Tables {
    layout: Layout,
    bytes: Vec<u8>,
}

impl Solver<Minichess> for Tables {
    fn verdict(&self, game: &Minichess) -> Option<Verdict> {
        if let Some(verdict) = Verdict::at_end(game) {
            return Some(verdict);
        }
        let (class, squares) = seen(game)?;
        Some(verdict_of(self.bytes[self.layout.first[self.layout.place(&class)] + class.number(&squares)], END))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use chance::rng_for;

    #[test]
    fn known_endings() {
        let bytes = FourPieces.build(&|_| ControlFlow::Continue(())).unwrap();
        let endings = FourPieces.endings(&bytes);
        assert_eq!(endings.len(), 45);
        let check = |name: &str, expected: [u64; 6]| {
            let ending = endings.iter().find(|ending| ending.name == name).unwrap();
            let Ending { positions, won, drawn, lost, longest_won, longest_lost, .. } = *ending;
            assert_eq!([positions, won, drawn, lost, longest_won.into(), longest_lost.into()], expected, "{name}");
        };
        check("KRvK", [42840, 42840, 0, 0, 25, 0]);
        check("KBvK", [42840, 42840, 0, 0, 41, 0]);
        check("KNvK", [42840, 42672, 168, 0, 67, 0]);
        let pawn = endings.iter().find(|ending| ending.name == "KPvK").unwrap();
        assert_eq!([pawn.positions, pawn.won, pawn.drawn, pawn.lost], [28560, 25924, 2632, 4]);
        for (name, longest) in [("KvKR", 26), ("KvKB", 42), ("KvKN", 68)] {
            assert_eq!(endings.iter().find(|ending| ending.name == name).unwrap().longest_lost, longest);
        }
        // Every verdict must follow from the verdicts after the position's moves.
        let tables = FourPieces.open(bytes);
        let mut moves = Vec::new();
        for number in 0..20_000 {
            let game = FourPieces.draw(&mut rng_for(1, &[number]));
            let verdict = tables.verdict(&game).unwrap();
            moves.clear();
            game.legal_moves(&mut moves);
            let after = moves.iter().map(|&mv| {
                let next = game.after(mv);
                let after = tables.verdict(&next).unwrap();
                (after.value.reversed(), after.distance.map(|plies| plies + 1))
            });
            let preference = |&(value, plies): &(Value, Option<u32>)| {
                let plies = i64::from(plies.unwrap_or(0));
                (value, if value == Value::Won { -plies } else { plies })
            };
            match after.max_by_key(preference) {
                Some((Value::Drawn, _)) => assert_eq!(verdict.value, Value::Drawn, "{game}"),
                Some((value, distance)) => assert_eq!(verdict, Verdict { value, distance }, "{game}"),
                None => assert_eq!(verdict.distance, Some(0)),
            }
        }
        // Colours, left and right do not matter; positions with more pieces are not known.
        let verdict = |text: &str| tables.verdict(&text.parse().unwrap());
        let white = verdict("k5/6/6/3N2/6/5K w");
        assert_eq!(white, verdict("5k/6/6/2N3/6/K5 w"));
        assert_eq!(white, verdict("5k/6/3n2/6/6/K5 b"));
        assert_eq!(verdict("k5/pp4/6/3N2/6/5K w"), None);
    }
}
