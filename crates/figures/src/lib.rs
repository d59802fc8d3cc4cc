//! Everything for reports: statistics of samples, charts as SVG and PNG, tables as CSV, Markdown and HTML, drawings of
//! networks, and Parquet files for other programs.
//!
//! ```
//! let grades = figures::sorted(vec![0.9, 0.7, 0.8]);
//! assert_eq!(figures::quartiles(&grades)[1], 0.8);
//! ```

mod axis;
mod figure;
mod lettering;
mod network_drawing;
mod parquet_file;
mod png;
mod statistics;
mod svg_figure;
mod table;

pub use axis::{Axis, Kind};
pub use figure::{Figure, Key, LOOKS, Look, Mark, Panel, Sample};
pub use lettering::width;
pub use network_drawing::{DrawnEdge, DrawnNode, NetworkDrawing, NodeKind, Picture};
pub use parquet_file::{Column, ParquetFailure, ParquetFile, Values};
pub use png::png;
pub use statistics::{RankTest, Survival, holm, interval_of_mean, mean, quartiles, rank_test, sorted};
pub use svg_figure::{Words, svg};
pub use table::{Cell, Table, escaped, in_digits};
