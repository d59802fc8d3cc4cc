//! One file for each strategy.

pub(crate) mod enn;
