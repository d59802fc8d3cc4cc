//! Lanes: a network evaluates several positions at once.

/// The number of positions that a network evaluates at once.
///
/// Eight numbers fill the registers of every processor in use, and small games still fill the batches. The sums of one
/// lane never mix with another's, so the outputs for a position do not depend on the other positions.
pub const LANES: usize = 8;

/// One number for each of the positions that are evaluated at once.
pub type Lanes = [f32; LANES];

/// Reusable memory for the values of a network's nodes.
#[derive(Clone, Debug, Default)]
pub struct Scratch(pub(crate) Vec<Lanes>);
