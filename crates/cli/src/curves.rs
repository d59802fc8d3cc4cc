//! Curves drawn with characters.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

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
