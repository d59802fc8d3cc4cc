//! Solvers that were made, kept for whoever asks again. A server is asked after every move; the tables of one solver take
//! up to 4 MB, and 90 MB and a second while they are worked out.

use games::{Game, Solver};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// So many of those asked for last are kept.
const MOST_KEPT: usize = 8;

struct Kept {
    /// The game and its setup.
    of: String,
    /// `Option<Arc<dyn Solver<G>>>` of whichever game it is.
    solver: Box<dyn Any + Send>,
}

static KEPT: Mutex<VecDeque<Kept>> = Mutex::new(VecDeque::new());

/// Who knows the truth about every position of a setup; `None` where nobody does, or where nobody waits for it any more. One
/// is made at a time, so that many requests take no more memory than one.
pub fn solver_for<G: Game>(setup: &G::Setup, is_halted: &dyn Fn() -> bool) -> Option<Arc<dyn Solver<G>>> {
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
