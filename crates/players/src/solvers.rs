//! Keeps the solvers that were asked for last. The web server asks for one after every move; the tables of a solver take up
//! to 4 MB, and 90 MB and a second while they are worked out.

use games::{Game, Solver};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// How many solvers are kept.
const MOST_KEPT: usize = 8;

struct Kept {
    /// The game and its setup, in text.
    of: String,
    /// An `Option<Arc<dyn Solver<G>>>` of that game.
    solver: Box<dyn Any + Send>,
}

static KEPT: Mutex<VecDeque<Kept>> = Mutex::new(VecDeque::new());

/// The solver of a setup; `None` if the setup is not solved, or if `is_halted` says that nobody waits for the solver any
/// more. One solver is made at a time, so that many requests take no more memory than one.
pub(crate) fn solver_for<G: Game>(setup: &G::Setup, is_halted: &dyn Fn() -> bool) -> Option<Arc<dyn Solver<G>>> {
    let of = format!("{} {setup:?}", G::NAME);
    let mut kept = loop {
        match KEPT.try_lock() {
            Ok(kept) => break kept,
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if is_halted() => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let found = kept.iter().find(|kept| kept.of == of);
    if let Some(solver) = found.and_then(|kept| kept.solver.downcast_ref::<Option<Arc<dyn Solver<G>>>>()) {
        return solver.clone();
    }
    let solver = arena::solver_of::<G>(setup);
    kept.truncate(MOST_KEPT - 1);
    kept.push_front(Kept { of, solver: Box::new(solver.clone()) });
    solver
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Setup;
    use games::minichess::Minichess;
    use games::nim::{self, Nim};
    use games::tic_tac_toe::TicTacToe;

    #[test]
    fn solvers_are_made_once() {
        let context = &|| false;
        let setup = |stack: u16| nim::Setup { stacks: vec![stack, 7], start: nim::Start::Fixed };
        let one = solver_for::<Nim>(&setup(9), context).unwrap();
        assert!(Arc::ptr_eq(&one, &solver_for::<Nim>(&setup(9), context).unwrap()));
        assert!(!Arc::ptr_eq(&one, &solver_for::<Nim>(&setup(8), context).unwrap()));
        assert!(solver_for::<TicTacToe>(&Setup::usual(), context).is_some());
        assert!(solver_for::<Minichess>(&Setup::usual(), context).is_none());
        for stack in 1..=MOST_KEPT as u16 {
            solver_for::<Nim>(&setup(100 + stack), context).unwrap();
        }
        assert!(KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).len() <= MOST_KEPT);
    }
}
