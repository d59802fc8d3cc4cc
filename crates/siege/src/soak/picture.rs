//! Draws curves over time as an SVG picture with one panel below the other.

use std::fmt::Write;

/// A curve of a panel.
pub struct Curve {
    /// The name in the legend.
    pub name: &'static str,
    /// The points: seconds and value.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 130.0;
const LEFT: f64 = 90.0;
const COLOURS: [&str; 3] = ["#1f77b4", "#d62728", "#2ca02c"];

/// Draws panels, each given by its title and its curves.
pub fn draw(panels: &[(&str, Vec<Curve>)]) -> String {
    let height = 30.0 + panels.len() as f64 * (HEIGHT + 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        WIDTH + LEFT + 20.0
    );
    for (number, (title, curves)) in panels.iter().enumerate() {
        let top = 30.0 + number as f64 * (HEIGHT + 40.0);
        panel(&mut svg, title, curves, top).expect("writing to a string cannot fail");
    }
    svg + "</svg>\n"
}

fn panel(svg: &mut String, title: &str, curves: &[Curve], top: f64) -> std::fmt::Result {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let most = points().map(|point| point.1).fold(1.0, f64::max);
    let time = points().map(|point| point.0).fold(1.0, f64::max);
    writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{title}</text>", top - 6.0)?;
    writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#999\"/>"
    )?;
    writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{most}</text>", LEFT - 6.0, top + 10.0)?;
    writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">0</text>", LEFT - 6.0, top + HEIGHT)?;
    writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{time:.0} s</text>", LEFT + WIDTH, top + HEIGHT + 14.0)?;
    for (place, curve) in curves.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let line: Vec<String> = curve
            .points
            .iter()
            .map(|(x, y)| format!("{:.1},{:.1}", LEFT + WIDTH * x / time, top + HEIGHT * (1.0 - y / most)))
            .collect();
        writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            line.join(" ")
        )?;
        let x = LEFT + 140.0 + 130.0 * place as f64;
        writeln!(svg, "<text x=\"{x}\" y=\"{}\" fill=\"{colour}\">{}</text>", top - 6.0, curve.name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_fill_their_panel() {
        let svg = draw(&[("memory", vec![Curve { name: "server", points: vec![(0.0, 0.0), (10.0, 50.0)] }])]);
        assert!(svg.contains("points=\"90.0,160.0 850.0,30.0\"") && svg.contains(">10 s<"), "{svg}");
    }
}
