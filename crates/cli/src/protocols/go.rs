//! The limits of a move, as a program gives them.

use games::Side;
use std::time::Duration;

/// The limits of a move. `None` means that there is no such limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of positions.
    pub nodes: Option<u64>,
    /// The milliseconds for this move.
    pub move_time: Option<u64>,
    /// The milliseconds that each side has left.
    pub left: [Option<u64>; 2],
    /// The milliseconds that each side gets for each move.
    pub increment: [u64; 2],
    /// The number of moves for which the time that is left must be enough.
    pub moves_to_go: Option<u64>,
    /// The only moves that may be considered; all if it is empty.
    pub only: Vec<String>,
    /// Whether the engine thinks until it is stopped.
    pub infinite: bool,
    /// Whether the engine thinks while the other side does, about the move after the expected one.
    pub ponder: bool,
}

/// Milliseconds that are kept back for everything that is not thinking.
const LAG: u64 = 15;
/// Milliseconds of a clock that are not planned for thinking. On a busy machine the system can hold up a process for more
/// than 40 ms several times in a game; without this reserve 9 of 350 games of 1 s + 0.01 s were lost on time there.
const RESERVE: u64 = 150;

impl Go {
    /// The time for this move of a side; `None` if it is not limited.
    pub fn time_for(&self, side: Side) -> Option<Duration> {
        let place = side as usize;
        let milliseconds = match (self.move_time, self.left[place]) {
            (Some(time), _) => time.saturating_sub(LAG),
            (None, Some(left)) => {
                // An even share of the time left, most of the increment, and never more than a third of what is left.
                let moves = self.moves_to_go.unwrap_or(25).clamp(1, 40);
                let share = (left.saturating_sub(RESERVE) / moves).saturating_add(self.increment[place] / 4 * 3);
                share.min(left / 3).min(left.saturating_sub(2 * LAG)).saturating_sub(1)
            }
            (None, None) => return None,
        };
        // A year is enough for anybody, and can be added to any time.
        Some(Duration::from_millis(milliseconds.clamp(1, 365 * 24 * 3600 * 1000)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_never_used_up() {
        for left in 0..5000 {
            let go = Go { left: [Some(left), None], increment: [10, 0], ..Go::default() };
            let time = go.time_for(Side::First).unwrap().as_millis() as u64;
            assert!(time <= 1 || time + 2 * LAG <= left, "{time} of {left}");
        }
        // With an increment of 10 ms, more than the reserve is left after any number of moves.
        let mut left = 1000;
        for _ in 0..1000 {
            let go = Go { left: [Some(left), None], increment: [10, 0], ..Go::default() };
            left = left + 10 - go.time_for(Side::First).unwrap().as_millis() as u64;
            assert!(left > RESERVE, "{left}");
        }
        assert_eq!(Go::default().time_for(Side::First), None);
        for moves_to_go in [None, Some(0), Some(1), Some(u64::MAX)] {
            let longest = Go { left: [Some(u64::MAX); 2], increment: [u64::MAX; 2], moves_to_go, ..Go::default() };
            assert_eq!(longest.time_for(Side::Second), Some(Duration::from_secs(365 * 24 * 3600)));
        }
    }
}
