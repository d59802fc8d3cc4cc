//! How much less deep late moves are searched.

/// The number of plies by which the move with this number, from 0, is searched less deep at first. It grows with the
/// logarithms of both.
pub(super) fn reduction(depth: u32, number: usize) -> i32 {
    if depth < 3 || number < 2 {
        return 0;
    }
    // In 256ths of a ply.
    let both = sixteenths(depth) * sixteenths(number as u32 + 1);
    ((128 + both * 2 / 3) / 256) as i32
}

/// The logarithm to base 2 in 16ths, interpolated.
const fn sixteenths(number: u32) -> u32 {
    let whole = number.ilog2();
    16 * whole + 16 * (number - (1 << whole)) / (1 << whole)
}

/// Up to this depth, quiet moves that come very late are not searched.
const MOST_LATE_DEPTH: u32 = 4;

/// The number of quiet moves that are searched at a depth. `improves` says whether the evaluation rises.
pub(super) fn late_moves(depth: u32, improves: bool) -> usize {
    if depth > MOST_LATE_DEPTH {
        return usize::MAX;
    }
    let all = (3 + 3 * depth * depth) as usize;
    if improves { all } else { all.div_ceil(2) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_moves_and_deeper_searches_are_reduced_more() {
        assert_eq!((reduction(2, 40), reduction(9, 1)), (0, 0));
        let grows = |of: &dyn Fn(u32) -> i32| (3..40).all(|n| of(n) <= of(n + 1)) && of(40) > of(3);
        assert!(grows(&|depth| reduction(depth, 10)) && grows(&|number| reduction(8, number as usize)));
        assert_eq!([sixteenths(1), sixteenths(2), sixteenths(3), sixteenths(8)], [0, 16, 24, 48]);
        assert!(late_moves(1, false) < late_moves(1, true) && late_moves(5, false) == usize::MAX);
    }
}
