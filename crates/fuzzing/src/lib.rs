//! The checks of the fuzz targets: one function for each parser, which takes any bytes and panics if a check fails.
//!
//! `fuzz/` calls these functions with bytes that libFuzzer finds; the test of this crate calls them with the saved
//! corpus. Each function also checks that what can be read can be written and read again, with an equal result.
//!
//! ```
//! let target = fuzzing::find("network-text").expect("there is such a target");
//! (target.check)(b"graph 18446744073709551615 1 relu identity | 1 0 0:1");
//! ```

mod files;
mod networks;
mod populations;
mod positions;
mod records;
mod requests;
mod runs;
mod seeds;
mod target;
mod texts;

pub use seeds::seeds;
pub use target::{TARGETS, Target, find};
