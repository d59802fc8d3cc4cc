//! Keeps the solvers that were used last. The web server needs one after every move. The tables of a solver take up to
//! 4 MB of memory; to compute them takes up to 90 MB and a second.

use games::{Game, Solver};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// The number of solvers that are kept.
const MOST_KEPT: usize = 8;

/// A kept solver.
struct Kept {
    /// The game and its setup, as text.
    of: String,
    /// An `Option<Arc<dyn Solver<G>>>` of that game; the option is `None` if the setup is not solved.
    solver: Box<dyn Any + Send>,
}

static KEPT: Mutex<VecDeque<Kept>> = Mutex::new(VecDeque::new());

/// The solver of a setup; `None` if the setup is not solved, or if `is_halted` says that nobody waits for the solver
/// any more. One solver is made at a time, so that many requests take no more memory than one.
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
        let never_halted = &|| false;
        let setup = |stack: u16| nim::Setup { stacks: vec![stack, 7], start: nim::Start::Fixed };
        let one = solver_for::<Nim>(&setup(9), never_halted).unwrap();
        assert!(Arc::ptr_eq(&one, &solver_for::<Nim>(&setup(9), never_halted).unwrap()));
        assert!(!Arc::ptr_eq(&one, &solver_for::<Nim>(&setup(8), never_halted).unwrap()));
        assert!(solver_for::<TicTacToe>(&Setup::usual(), never_halted).is_some());
        assert!(solver_for::<Minichess>(&Setup::usual(), never_halted).is_none());
        for stack in 1..=MOST_KEPT as u16 {
            solver_for::<Nim>(&setup(100 + stack), never_halted).unwrap();
        }
        assert!(KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).len() <= MOST_KEPT);
    }
}
