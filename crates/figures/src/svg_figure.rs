//! Draws figures as SVG: panels in a grid, numbers at the outer axes, legend and caption below.
//!
//! Colours are attributes, not styles, so that a page can change them by CSS rules for a dark background.

use crate::axis::{Axis, Kind};
use crate::figure::{Figure, Key, LOOKS, Look, Mark, Panel, Sample};
use crate::lettering::{few_lines, lines, width};
use crate::table::escaped;
use std::fmt::Write;

// All sizes are in pixels. Text is large enough to be read at half the size.
const WIDTH: f64 = 760.0;
const MARGIN: f64 = 14.0;
const TITLE: f64 = 19.0;
const LABEL: f64 = 15.5;
const NUMBER: f64 = 15.0;
const CAPTION: f64 = 14.0;
const GAP: f64 = 30.0;
const ROW: f64 = 58.0;
const NAMES: f64 = 210.0;
const RADIUS: f64 = 4.6;
/// The most lines of a row's name.
const NAME_LINES: usize = 3;
/// The most lines of a panel's title.
const TITLE_LINES: usize = 4;

const FONT: &str = "'DejaVu Sans', Verdana, sans-serif";

/// Whether the title and the caption are drawn in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// They are drawn in the picture.
    Inside,
    /// They are left out, because a page shows them around the picture.
    Outside,
}

/// The figure as SVG.
pub fn svg(figure: &Figure, words: Words) -> String {
    let mut canvas = Canvas::default();
    // 1. The title, and the label of the vertical axis.
    let mut y = MARGIN;
    if words == Words::Inside {
        y = canvas.lines(&lines(&figure.title, TITLE, WIDTH - 2.0 * MARGIN), MARGIN, y, TITLE, "ink", INK) + 10.0;
    }
    if !figure.y.label.is_empty() {
        y = canvas.lines(&lines(&figure.y.label, LABEL, WIDTH - 2.0 * MARGIN), MARGIN, y, LABEL, "ink", INK) + 6.0;
    }
    // 2. The panels, then the label of the horizontal axis.
    let grid = Grid::new(figure, y);
    if !figure.behind.is_empty() {
        let _ = write!(canvas.text, "<defs><g id=\"{}-behind\">", figure.name);
        figure.behind.iter().for_each(|mark| canvas.mark(mark, &grid, (0.0, 0.0)));
        canvas.text += "</g></defs>\n";
    }
    for (place, panel) in figure.panels.iter().enumerate() {
        canvas.panel(figure, panel, &grid, place);
    }
    y = grid.bottom();
    canvas.words(&figure.x.label, grid.left + grid.across() / 2.0, y + LABEL, LABEL, Anchor::Middle, "ink", INK);
    y += LABEL * 1.3 + 10.0;
    // 3. The legend and the caption.
    y = canvas.legend(&figure.legend, y);
    if words == Words::Inside && !figure.caption.is_empty() {
        y = canvas.lines(
            &lines(&figure.caption, CAPTION, WIDTH - 2.0 * MARGIN),
            MARGIN,
            y + 4.0,
            CAPTION,
            "faint",
            FAINT,
        );
    }
    let height = (y + MARGIN).ceil();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" font-family=\"{FONT}\">\n<title>{}</title>\n<rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
        escaped(&figure.title),
        canvas.text
    )
}

const INK: &str = "#1a1f16";
const FAINT: &str = "#4d534a";
const RULE: &str = "#e2e5df";

/// The positions and sizes of the panels.
struct Grid<'a> {
    x: &'a Axis,
    y: &'a Axis,
    columns: usize,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    /// The height of the panels' titles with the space below them.
    titles: f64,
    rows: usize,
}

/// By number of panels: the largest number, the number of columns, and the height of each panel.
const COLUMNS: [(usize, usize, f64); 3] = [(1, 1, 350.0), (4, 2, 210.0), (usize::MAX, 3, 150.0)];

impl<'a> Grid<'a> {
    fn new(figure: &'a Figure, top: f64) -> Grid<'a> {
        let count = figure.panels.len();
        let (_, columns, high) = COLUMNS.into_iter().find(|(most, ..)| count <= *most).unwrap_or(COLUMNS[2]);
        let (height, beside) = match &figure.y.kind {
            Kind::Names(names) => {
                let lines = |name: &String| few_lines(name, NUMBER, NAMES, NAME_LINES);
                let all: Vec<Vec<String>> = names.iter().map(lines).collect();
                // Rows are high enough for the names with the most lines.
                let most = all.iter().map(Vec::len).max().unwrap_or(1);
                (ROW.max(1.2 * NUMBER * most as f64 + 16.0) * names.len() as f64, all.concat())
            }
            _ => (high, figure.y.ticks(number_of_rows(high)).into_iter().map(|tick| tick.1).collect()),
        };
        let widest = beside.iter().map(|words| width(words, NUMBER)).fold(0.0, f64::max);
        let left = MARGIN + widest + 10.0;
        let width = (WIDTH - MARGIN - 8.0 - left - GAP * (columns - 1) as f64) / columns as f64;
        let title_lines = figure
            .panels
            .iter()
            .map(|panel| few_lines(&panel.title, LABEL, width, TITLE_LINES).len())
            .max()
            .unwrap_or(0);
        let titles = if title_lines == 0 { 6.0 } else { title_lines as f64 * LABEL * 1.25 + 10.0 };
        Grid { x: &figure.x, y: &figure.y, columns, left, top, width, height, titles, rows: count.div_ceil(columns) }
    }

    /// The top left corner of the area of a panel's marks.
    fn corner(&self, place: usize) -> (f64, f64) {
        let (column, row) = ((place % self.columns) as f64, (place / self.columns) as f64);
        (self.left + column * (self.width + GAP), self.top + self.titles + row * (self.height + self.titles + 12.0))
    }

    fn across(&self) -> f64 {
        self.columns as f64 * (self.width + GAP) - GAP
    }

    /// The height below the numbers of the lowest panels.
    fn bottom(&self) -> f64 {
        self.corner((self.rows - 1) * self.columns).1 + self.height + NUMBER * 1.4 + 6.0
    }

    /// The position of a point within its panel.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let down = match self.y.kind {
            Kind::Names(_) => self.height * self.y.share(y),
            // The area begins lower by a marker's radius, so that a marker at the top does not touch the panel's title.
            _ => RADIUS + (self.height - RADIUS) * (1.0 - self.y.share(y)),
        };
        (self.width * self.x.share(x), down)
    }
}

/// The approximate number of values that are written at a vertical axis of this height.
fn number_of_rows(height: f64) -> usize {
    (height / 42.0) as usize
}

/// The numbers at the horizontal axis, as many as fit.
fn numbers_along(axis: &Axis, across: f64) -> Vec<(f64, String)> {
    for about in (1..=9).rev() {
        let ticks = axis.ticks(about);
        let space = across / ticks.len().max(1) as f64;
        if ticks.iter().all(|tick| width(&tick.1, NUMBER) + 16.0 <= space) {
            return ticks;
        }
    }
    axis.ticks(1)
}

#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Default)]
struct Canvas {
    text: String,
}

impl Canvas {
    #[allow(clippy::too_many_arguments)]
    fn words(&mut self, words: &str, x: f64, y: f64, size: f64, anchor: Anchor, class: &str, fill: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let words = escaped(words);
        let _ = writeln!(
            self.text,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\"{anchor}>{words}</text>"
        );
    }

    /// Writes lines of text below the height `top`. Returns the height below them.
    fn lines(&mut self, lines: &[String], x: f64, top: f64, size: f64, class: &str, fill: &str) -> f64 {
        for (number, line) in lines.iter().enumerate() {
            self.words(line, x, top + size + 1.3 * size * number as f64, size, Anchor::Start, class, fill);
        }
        top + 1.3 * size * lines.len() as f64
    }

    fn stroke(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str, colour: &str, weight: f64) {
        let _ = writeln!(
            self.text,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"{weight}\"/>"
        );
    }

    fn panel(&mut self, figure: &Figure, panel: &Panel, grid: &Grid, place: usize) {
        let (left, top) = grid.corner(place);
        // 1. The title.
        let title = few_lines(&panel.title, LABEL, grid.width, TITLE_LINES);
        let lowest = top - 8.0 - LABEL * 1.25 * (title.len().max(1) - 1) as f64;
        for (number, line) in title.iter().enumerate() {
            self.words(line, left, lowest + LABEL * 1.25 * number as f64, LABEL, Anchor::Start, "ink", INK);
        }
        // 2. Grid lines and numbers. Only the leftmost panels have numbers at the left, only the lowest ones at the
        //    bottom.
        for (value, words) in grid.y.ticks(number_of_rows(grid.height)) {
            let y = top + grid.at(grid.x.low, value).1;
            self.stroke((left, y), (left + grid.width, y), "rule", RULE, 1.0);
            if place.is_multiple_of(grid.columns) {
                let words = few_lines(&words, NUMBER, NAMES, NAME_LINES);
                let first = y + 0.36 * NUMBER - 0.6 * NUMBER * (words.len() - 1) as f64;
                for (number, line) in words.iter().enumerate() {
                    self.words(line, left - 8.0, first + 1.2 * NUMBER * number as f64, NUMBER, Anchor::End, "ink", INK);
                }
            }
        }
        for (value, words) in numbers_along(grid.x, grid.width) {
            let x = left + grid.at(value, grid.y.low).0;
            self.stroke((x, top), (x, top + grid.height), "rule", RULE, 1.0);
            if place + grid.columns >= figure.panels.len() {
                // At the ends, numbers are moved inwards, away from those of the next panel.
                let half = width(&words, NUMBER) / 2.0;
                let middle = x.clamp(left + half - 12.0, (left + grid.width - half + 12.0).max(left + half - 12.0));
                self.words(&words, middle, top + grid.height + 1.36 * NUMBER, NUMBER, Anchor::Middle, "ink", INK);
            }
        }
        self.stroke((left, top + grid.height), (left + grid.width, top + grid.height), "axis", FAINT, 1.2);
        // 3. The marks.
        if !figure.behind.is_empty() {
            let _ = writeln!(self.text, "<use href=\"#{}-behind\" x=\"{left:.1}\" y=\"{top:.1}\"/>", figure.name);
        }
        panel.marks.iter().for_each(|mark| self.mark(mark, grid, (left, top)));
    }

    fn mark(&mut self, mark: &Mark, grid: &Grid, (left, top): (f64, f64)) {
        let at = |x: f64, y: f64| {
            let (x, y) = grid.at(x, y);
            (left + x, top + y)
        };
        match mark {
            Mark::Line(points, look) => {
                let drawn = thinned(points.iter().map(|&(x, y)| at(x, y)));
                self.path(&joined(&drawn), *look);
                for share in places_of_markers(*look).filter(|_| drawn.len() > 1) {
                    self.marker(drawn[(share * (drawn.len() - 1) as f64) as usize], RADIUS, *look);
                }
            }
            Mark::Steps(points, look) => {
                let mut drawn: Vec<(f64, f64)> = Vec::new();
                for &(x, y) in points {
                    let (x, y) = at(x, y);
                    drawn.extend(drawn.last().map(|&(_, before)| (x, before)));
                    drawn.push((x, y));
                }
                self.path(&joined(&drawn), *look);
                let end = points.last().map_or(0.0, |point| point.0);
                let height = |x: f64| points.iter().rev().find(|point| point.0 <= x).map_or(1.0, |point| point.1);
                for x in places_of_markers(*look).map(|share| share * end) {
                    self.marker(at(x, height(x)), RADIUS, *look);
                }
            }
            // A run without generations has no area.
            Mark::Band(points, _) if points.is_empty() => {}
            Mark::Band(points, look) => {
                let upper = thinned(points.iter().map(|&(x, _, high)| at(x, high)));
                let mut around = thinned(points.iter().map(|&(x, low, _)| at(x, low)));
                around.reverse();
                around.splice(0..0, upper);
                let (path, colour) = (joined(&around), look.colour());
                let _ = writeln!(self.text, "<path d=\"{path}Z\" fill=\"{colour}\" fill-opacity=\"0.17\"/>");
            }
            Mark::Points(points, look) => {
                points.iter().for_each(|&(x, y)| self.marker(at(x, y), RADIUS, *look));
            }
            Mark::Strokes(points, look) => {
                for &(x, y) in points {
                    let (x, y) = at(x, y);
                    self.stroke((x, y - 6.0), (x, y + 6.0), look.class(), look.colour(), 1.8);
                }
            }
            Mark::Range { row, from, to, middle } => {
                let ((x1, y), (x2, _), (x, _)) = (at(*from, *row), at(*to, *row), at(*middle, *row));
                self.stroke((x1, y), (x2, y), "faint-line", FAINT, 2.0);
                [x1, x2].iter().for_each(|&x| self.stroke((x, y - 4.0), (x, y + 4.0), "faint-line", FAINT, 2.0));
                self.stroke((x, y - 7.0), (x, y + 7.0), "ink-line", INK, 4.0);
            }
        }
    }

    fn path(&mut self, path: &str, look: Look) {
        let (class, colour, weight) = (look.class(), look.colour(), look.weight());
        let dashes = match look.dashes() {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        };
        let _ = writeln!(
            self.text,
            "<path class=\"{class}\" d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{weight}\" stroke-linejoin=\"round\"{dashes}/>"
        );
    }

    fn marker(&mut self, (x, y): (f64, f64), r: f64, look: Look) {
        let colour = look.colour();
        let near = |corners: &[(f64, f64)]| {
            joined(&corners.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect::<Vec<_>>()) + "Z"
        };
        let filled =
            format!("fill=\"{colour}\" fill-opacity=\"0.8\" stroke=\"#ffffff\" stroke-width=\"0.8\" class=\"spot\"");
        let open = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\"");
        let series = if let Look::Series(series) = look { series % LOOKS } else { 0 };
        let drawn = match series {
            1 => format!("<path d=\"{}\" {filled}/>", near(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])),
            2 => format!("<path d=\"{}\" {filled}/>", near(&[(0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)])),
            3 => format!("<path d=\"{}\" {filled}/>", near(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)])),
            4 => format!(
                "<path d=\"{0}{1}\" {open}/>",
                near(&[(-1.2, 0.0), (1.2, 0.0)]),
                near(&[(0.0, -1.2), (0.0, 1.2)])
            ),
            5 => format!(
                "<path d=\"{0}{1}\" {open}/>",
                near(&[(-1.0, -1.0), (1.0, 1.0)]),
                near(&[(-1.0, 1.0), (1.0, -1.0)])
            ),
            _ => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" {filled}/>"),
        };
        self.text += &(drawn + "\n");
    }

    /// Writes the legend in rows below the height `top`. Returns the height below it.
    fn legend(&mut self, keys: &[Key], top: f64) -> f64 {
        const SAMPLE: f64 = 44.0;
        let (mut x, mut y) = (MARGIN, top);
        for (number, key) in keys.iter().enumerate() {
            let words = few_lines(&key.words, LABEL, WIDTH - 2.0 * MARGIN - SAMPLE, 1).concat();
            let wide = SAMPLE + width(&words, LABEL) + 24.0;
            if number > 0 && x + wide - 24.0 > WIDTH - MARGIN {
                (x, y) = (MARGIN, y + 1.6 * LABEL);
            }
            let middle = y + 0.8 * LABEL;
            match key.sample {
                Sample::Line => {
                    self.path(&joined(&[(x, middle), (x + SAMPLE - 8.0, middle)]), key.look);
                    if let Look::Series(_) = key.look {
                        self.marker((x + (SAMPLE - 8.0) / 2.0, middle), RADIUS, key.look);
                    }
                }
                Sample::Point => self.marker((x + (SAMPLE - 8.0) / 2.0, middle), RADIUS, key.look),
            }
            self.words(&words, x + SAMPLE, middle + 0.36 * LABEL, LABEL, Anchor::Start, "ink", INK);
            x += wide;
        }
        if keys.is_empty() { top } else { y + 1.8 * LABEL }
    }
}

/// The positions of markers along a line, as shares of its length. Each look has other positions, so that lines can be
/// distinguished without colours.
fn places_of_markers(look: Look) -> impl Iterator<Item = f64> {
    const ALONG: usize = 4;
    let shift =
        if let Look::Series(series) = look { Some((series % LOOKS + 1) as f64 / (LOOKS + 1) as f64) } else { None };
    (0..ALONG).filter_map(move |number| shift.map(|shift| (number as f64 + shift) / ALONG as f64))
}

/// An SVG path through points.
fn joined(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (number, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if number == 0 { "M" } else { "L" });
    }
    path
}

/// Leaves out points that are less than a pixel to the right of the one before. The last point is kept.
fn thinned(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut last = None;
    for point in points {
        last = Some(point);
        if kept.last().is_none_or(|before| point.0 - before.0 >= 1.0) {
            kept.push(point);
        }
    }
    if kept.last() != last.as_ref() {
        kept.extend(last);
    }
    kept
}
