//! Curves drawn with characters.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

/// The most points of a curve that are kept in memory: more than any terminal shows.
const MOST_POINTS: u64 = 4096;

/// Generations and values; of a long run, means of stretches of generations.
pub struct Points {
    stride: u64,
    points: Vec<(f64, f64)>,
    /// The last stretch: its number, its last generation, the sum of its values and how many they are.
    stretch: Option<(u64, u64, f64, f64)>,
}

impl Points {
    /// No points yet, of a run of that many generations.
    pub fn new(generations: u64) -> Points {
        Points { stride: runs::Curves::stride_for(generations, MOST_POINTS), points: Vec::new(), stretch: None }
    }

    /// Takes the value of a generation, where it has one; generations come in their order.
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

    /// All points.
    pub fn finish(mut self) -> Vec<(f64, f64)> {
        self.end_stretch();
        self.points
    }
}

/// A curve over generations as lines of text.
pub fn draw(title: &str, points: &[(f64, f64)], bounds: Option<[f64; 2]>, width: u16, height: u16) -> Vec<String> {
    let Some(&(first, _)) = points.first() else { return Vec::new() };
    let last = points.last().map_or(first, |point| point.0);
    let values = || points.iter().map(|point| point.1);
    let [low, high] = bounds.unwrap_or_else(|| {
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        if high - low < 1e-9 { [low - 0.5, high + 0.5] } else { [low, high] }
    });
    let label = |value: f64| if (high - low) < 5.0 { format!("{value:6.2}") } else { format!("{value:6.0}") };
    let thinned = thin(points, usize::from(width) * 2);
    let chart = Chart::new(vec![Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).data(&thinned)])
        .x_axis(Axis::default().bounds([first, last.max(first + 1.0)]).labels([format!("{first}"), format!("{last}")]))
        .y_axis(Axis::default().bounds([low, high]).labels([label(low), label((low + high) / 2.0), label(high)]));
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    chart.render(area, &mut buffer);
    let line = |y: u16| {
        let cells: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        Line::from(cells).to_string().trim_end().to_string()
    };
    std::iter::once(title.to_string()).chain((0..height).map(line)).collect()
}

/// No more points than can be told apart: the mean of each stretch.
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
}
