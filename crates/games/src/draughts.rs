//! English draughts: each side has twelve men on the dark squares, Black moves first, and captures are forced.
//!
//! A move is a whole path: a capture goes on as long as it can, and captures that visit different squares are different
//! moves. A man that is crowned stops. A king may land on the square on which it started. A side that cannot move
//! loses, or draws if the setup says so.

mod board;
mod boards;
mod coding;
mod differences;
mod endgames;
mod hub;
mod notation;
mod pieces;

use crate::bits::bits;
use crate::{
    Allowed, Decoder, Described, DrawRules, Encoder, Endgames, Game, NotationError, OPEN, Outcome, Protocol,
    ProtocolForm, RecordForm, SetupError, Side, Suite, WeightedStarts, key,
};
use board::{Board, CROWNING, DOWN_LEFT, DOWN_RIGHT, Direction, UP_LEFT, UP_RIGHT, shifted, step};
use chance::Rng;
use serde::{Deserialize, Serialize};

pub use boards::Boards;
pub use coding::Sight;
pub use differences::Differences;
pub use pieces::Pieces;

/// A position: the squares of each side, the squares of the kings, and the side to move. Black is `First`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draughts {
    sides: [Board; 2],
    kings: Board,
    side: Side,
}

/// A move: the first and the last square, the captured pieces, and the path between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    from: u8,
    to: u8,
    /// The number of jumps; 0 for a step.
    jumps: u8,
    /// The direction of each jump, two bits each, the first jump in the lowest bits.
    directions: u32,
    taken: Board,
}

/// How a game begins, when it is drawn, and what a king is worth in the inputs of networks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// `standard`, or a position in PDN's FEN.
    pub start: String,
    /// The number of plies after which the game is drawn.
    pub most_plies: u32,
    /// The number of times a position must come up to draw the game; 0 switches the rule off.
    pub repetitions: u8,
    /// The plies without a capture or a man's move after which the game is drawn; 0 switches the rule off.
    pub quiet_plies: u32,
    /// The result for a side that cannot move.
    pub blocked: Blocked,
    /// The value of a king in the inputs of networks, where a man is 1.
    pub king_value: f32,
}

/// The result for a side that cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blocked {
    /// It loses, as usual.
    Loses,
    /// It draws, as in Nguyen's thesis (2018).
    Draws,
}

const START: Draughts = Draughts { sides: [0x0000_0fff, 0xfff0_0000], kings: 0, side: Side::First };

impl Setup {
    fn position(&self) -> Result<Draughts, NotationError> {
        if self.start == "standard" { Ok(START) } else { self.start.parse() }
    }
}

impl crate::Setup for Setup {
    const KEYS: &'static [Described] = &[
        key("start", "where games begin: standard, or a position in PDN's FEN", Allowed::Text),
        DrawRules::MOST_PLIES,
        DrawRules::REPETITIONS,
        key(
            "quiet_plies",
            "plies without a capture or a man's move after which the game is drawn; 0 switches the rule off",
            Allowed::Whole(0.0, OPEN),
        ),
        key(
            "blocked",
            "result for a side that cannot move",
            Allowed::Choice(&[("loses", "it loses, as usual"), ("draws", "it draws, as in Nguyen's thesis (2018)")]),
        ),
        key("king_value", "value of a king in the inputs of networks, where a man is 1", Allowed::Number(1.0, 3.0)),
    ];

    fn usual() -> Setup {
        Setup {
            start: "standard".to_string(),
            most_plies: 200,
            repetitions: 3,
            quiet_plies: 80,
            blocked: Blocked::Loses,
            king_value: 1.5,
        }
    }

    fn checked(&self) -> Result<(), SetupError> {
        let refuse = |what: String| Err(SetupError(what));
        let game = match self.position() {
            Ok(game) => game,
            Err(error) => return refuse(format!("start is not standard, and {error}")),
        };
        if game.outcome().is_some() {
            return refuse(format!("start is {game}, but the game is over there"));
        }
        if self.most_plies == 0 {
            return refuse("most_plies is 0, but it must be at least 1".to_string());
        }
        if self.repetitions == 1 {
            let what = "repetitions is 1, but every position comes up once; it must be 0 (no such rule) or at least 2";
            return refuse(what.to_string());
        }
        if !(1.0..=3.0).contains(&self.king_value) {
            return refuse(format!("king_value is {}, but it must be from 1 to 3", self.king_value));
        }
        Ok(())
    }
}

impl Draughts {
    fn own(&self) -> Board {
        self.sides[self.side as usize]
    }

    fn other(&self) -> Board {
        self.sides[!self.side as usize]
    }

    fn empty(&self) -> Board {
        !(self.sides[0] | self.sides[1])
    }

    /// The mover's pieces that can go down, and those that can go up: all pieces go forward, kings also backward.
    #[inline(always)]
    fn movers(&self) -> [Board; 2] {
        let (all, kings) = (self.own(), self.own() & self.kings);
        if self.side == Side::First { [all, kings] } else { [kings, all] }
    }

    /// The pieces that can step in each direction, indexed by the direction's number.
    #[inline(always)]
    fn steppers(&self) -> [Board; 4] {
        let ([down, up], empty) = (self.movers(), self.empty());
        let mut steppers = [0; 4];
        // Most positions have no king that can go backward, so half of the work is usually skipped.
        if down != 0 {
            steppers[DOWN_LEFT as usize] = down & shifted::<UP_RIGHT>(empty);
            steppers[DOWN_RIGHT as usize] = down & shifted::<UP_LEFT>(empty);
        }
        if up != 0 {
            steppers[UP_LEFT as usize] = up & shifted::<DOWN_RIGHT>(empty);
            steppers[UP_RIGHT as usize] = up & shifted::<DOWN_LEFT>(empty);
        }
        steppers
    }

    /// All pieces that can jump.
    #[inline(always)]
    fn jumpers(&self) -> Board {
        let ([down, up], empty, other) = (self.movers(), self.empty(), self.other());
        let mut jumpers = 0;
        if down != 0 {
            let left = shifted::<UP_RIGHT>(other & shifted::<UP_RIGHT>(empty));
            jumpers |= down & (left | shifted::<UP_LEFT>(other & shifted::<UP_LEFT>(empty)));
        }
        if up != 0 {
            let left = shifted::<DOWN_RIGHT>(other & shifted::<DOWN_RIGHT>(empty));
            jumpers |= up & (left | shifted::<DOWN_LEFT>(other & shifted::<DOWN_LEFT>(empty)));
        }
        jumpers
    }

    /// Whether the mover has a legal move.
    #[inline]
    fn has_move(&self) -> bool {
        self.steppers() != [0; 4] || self.jumpers() != 0
    }

    #[inline(always)]
    fn push_steps<const D: Direction>(mut steppers: Board, moves: &mut Vec<Path>) {
        while steppers != 0 {
            let piece = steppers & steppers.wrapping_neg();
            steppers ^= piece;
            let (from, to) = (piece.trailing_zeros() as u8, shifted::<D>(piece).trailing_zeros() as u8);
            moves.push(Path { from, to, jumps: 0, directions: D, taken: 0 });
        }
    }

    /// Appends all captures that begin like `so_far`, each to its end.
    fn push_jumps(&self, piece: Board, so_far: Path, moves: &mut Vec<Path>) {
        let from = 1 << so_far.from;
        let king = self.kings & from != 0;
        let forward = [DOWN_LEFT, UP_LEFT][self.side as usize];
        let directions = if king { DOWN_LEFT..=UP_RIGHT } else { forward..=forward + 1 };
        // The square where the capture began is free; captured pieces stay until the end and cannot be jumped twice.
        let (takeable, free) = (self.other() & !so_far.taken, self.empty() | from);
        let mut ended = true;
        // A man that was just crowned stops.
        if king || piece & CROWNING[self.side as usize] == 0 {
            for direction in directions {
                let over = step(piece, direction) & takeable;
                let to = step(over, direction) & free;
                if to == 0 {
                    continue;
                }
                ended = false;
                let next = Path {
                    to: to.trailing_zeros() as u8,
                    jumps: so_far.jumps + 1,
                    directions: so_far.directions | direction << (2 * so_far.jumps),
                    taken: so_far.taken | over,
                    ..so_far
                };
                self.push_jumps(to, next, moves);
            }
        }
        if ended && so_far.jumps > 0 {
            moves.push(so_far);
        }
    }
}

impl Path {
    /// All squares that the piece visits, including the first.
    fn squares(&self) -> impl Iterator<Item = u8> {
        let mut square: Board = 1 << self.from;
        let (directions, jumps) = (self.directions, self.jumps);
        let landings = (0..jumps.max(1)).map(move |number| {
            let direction = directions >> (2 * number) & 3;
            square = step(square, direction);
            if jumps > 0 {
                square = step(square, direction);
            }
            square.trailing_zeros() as u8
        });
        std::iter::once(self.from).chain(landings)
    }
}

impl Game for Draughts {
    type Move = Path;
    type Setup = Setup;
    const NAME: &'static str = "draughts";
    const ABOUT: &'static str = "English draughts (checkers): captures are forced, and a side that cannot move loses";
    const SIDES: [&'static str; 2] = ["Black", "White"];
    const ENCODERS: &'static [&'static dyn Encoder<Draughts>] = &[
        &Sight::SQUARES,
        &Sight::SQUARES_DIFFERENCE,
        &Sight::SUBSQUARES,
        &Sight::SUBSQUARES_DIFFERENCE,
        &Sight::SUBSQUARE_MEANS,
        &Pieces,
        &Boards,
        &Differences,
    ];
    const DECODERS: &'static [&'static dyn Decoder<Draughts>] = &[];
    const LADDER: Option<&'static str> = Some(include_str!("draughts/ladder.toml"));
    const RECORDS: Option<RecordForm> = Some(RecordForm::Pdn);
    const PROTOCOLS: &'static [ProtocolForm<Draughts>] = &[hub::FORM, ProtocolForm::plain(Protocol::Uci, Self::NAME)];
    const ENDGAMES: Option<&'static dyn Endgames<Draughts>> = Some(&endgames::FourPieces);
    const SUITES: &'static [Suite] = Suite::SHOTS;
    /// Made by `gamete questions draughts --seed 1`.
    const QUESTIONS: Option<&'static str> = Some(include_str!("draughts/questions.txt"));
    /// Material is counted in half men; a board full of kings stays below 1.
    const MAN: f32 = 2.0 / 128.0;

    fn start(setup: &Setup, _: &mut Rng) -> Draughts {
        setup.position().expect("the setup was checked")
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Path>) {
        let jumpers = self.jumpers();
        if jumpers != 0 {
            for from in bits(jumpers) {
                let begun = Path { from: from as u8, to: from as u8, jumps: 0, directions: 0, taken: 0 };
                self.push_jumps(1 << from, begun, moves);
            }
            return;
        }
        if self.other() == 0 {
            return;
        }
        let [down_left, down_right, up_left, up_right] = self.steppers();
        Draughts::push_steps::<DOWN_LEFT>(down_left, moves);
        Draughts::push_steps::<DOWN_RIGHT>(down_right, moves);
        Draughts::push_steps::<UP_LEFT>(up_left, moves);
        Draughts::push_steps::<UP_RIGHT>(up_right, moves);
    }

    #[inline]
    fn count_moves(&self) -> Option<usize> {
        if self.jumpers() != 0 {
            return None;
        }
        if self.other() == 0 {
            return Some(0);
        }
        let [down_left, down_right, up_left, up_right] = self.steppers().map(u64::from);
        // Two boards at a time, because not every processor has an instruction to count bits.
        Some(((down_left | down_right << 32).count_ones() + (up_left | up_right << 32).count_ones()) as usize)
    }

    #[inline]
    fn must_capture(&self) -> bool {
        self.jumpers() != 0
    }

    #[inline]
    fn play(&mut self, mv: Path) {
        let (from, to): (Board, Board) = (1 << mv.from, 1 << mv.to);
        let own = &mut self.sides[self.side as usize];
        *own = *own & !from | to;
        self.sides[!self.side as usize] &= !mv.taken;
        let crowned = self.kings & from != 0 || to & CROWNING[self.side as usize] != 0;
        self.kings = self.kings & !(from | mv.taken) | if crowned { to } else { 0 };
        self.side = !self.side;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.other() == 0 {
            return Some(Outcome::Win(self.side));
        }
        (!self.has_move()).then_some(Outcome::Win(!self.side))
    }

    fn why_won(&self) -> &'static str {
        if self.is_blocked() { "no move is left" } else { "no piece is left" }
    }

    fn is_blocked(&self) -> bool {
        self.own() != 0 && self.other() != 0 && !self.has_move()
    }

    #[inline]
    fn key(&self) -> u64 {
        // A multiplication moves bits only upward, so the upper half is brought down before the parts are combined.
        let spread = |part: u64, by: u64| (part.wrapping_mul(by) ^ part >> 31).wrapping_mul(by).rotate_left(32);
        let pieces = u64::from(self.sides[0]) | u64::from(self.sides[1]) << 32;
        let rest = u64::from(self.kings) | (self.side as u64) << 32;
        let key = spread(pieces, 0x9e37_79b9_7f4a_7c15) ^ spread(rest, 0xbf58_476d_1ce4_e5b9);
        (key ^ key >> 29).wrapping_mul(0x94d0_49bb_1331_11eb)
    }

    fn fits(&self, _: &Setup) -> Result<(), SetupError> {
        Ok(())
    }

    fn starts(setup: &Setup, _: usize) -> Option<WeightedStarts<Draughts>> {
        Some(vec![(setup.position().expect("the setup was checked"), 1.0)])
    }

    fn draw_rules(setup: &Setup) -> DrawRules {
        DrawRules {
            most_plies: setup.most_plies,
            repetitions: setup.repetitions,
            quiet_plies: setup.quiet_plies,
            blocked_draws: setup.blocked == Blocked::Draws,
        }
    }

    #[inline]
    fn is_progress(&self, mv: Path) -> bool {
        mv.jumps > 0 || self.kings >> mv.from & 1 == 0
    }

    #[inline]
    fn material(&self) -> Option<f32> {
        // In half men, a man is 2 and a king is 3.
        let count = |side: Board| side.count_ones() as i32 * 2 + (side & self.kings).count_ones() as i32;
        Some((count(self.own()) - count(self.other())) as f32 * (Self::MAN / 2.0))
    }

    #[inline]
    fn promise(&self, mv: Path) -> u8 {
        let crowns = self.kings >> mv.from & 1 == 0 && CROWNING[self.side as usize] >> mv.to & 1 == 1;
        (mv.taken.count_ones() + (mv.taken & self.kings).count_ones()) as u8 * 4 + u8::from(crowns)
    }

    #[inline]
    fn is_capture(&self, mv: Path) -> bool {
        mv.jumps > 0
    }

    fn passed(&self) -> Option<Draughts> {
        Some(Draughts { side: !self.side, ..*self })
    }

    fn move_slot(mv: Path) -> usize {
        usize::from(mv.from) << 5 | usize::from(mv.to)
    }

    fn record_move(&self, mv: Path) -> String {
        notation::write(self, mv)
    }

    fn read_record_move(&self, text: &str) -> Result<Path, NotationError> {
        notation::read(self, text)
    }

    fn diagram(&self) -> String {
        notation::diagram(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_move;

    #[track_caller]
    fn check(position: &str, moves: &str, expected: &str, outcome: Option<Outcome>) {
        let mut game: Draughts = position.parse().unwrap();
        for text in moves.split_whitespace() {
            let mv = parse_move(&game, text).unwrap();
            game.play(mv);
        }
        assert_eq!(game.to_string(), expected);
        assert_eq!(game.outcome(), outcome);
    }

    #[track_caller]
    fn check_moves(position: &str, expected: &str) {
        let game: Draughts = position.parse().unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let mut moves: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
        moves.sort();
        assert_eq!(moves.join(" "), expected);
    }

    #[test]
    fn men_step_forward_and_kings_both_ways() {
        check_moves("B:W32:B14,K15", "14-17 14-18 15-10 15-11 15-18 15-19");
        check_moves("W:W18,K19:B1", "18-14 18-15 19-15 19-16 19-23 19-24");
    }

    #[test]
    fn captures_are_forced_and_go_on() {
        check_moves("B:W15,24,32:B1,11", "11x18");
        check_moves("B:W15,23,31:B1,11", "11x18x27");
        // One piece can capture in two ways.
        check_moves("B:W6,7,14,15,23,31:B2", "2x11x18x27 2x9x18x27");
        check("B:W17,26,27:B13", "13x22x31", "W:W27:BK31", None);
    }

    #[test]
    fn a_man_that_is_crowned_stops() {
        check_moves("B:W26,27:B22", "22x31");
    }

    #[test]
    fn a_king_may_land_where_it_started() {
        check_moves("W:WK22:B10,11,18,19,K17,K25,K26", "22x13 22x15x24 22x15x6 22x15x8 22x29 22x31");
        check_moves("W:WK15:B10,11,18,19,6", "15x22 15x24 15x8");
        let round = "W:WK22:B9,10,17,18";
        check_moves(round, "22x13x6x15x22 22x15x6x13x22");
        check(round, "22x13x6x15x22", "B:WK22:B", Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn a_side_that_cannot_move_loses() {
        check("W:W32:B23,24,27,28", "", "W:W32:B23,24,27,28", Some(Outcome::Win(Side::First)));
        let game: Draughts = "W:W32:B23,24,27,28".parse().unwrap();
        assert!(game.is_blocked());
        check("B:W:B1", "", "B:W:B1", Some(Outcome::Win(Side::First)));
        let gone: Draughts = "W:W:B1".parse().unwrap();
        assert_eq!((gone.outcome(), gone.is_blocked()), (Some(Outcome::Win(Side::First)), false));
    }
}
