//! The squares of a board that is stored as bits.

use crate::FactSet;

/// The indices of all bits that are set, in ascending order.
#[inline]
pub(crate) fn bits(board: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut board = board.into();
    std::iter::from_fn(move || {
        if board == 0 {
            return None;
        }
        let square = board.trailing_zeros() as usize;
        board &= board - 1;
        Some(square)
    })
}

/// The numbers of all facts in a set, in ascending order.
pub(crate) fn ones(facts: &FactSet) -> impl Iterator<Item = usize> {
    facts.iter().enumerate().flat_map(|(word, &held)| bits(held).map(move |bit| word * 64 + bit))
}
