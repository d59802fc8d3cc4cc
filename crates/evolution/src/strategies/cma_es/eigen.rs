//! The eigenvectors of a symmetric matrix: Householder reflections make it tridiagonal, then the QL method with
//! implicit shifts makes it diagonal (Golub and Van Loan, *Matrix Computations*, 8.3). It uses plain arithmetic in a
//! fixed order, so that every machine gets the same bits.

use super::vectors::{add, dot};

/// The eigenvalues and the eigenvectors of a matrix, the vectors one after the other in one list. `triangle` is the
/// lower triangle, row by row. The squares of its numbers must be finite.
pub fn axes(triangle: &[f64], size: usize) -> (Vec<f64>, Vec<f64>) {
    debug_assert_eq!(triangle.len(), size * (size + 1) / 2);
    let mut matrix = vec![0.0; size * size];
    let mut rest = triangle;
    for row in 0..size {
        let (numbers, others) = rest.split_at(row + 1);
        rest = others;
        for (column, &number) in numbers.iter().enumerate() {
            matrix[row * size + column] = number;
            matrix[column * size + row] = number;
        }
    }
    let (mut diagonal, mut beside, mut vectors) = tridiagonal(matrix, size);
    diagonalise(&mut diagonal, &mut beside, &mut vectors);
    (diagonal, vectors)
}

/// The diagonal, the off-diagonal (with a 0 at its end), and the rows of the basis in which the matrix is tridiagonal.
fn tridiagonal(mut matrix: Vec<f64>, size: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut beside = vec![0.0; size];
    // For each column its mirror: the reflection x − factor·(mirror·x)·mirror. It begins below the diagonal.
    let mut mirrors: Vec<(f64, Vec<f64>)> = Vec::with_capacity(size);
    for column in 0..size.saturating_sub(1) {
        let begin = column + 1;
        let mut mirror: Vec<f64> = matrix[column * size + begin..(column + 1) * size].to_vec();
        let length = dot(&mirror, &mirror).sqrt();
        // 1. The mirror that turns everything below the diagonal into its first entry.
        let target = if mirror[0] > 0.0 { -length } else { length };
        beside[column] = target;
        mirror[0] -= target;
        let square = dot(&mirror, &mirror);
        // If the square is too small for its reciprocal, the entries are negligible beside the diagonal, and nothing is
        // reflected.
        let factor = if square >= f64::MIN_POSITIVE { 2.0 / square } else { 0.0 };
        // 2. Apply it to the rest of the matrix from both sides.
        let row = |number: usize| number * size + begin..(number + 1) * size;
        let mut other: Vec<f64> = (begin..size).map(|number| factor * dot(&matrix[row(number)], &mirror)).collect();
        let half = factor / 2.0 * dot(&other, &mirror);
        add(&mut other, -half, &mirror);
        for number in begin..size {
            let (one, two) = (mirror[number - begin], other[number - begin]);
            let entries = matrix[row(number)].iter_mut();
            for (entry, (mirror, other)) in entries.zip(mirror.iter().zip(&other)) {
                *entry -= one * other + two * mirror;
            }
        }
        mirrors.push((factor, mirror));
    }
    let diagonal = (0..size).map(|place| matrix[place * size + place]).collect();
    // 3. The basis: the product of all mirrors, the last one first, so that each changes as few entries as possible.
    let mut basis = vec![0.0; size * size];
    (0..size).for_each(|place| basis[place * size + place] = 1.0);
    for (column, (factor, mirror)) in mirrors.iter().enumerate().rev() {
        for number in column + 1..size {
            let row = &mut basis[number * size + column + 1..(number + 1) * size];
            let share = factor * dot(row, mirror);
            add(row, -share, mirror);
        }
    }
    (diagonal, beside, basis)
}

/// Rotates rows of the basis until the off-diagonal is 0.
fn diagonalise(diagonal: &mut [f64], beside: &mut [f64], vectors: &mut [f64]) {
    /// Two or three rotations suffice for each eigenvalue; the limit is for matrices with NaN, which would never
    /// finish.
    const MOST_TURNS: usize = 60;
    let size = diagonal.len();
    for first in 0..size {
        for _ in 0..MOST_TURNS {
            // 1. Find the end of the block that begins here.
            let apart = |place: &usize| {
                let near = diagonal[*place].abs() + diagonal[place + 1].abs();
                beside[*place].abs() <= f64::EPSILON * near
            };
            let last = (first..size - 1).find(apart).unwrap_or(size - 1);
            if last == first {
                break;
            }
            // 2. The shift: an eigenvalue of the first two by two entries.
            let ratio = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first]);
            let root = (ratio * ratio + 1.0).sqrt();
            let steep = if ratio < 0.0 { ratio - root } else { ratio + root };
            let mut head = diagonal[last] - diagonal[first] + beside[first] / steep;
            // 3. Rotate from the end to the front; each rotation removes the entry that the one before created.
            let (mut sine, mut cosine, mut moved) = (1.0, 1.0, 0.0);
            let mut vanished = false;
            for place in (first..last).rev() {
                let (bulge, kept) = (sine * beside[place], cosine * beside[place]);
                let length = (bulge * bulge + head * head).sqrt();
                beside[place + 1] = length;
                if length == 0.0 {
                    diagonal[place + 1] -= moved;
                    beside[last] = 0.0;
                    vanished = true;
                    break;
                }
                (sine, cosine) = (bulge / length, head / length);
                let shifted = diagonal[place + 1] - moved;
                let change = (diagonal[place] - shifted) * sine + 2.0 * cosine * kept;
                moved = sine * change;
                diagonal[place + 1] = shifted + moved;
                head = cosine * change - kept;
                let (before, behind) = vectors.split_at_mut((place + 1) * size);
                for (one, two) in before[place * size..].iter_mut().zip(&mut behind[..size]) {
                    (*one, *two) = (cosine * *one - sine * *two, sine * *one + cosine * *two);
                }
            }
            if !vanished {
                diagonal[first] -= moved;
                beside[first] = head;
                beside[last] = 0.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    /// Every vector must be stretched by its eigenvalue; all must have length 1 and be at right angles.
    #[track_caller]
    fn check(triangle: &[f64], size: usize) -> Vec<f64> {
        let (mut values, vectors) = axes(triangle, size);
        let entry = |row: usize, column: usize| {
            let (low, high) = (row.min(column), row.max(column));
            triangle[high * (high + 1) / 2 + low]
        };
        let largest = values.iter().fold(0.0f64, |largest, value| largest.max(value.abs()));
        for (one, vector) in vectors.chunks_exact(size).enumerate() {
            for row in 0..size {
                let found: f64 = (0..size).map(|column| entry(row, column) * vector[column]).sum();
                let error = (found - values[one] * vector[row]).abs();
                assert!(error <= 1e-13 * largest * size as f64, "{size}: {error}");
            }
            for (two, other) in vectors.chunks_exact(size).enumerate() {
                let wanted = f64::from(u8::from(one == two));
                assert!((dot(vector, other) - wanted).abs() < 1e-13 * size as f64);
            }
        }
        values.sort_by(f64::total_cmp);
        values
    }

    #[test]
    fn axes_are_axes() {
        assert_eq!(check(&[3.0], 1), [3.0]);
        assert_eq!(check(&[0.0; 10], 4), [0.0; 4]);
        let values = check(&[2.0, 1.0, 2.0], 2);
        assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15, "{values:?}");
        // The eigenvalues of the second difference are known: 2 − 2 cos(kπ/(n+1)).
        let size = 20;
        let difference = |row: usize, column: usize| match row - column {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let triangle: Vec<f64> =
            (0..size).flat_map(|row| (0..=row).map(move |column| difference(row, column))).collect();
        for (number, value) in check(&triangle, size).into_iter().enumerate() {
            let wanted = 2.0 - 2.0 * ((number + 1) as f64 * std::f64::consts::PI / 21.0).cos();
            assert!((value - wanted).abs() < 1e-13, "{value}, not {wanted}");
        }
        let rng = &mut rng_for(1, &[]);
        for size in [2, 3, 5, 17, 41, 64] {
            let scale = |row: usize| [1.0, 1e-6, 1e5][row % 3];
            let triangle: Vec<f64> = (0..size)
                .flat_map(|row| (0..=row).map(move |column| scale(row) * scale(column)))
                .map(|scale| scale * f64::from(rng.signed_unit()))
                .collect();
            check(&triangle, size);
            // Several equal eigenvalues, and one at a time.
            check(&triangle.iter().map(|number| number.signum()).collect::<Vec<f64>>(), size);
        }
    }

    /// It ends for any numbers, and the results are finite if they should be.
    #[test]
    fn it_always_ends() {
        for number in [f64::NAN, f64::INFINITY, 1e300] {
            axes(&[number; 10], 4);
        }
        for number in [1e-300, 1e-158, 1e100, -1e100] {
            let (values, vectors) = axes(&[number; 10], 4);
            assert!(values.iter().chain(&vectors).all(|number| number.is_finite()), "{values:?}");
        }
    }
}
