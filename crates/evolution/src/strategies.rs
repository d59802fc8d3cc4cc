//! One file for each strategy.

pub(crate) mod blondie;
pub(crate) mod enn;
pub(crate) mod ga;
mod layers;
mod memory;
pub(crate) mod neat;
pub(crate) mod series;
pub(crate) mod td;
