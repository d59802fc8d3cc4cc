//! Draws the curves of a run with characters, for terminals.

/// The maximum number of points of a curve in memory; no terminal shows more.
const MOST_POINTS: u64 = 4096;

/// The points of a curve over generations. For a long run, each point is the mean of several generations.
pub struct Points {
    stride: u64,
    points: Vec<(f64, f64)>,
    /// The generations of the next point: their number, the last generation, the sum and the count of their values.
    stretch: Option<(u64, u64, f64, f64)>,
}

impl Points {
    /// An empty curve for a run with this number of generations.
    pub fn new(generations: u64) -> Points {
        Points { stride: runs::Curves::stride_for(generations, MOST_POINTS), points: Vec::new(), stretch: None }
    }

    /// Adds the value of a generation, if it has one. Generations must come in ascending order.
    pub fn add(&mut self, generation: u64, value: Option<f64>) {
        let Some(value) = value else { return };
        let number = generation.saturating_sub(1) / self.stride;
        match &mut self.stretch {
            Some((same, last, sum, count)) if *same == number => {
                (*last, *sum, *count) = (generation, *sum + value, *count + 1.0);
            }
            _ => {
                self.end_stretch();
                self.stretch = Some((number, generation, value, 1.0));
            }
        }
    }

    fn end_stretch(&mut self) {
        let ended = self.stretch.take().map(|(_, last, sum, count)| (last as f64, sum / count));
        self.points.extend(ended);
    }

    /// Returns all points.
    pub fn finish(mut self) -> Vec<(f64, f64)> {
        self.end_stretch();
        self.points
    }
}

/// Draws a curve over generations as lines of text: a title, then `height` rows. The last two rows are the axis and its
/// numbers.
pub fn draw(title: &str, points: &[(f64, f64)], bounds: Option<[f64; 2]>, width: u16, height: u16) -> Vec<String> {
    let Some(&(first, _)) = points.first() else { return Vec::new() };
    let last = points.last().map_or(first, |point| point.0);
    let values = || points.iter().map(|point| point.1);
    let [low, high] = bounds.unwrap_or_else(|| {
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        if high - low < 1e-9 { [low - 0.5, high + 0.5] } else { [low, high] }
    });
    let label = |value: f64| if (high - low) < 5.0 { format!("{value:6.2}") } else { format!("{value:6.0}") };
    let labels = [label(high), label((low + high) / 2.0), label(low)];
    let beside = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let across = usize::from(width).saturating_sub(beside + 1).max(1);
    let rows = usize::from(height).saturating_sub(2).max(1);
    // 1. The curve, as dots.
    let mut dots = Dots::new(across, rows);
    let (right, top) = ((across * 2 - 1) as f64, (rows * 4 - 1) as f64);
    let place = |(x, y): (f64, f64)| {
        let (along, up) = ((x - first) / (last - first).max(1.0), (y - low) / (high - low));
        // Values beyond the bounds are drawn one dot outside the frame, where they are not visible.
        ((along * right).round() as i64, ((1.0 - up) * top).round().clamp(-1.0, top + 1.0) as i64)
    };
    let thinned: Vec<(i64, i64)> = thin(points, across * 2).into_iter().map(place).collect();
    dots.mark(thinned[0]);
    thinned.windows(2).for_each(|ends| dots.join(ends[0], ends[1]));
    // 2. The numbers on the left: the highest value at the top, the lowest at the bottom.
    let number = |row: usize| match row {
        _ if row == rows - 1 => labels[2].as_str(),
        0 => &labels[0],
        _ if row == rows / 2 && rows > 2 => &labels[1],
        _ => "",
    };
    let mut lines = vec![title.to_string()];
    lines.extend((0..rows).map(|row| format!("{:>beside$}│{}", number(row), dots.row(row)).trim_end().to_string()));
    // 3. The axis with the first and the last generation.
    lines.push(format!("{:beside$}└{}", "", "─".repeat(across)));
    let (from, to) = (first.to_string(), last.to_string());
    lines.push(format!("{:beside$} {from}{to:>room$}", "", room = across.saturating_sub(from.len())));
    lines
}

/// Dots in cells of two by four; each cell is printed as one Braille character.
struct Dots {
    across: usize,
    cells: Vec<u8>,
}

impl Dots {
    fn new(across: usize, rows: usize) -> Dots {
        Dots { across, cells: vec![0; across * rows] }
    }

    /// Sets the dot in column `x` from the left and row `y` from the top. Dots outside all cells are ignored.
    fn mark(&mut self, (x, y): (i64, i64)) {
        // The bits of a Braille character, by row and column of its dots.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x < self.across * 2
            && let Some(cell) = self.cells.get_mut(y / 4 * self.across + x / 2)
        {
            *cell |= BITS[y % 4][x % 2];
        }
    }

    /// Draws a straight line of dots.
    fn join(&mut self, from: (i64, i64), to: (i64, i64)) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).max(1);
        let between = |a: i64, b: i64, step: i64| a + ((b - a) as f64 * step as f64 / steps as f64).round() as i64;
        (0..=steps).for_each(|step| self.mark((between(from.0, to.0, step), between(from.1, to.1, step))));
    }

    fn row(&self, row: usize) -> String {
        let cells = &self.cells[row * self.across..(row + 1) * self.across];
        let letter = |&dots: &u8| if dots == 0 { ' ' } else { char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ') };
        cells.iter().map(letter).collect()
    }
}

/// Reduces points to at most `most`, each the mean of several neighbours.
fn thin(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    let stretch = points.len().div_ceil(most.max(1)).max(1);
    let mean = |some: &[(f64, f64)]| {
        let count = some.len() as f64;
        (some.iter().map(|p| p.0).sum::<f64>() / count, some.iter().map(|p| p.1).sum::<f64>() / count)
    };
    points.chunks(stretch).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_fit_their_frame() {
        let points: Vec<(f64, f64)> = (1..=5000).map(|x| (f64::from(x), f64::from(x % 7))).collect();
        let lines = draw("grade", &points, Some([0.0, 1.0]), 60, 8);
        assert_eq!(lines.len(), 9);
        assert!(lines.iter().all(|line| line.chars().count() <= 60));
        assert!(lines.last().unwrap().contains("5000"));
        assert!(draw("nothing", &[], None, 60, 8).is_empty());
    }

    #[test]
    fn a_rising_line_rises() {
        let points: Vec<(f64, f64)> = (0..8).map(|x| (f64::from(x), f64::from(x))).collect();
        let lines = draw("rises", &points, None, 11, 4);
        assert_eq!(lines, ["rises", "     7│  ⡠⠊", "     0│⡠⠊", "      └────", "       0  7"]);
    }

    #[test]
    fn values_beyond_the_bounds_and_tiny_frames_are_drawn() {
        let points = [(1.0, -5.0), (2.0, 0.5), (3.0, f64::NAN), (4.0, 9.0)];
        for (width, height) in [(0, 0), (1, 1), (8, 3), (200, 40)] {
            assert!(draw("any", &points, Some([0.0, 1.0]), width, height).len() >= 4);
        }
        assert!(!draw("one", &[(1.0, 2.0)], None, 40, 6).is_empty());
    }
}
