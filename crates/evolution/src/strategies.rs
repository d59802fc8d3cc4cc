//! One file for each strategy.

pub(crate) mod blondie;
pub(crate) mod cma_es;
pub(crate) mod enn;
pub(crate) mod ga;
mod layers;
mod memory;
pub(crate) mod neat;
pub(crate) mod openai_es;
pub(crate) mod random_search;
pub(crate) mod series;
pub(crate) mod td;
