//! Endgame tables for all positions of up to four pieces, computed backwards from finished games.
//!
//! One byte per position is the number of plies to the end plus one, because a side that cannot move has lost already
//! and has the byte 1. The tables are not valid for setups in which such a side draws.
//!
//! The tables of an ending and of the same pieces with the other side to move lead to each other. All other moves,
//! captures and crownings, lead to tables with fewer pieces or fewer men, which are computed before. Everything takes
//! less than 5 CPU-seconds and 8 MB, and 64 MB while it is computed.

mod backwards;
mod classes;

use super::{Blocked, Draughts, Setup};
use crate::retrograde::{summary, verdict_of};
use crate::tables::make_tables;
use crate::{Endgames, Ending, SetupError, Side, Solver, Verdict};
use backwards::Group;
use chance::Rng;
use classes::{Class, Layout, MOST, seen};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The tables of all endings of up to four pieces.
pub(super) struct FourPieces;

/// The byte of a side that cannot move.
const END: u8 = 1;

impl Endgames<Draughts> for FourPieces {
    fn name(&self) -> &'static str {
        "draughts-4-pieces-1"
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

    fn may_know(&self, game: &Draughts) -> bool {
        game.sides.iter().map(|side| side.count_ones() as usize).sum::<usize>() <= MOST
    }

    fn open(&self, bytes: Vec<u8>) -> Arc<dyn Solver<Draughts>> {
        Arc::new(Tables { layout: Layout::new(), bytes })
    }

    fn endings(&self, bytes: &[u8]) -> Vec<Ending> {
        let layout = Layout::new();
        let ending = |(place, &class): (usize, &Class)| {
            let table = bytes[layout.table(place)].iter().enumerate();
            let positions = table.filter(|(number, _)| layout.boards(class, *number).is_some());
            summary(class.name(), positions.map(|(_, &byte)| verdict_of(byte, END)))
        };
        layout.classes.iter().enumerate().map(ending).collect()
    }

    fn draw(&self, rng: &mut Rng) -> Draughts {
        let layout = Layout::new();
        let side = Side::BOTH[rng.below(2)];
        loop {
            let class = layout.classes[rng.below(layout.classes.len())];
            if let Some(boards) = layout.boards(class, rng.below(class.length())) {
                return classes::game(&boards, side);
            }
        }
    }

    fn holds(&self, setup: &Setup) -> Result<(), SetupError> {
        match setup.blocked {
            Blocked::Loses => Ok(()),
            Blocked::Draws => Err(SetupError(
                "the endgame tables count a side that cannot move as lost, but blocked is draws; it must be loses"
                    .to_string(),
            )),
        }
    }

    fn about(&self) -> &'static str {
        "positions of up to four pieces"
    }
}

/// A solver with all tables in one array.
struct Tables {
    layout: Layout,
    bytes: Vec<u8>,
}

impl Solver<Draughts> for Tables {
    fn verdict(&self, game: &Draughts) -> Option<Verdict> {
        let pieces = game.sides.map(|side| side.count_ones() as usize);
        if pieces[0] + pieces[1] > MOST || pieces.contains(&0) {
            return Verdict::at_end(game);
        }
        let boards = seen(game);
        let class = Class::of(&boards);
        let place = self.layout.table(self.layout.place(class)).start + class.number(&boards);
        Some(verdict_of(self.bytes[place], END))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Path;
    use crate::draughts::board::{Board, CROWNING, SQUARES};
    use crate::{Game, Value};
    use chance::rng_for;
    use std::collections::HashMap;

    /// One test for all checks, because the tables take a while.
    #[test]
    fn known_endings() {
        let bytes = FourPieces.build(&|_| ControlFlow::Continue(())).unwrap();
        let endings = FourPieces.endings(&bytes);
        let check = |pieces: usize, expected: [u64; 5]| {
            let mut found = [0; 5];
            for ending in endings.iter().filter(|ending| ending.name.len() == pieces + 1) {
                let Ending { positions, won, drawn, lost, longest_won, longest_lost, .. } = *ending;
                assert_eq!(positions, won + drawn + lost);
                [positions, won, lost, drawn].iter().zip(&mut found).for_each(|(count, sum)| *sum += count);
                found[4] = found[4].max(longest_won.into()).max(longest_lost.into());
            }
            assert_eq!(found, expected, "{pieces} pieces");
        };
        check(2, [3488, 716, 402, 2370, 13]);
        check(3, [196_032, 100_250, 87_305, 8477, 62]);
        check(4, [6_209_316, 2_574_304, 1_917_090, 1_717_922, 109]);
        let tables = FourPieces.open(bytes);
        check_all(&*tables, 2);
        check_some(&*tables);
        // Positions with more pieces are not known, unless the game is over.
        let verdict = |text: &str| tables.verdict(&text.parse().unwrap());
        let lost = Some(Verdict { value: Value::Lost, distance: Some(0) });
        assert_eq!(verdict("B:WK32,K31:BK1,K2,K3"), None);
        assert_eq!(verdict("W:W32:B23,24,27,28"), lost);
        assert_eq!(verdict("B:W9,14:B5"), lost);
        assert_eq!(verdict("W:W:B1"), lost);
        assert_eq!(verdict("B:W:B1"), Some(Verdict { value: Value::Won, distance: Some(0) }));
    }

    type Best = (Value, Option<u32>);

    /// The best verdict after a position's moves; lost if there are none.
    fn best(game: &Draughts, moves: &mut Vec<Path>, verdict: impl Fn(&Draughts) -> Best) -> Best {
        moves.clear();
        game.legal_moves(moves);
        let after = moves.iter().map(|&mv| {
            let next = game.after(mv);
            let (value, plies) = verdict(&next);
            (value.reversed(), plies.map(|plies| plies + 1))
        });
        let preference = |&(value, plies): &Best| {
            let plies = i64::from(plies.unwrap_or(0));
            (value, if value == Value::Won { -plies } else { plies })
        };
        after.max_by_key(preference).unwrap_or((Value::Lost, Some(0)))
    }

    /// Every verdict must follow from the verdicts after the position's moves, and colours must not matter.
    fn check_some(tables: &dyn Solver<Draughts>) {
        let verdict = |game: &Draughts| tables.verdict(game).map(|verdict| (verdict.value, verdict.distance)).unwrap();
        let (mut moves, mut sides) = (Vec::new(), [0; 2]);
        for number in 0..20_000 {
            let game = FourPieces.draw(&mut rng_for(1, &[number]));
            sides[game.side as usize] += 1;
            assert_eq!(verdict(&game), best(&game, &mut moves, verdict), "{game}");
            let [first, second] = game.sides.map(Board::reverse_bits);
            let turned = Draughts { sides: [second, first], kings: game.kings.reverse_bits(), side: !game.side };
            assert_eq!(verdict(&game), verdict(&turned), "{game}");
        }
        assert!(sides.iter().all(|&count| count > 9000));
    }

    /// The slow way: begins with draws everywhere and updates every position from its moves until nothing changes.
    fn check_all(tables: &dyn Solver<Draughts>, most: u32) {
        let mut known: HashMap<Draughts, Best> = HashMap::new();
        let mut open = vec![Draughts { sides: [0; 2], kings: 0, side: Side::First }];
        while let Some(game) = open.pop() {
            for square in (0..SQUARES).filter(|square| (game.sides[0] | game.sides[1]) >> square == 0) {
                let piece: Board = 1 << square;
                for (side, kings) in [(0, piece), (0, 0), (1, piece), (1, 0)] {
                    let mut next = Draughts { kings: game.kings | kings, ..game };
                    next.sides[side] |= piece;
                    if kings == 0 && CROWNING[side] & piece != 0 {
                        continue;
                    }
                    if next.sides[0].count_ones() + next.sides[1].count_ones() < most {
                        open.push(next);
                    }
                    for side in Side::BOTH {
                        known.insert(Draughts { side, ..next }, (Value::Drawn, None));
                    }
                }
            }
        }
        known.retain(|game, _| !game.sides.contains(&0));
        let mut moves = Vec::new();
        loop {
            let verdict = |game: &Draughts| if game.own() == 0 { (Value::Lost, Some(0)) } else { known[game] };
            let found: Vec<_> = known.keys().map(|game| (*game, best(game, &mut moves, verdict))).collect();
            if found.iter().all(|(game, best)| known[game] == *best) {
                break;
            }
            known.extend(found);
        }
        for (game, found) in known {
            let verdict = tables.verdict(&game).unwrap();
            assert_eq!((verdict.value, verdict.distance), found, "{game}");
        }
    }
}
