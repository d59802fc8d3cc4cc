//! The leaf of a search: the quiet position at which the line of best moves ends.

use super::ends::{end_value, judged, plies_to_end};
use super::selective::{MOST_FORCED, MOST_QUIESCENCE};
use super::{Found, Search};
use crate::{Evaluator, GameHistory};
use games::{Game, Outcome};

/// Where the line of best moves ends.
pub(crate) enum Leaf<G> {
    /// In a finished game, with this value for the side to move at the root, from −1 to 1.
    Finished(f32),
    /// In a position that is evaluated.
    Quiet {
        /// The position.
        game: G,
        /// Its distance from the root, in plies.
        plies: u32,
    },
}

/// The value of a position, and the leaf that has it: `None` for a finished game.
type Judged<G> = (f32, Option<(G, u32)>);

impl<G: Game> Search<G> {
    /// The leaf of the selective search that found this move. The last captures of the line are searched once more.
    pub(crate) fn leaf<E: Evaluator<G>>(
        &self,
        history: &GameHistory<G>,
        found: &Found<G::Move>,
        evaluator: &mut E,
    ) -> Leaf<G> {
        if let Some(plies) = plies_to_end(found.value) {
            return Leaf::Finished(plies.signum() as f32);
        }
        let table = self.selective.as_ref().map(|selective| selective.table());
        let line = table.map_or(vec![found.mv], |table| table.line(history.game(), found.mv, found.depth as usize));
        let mut after = history.clone();
        for mv in line.iter().copied() {
            after.play(mv);
            match after.outcome() {
                None => {}
                Some(Outcome::Draw) => return Leaf::Finished(0.0),
                Some(Outcome::Win(winner)) if winner == history.game().side_to_move() => return Leaf::Finished(1.0),
                Some(Outcome::Win(_)) => return Leaf::Finished(-1.0),
            }
        }
        let plies = line.len() as u32;
        match quiet(after.game(), [f32::NEG_INFINITY, f32::INFINITY], plies, plies - 1, evaluator) {
            (_, Some((game, plies))) => Leaf::Quiet { game, plies },
            (value, None) => {
                let value = if plies.is_multiple_of(2) { value } else { -value };
                Leaf::Finished(plies_to_end(value).map_or(0.0, |plies| plies.signum() as f32))
            }
        }
    }
}

/// Quiescence that remembers the leaf: the value of a position, for its side to move, when captures are searched to
/// their end.
fn quiet<G: Game, E: Evaluator<G>>(
    game: &G,
    [alpha, beta]: [f32; 2],
    ply: u32,
    quiet_since: u32,
    evaluator: &mut E,
) -> Judged<G> {
    let is_forced = game.must_capture() && ply <= quiet_since + MOST_FORCED;
    let mut best: Judged<G> = (f32::NEG_INFINITY, None);
    if !is_forced {
        let mut value = [0.0];
        evaluator.values(std::slice::from_ref(game), &mut value);
        best = (judged(value[0]), Some((game.clone(), ply)));
    }
    if best.0 >= beta || (!is_forced && ply > quiet_since + MOST_QUIESCENCE) {
        return best;
    }
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    if !is_forced {
        moves.retain(|&mv| game.promise(mv) > 0);
    }
    moves.sort_by_key(|&mv| std::cmp::Reverse(game.promise(mv)));
    for mv in moves {
        let next = game.after(mv);
        let (value, leaf) = match next.outcome() {
            Some(outcome) => (end_value(outcome, next.side_to_move(), ply + 1), None),
            None => quiet(&next, [-beta, -alpha.max(best.0)], ply + 1, quiet_since, evaluator),
        };
        if -value > best.0 {
            best = (-value, leaf);
            if best.0 >= beta {
                break;
            }
        }
    }
    best
}
