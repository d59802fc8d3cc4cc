//! What the fuzz targets check: one function for each parser, which takes any bytes and fails by a panic.
//!
//! `fuzz/` feeds these functions with bytes that libFuzzer finds; the test of this crate feeds them with the kept corpus. Each
//! checks more than that nothing panics: what can be read can be written and read again, and comes out the same.
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
