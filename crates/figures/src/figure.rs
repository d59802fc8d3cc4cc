//! The description of a figure: marks in panels that share their axes, a legend, a title and a caption. `svg_figure.rs`
//! draws it.

use crate::axis::Axis;

/// A figure, before it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name in file names.
    pub name: String,
    /// What the figure shows.
    pub title: String,
    /// Units, seeds, and what the marks mean.
    pub caption: String,
    /// The horizontal axis, from left to right.
    pub x: Axis,
    /// The vertical axis, from the bottom to the top; rows with names go from the top to the bottom.
    pub y: Axis,
    /// Marks in the background of all panels.
    pub behind: Vec<Mark>,
    /// The panels, at least one.
    pub panels: Vec<Panel>,
    /// The legend, which explains the looks of marks.
    pub legend: Vec<Key>,
}

/// A part of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The title above the panel; it may be empty.
    pub title: String,
    /// The marks. Later ones are drawn over earlier ones.
    pub marks: Vec<Mark>,
}

/// Something that is drawn in a panel. Points are given as x and y.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line(Vec<(f64, f64)>, Look),
    /// A step function: from each point horizontally to the x of the next one, then vertically to it.
    Steps(Vec<(f64, f64)>, Look),
    /// An area between two curves, given as x, lower y and upper y.
    Band(Vec<(f64, f64, f64)>, Look),
    /// Separate points.
    Points(Vec<(f64, f64)>, Look),
    /// Short vertical strokes, for example on a line.
    Strokes(Vec<(f64, f64)>, Look),
    /// A horizontal range in a row, with a stroke at a value within it.
    Range {
        /// The row's number.
        row: f64,
        /// The lower end of the range.
        from: f64,
        /// The upper end of the range.
        to: f64,
        /// The value within the range that is marked, for example a median.
        middle: f64,
    },
}

/// The look of a mark. Looks differ in colour, dashes and markers, so that they can be distinguished in grey and by
/// colour-blind readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// One of six looks that are easy to distinguish; other numbers repeat them.
    Series(usize),
    /// The baseline, with which the others are compared.
    Baseline,
    /// Marks in the background.
    Others,
}

/// The number of different looks of series. More cannot be distinguished in one panel.
pub const LOOKS: usize = 6;

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The explanation.
    pub words: String,
    /// The look that is explained.
    pub look: Look,
    /// Whether a line or a marker is drawn beside the explanation.
    pub sample: Sample,
}

/// What is drawn beside an entry of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// A line with its marker.
    Line,
    /// A marker.
    Point,
}

/// Colours that nearly all readers can distinguish: Okabe and Ito, 2008.
const COLOURS: [&str; LOOKS] = ["#0072b2", "#d55e00", "#009e73", "#b8558c", "#c98600", "#3a9bd9"];
const DASHES: [&str; LOOKS] = ["", "9 4", "11 3 2 3", "2.5 3", "18 5", "6 2.5 2 2.5 2 2.5"];

impl Look {
    /// The colour in CSS.
    pub fn colour(self) -> &'static str {
        match self {
            Look::Series(place) => COLOURS[place % LOOKS],
            Look::Baseline => "#1a1f16",
            Look::Others => "#a3a89f",
        }
    }

    /// The lengths of strokes and gaps; empty for a solid line.
    pub fn dashes(self) -> &'static str {
        match self {
            Look::Series(place) => DASHES[place % LOOKS],
            Look::Baseline => "5 3",
            Look::Others => "",
        }
    }

    /// The width of lines in pixels.
    pub fn weight(self) -> f64 {
        match self {
            Look::Series(_) => 2.4,
            Look::Baseline => 1.6,
            Look::Others => 1.0,
        }
    }

    /// The CSS class, with which a page can change the colour on a dark background.
    pub fn class(self) -> &'static str {
        match self {
            Look::Series(_) => "series",
            Look::Baseline => "ink",
            Look::Others => "others",
        }
    }
}
