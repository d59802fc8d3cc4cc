//! A figure: marks in panels that share their axes, a legend, and words. It is drawn by `drawing.rs`.

use crate::axis::Axis;

/// A figure, before it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// In file names.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Units, seeds, and what its marks mean.
    pub caption: String,
    /// From left to right.
    pub x: Axis,
    /// From the bottom to the top, or rows from the top.
    pub y: Axis,
    /// Marks that all panels have in the background.
    pub behind: Vec<Mark>,
    /// One or several.
    pub panels: Vec<Panel>,
    /// Which look means what.
    pub legend: Vec<Key>,
}

/// A part of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Above it; may be empty.
    pub title: String,
    /// Marks, the first of them furthest behind.
    pub marks: Vec<Mark>,
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line(Vec<(f64, f64)>, Look),
    /// From a point straight to the height of the next one only below it.
    Steps(Vec<(f64, f64)>, Look),
    /// An area between two heights at each place.
    Band(Vec<(f64, f64, f64)>, Look),
    /// Points, each by itself.
    Points(Vec<(f64, f64)>, Look),
    /// Short strokes that stand on a line.
    Strokes(Vec<(f64, f64)>, Look),
    /// A row's range from one value to another with a stroke at a third between them.
    Range {
        /// The row's number.
        row: f64,
        /// Its lower end.
        from: f64,
        /// Its upper end.
        to: f64,
        /// The middle, which is marked.
        middle: f64,
    },
}

/// How a mark looks: in colour, in grey, and for whoever does not see all colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// One of the six that can be told apart.
    Series(usize),
    /// What others are compared with.
    Baseline,
    /// What is only there for comparison.
    Others,
}

/// More cannot be told apart in one panel.
pub const LOOKS: usize = 6;

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What it means.
    pub words: String,
    /// How it looks.
    pub look: Look,
    /// What it looks like.
    pub sample: Sample,
}

/// What stands in a legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// A line with its marker.
    Line,
    /// A marker.
    Point,
}

/// Colours that nearly everybody can tell apart: Okabe and Ito, 2008.
const COLOURS: [&str; LOOKS] = ["#0072b2", "#d55e00", "#009e73", "#b8558c", "#c98600", "#3a9bd9"];
const DASHES: [&str; LOOKS] = ["", "9 4", "11 3 2 3", "2.5 3", "18 5", "6 2.5 2 2.5 2 2.5"];

impl Look {
    /// The colour, as CSS writes it.
    pub fn colour(self) -> &'static str {
        match self {
            Look::Series(place) => COLOURS[place % LOOKS],
            Look::Baseline => "#1a1f16",
            Look::Others => "#a3a89f",
        }
    }

    /// Lengths of strokes and gaps; nothing for a whole line.
    pub fn dashes(self) -> &'static str {
        match self {
            Look::Series(place) => DASHES[place % LOOKS],
            Look::Baseline => "5 3",
            Look::Others => "",
        }
    }

    /// How wide lines are.
    pub fn weight(self) -> f64 {
        match self {
            Look::Series(_) => 2.4,
            Look::Baseline => 1.6,
            Look::Others => 1.0,
        }
    }

    /// The class by which a page can give it another colour on a dark ground.
    pub fn class(self) -> &'static str {
        match self {
            Look::Series(_) => "series",
            Look::Baseline => "ink",
            Look::Others => "others",
        }
    }
}
