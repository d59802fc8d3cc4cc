//! The number of random plies before games that measure something. Without them, deterministic players would repeat one
//! game; too many of them would decide the game.

use arena::{Examiner, Starts};
use games::Game;

/// The number of plies for a game with one start: enough for some thousand openings of draughts or chess.
const USUAL: usize = 4;
/// The number of plies for a game that is so small that it is solved.
const SMALL: usize = 1;

/// The number of random plies: 0 if starts are drawn anyway, and always fewer than a game may have.
pub fn measuring_plies<G: Game>(setup: &G::Setup) -> usize {
    let most = (G::draw_rules(setup).most_plies as usize).saturating_sub(1);
    match Starts::<G>::new(setup).listed() {
        Some([_]) if Examiner::<G>::new(setup).is_some_and(|examiner| examiner.solver().is_some()) => SMALL.min(most),
        Some([_]) => USUAL.min(most),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Setup as _;
    use games::draughts::{self, Draughts};
    use games::nim::{self, Nim, Start};
    use games::tic_tac_toe::{self, TicTacToe};

    #[test]
    fn openings_leave_a_game() {
        let nim = |start| nim::Setup { stacks: vec![4, 4], start };
        assert_eq!(measuring_plies::<Nim>(&nim(Start::Random)), 0);
        assert_eq!(measuring_plies::<Nim>(&nim(Start::Fixed)), 1);
        assert_eq!(measuring_plies::<TicTacToe>(&tic_tac_toe::Setup {}), 1);
        let draughts = |most_plies| draughts::Setup { most_plies, ..draughts::Setup::usual() };
        assert_eq!([1, 3, 200].map(|most| measuring_plies::<Draughts>(&draughts(most))), [0, 2, 4]);
    }
}
