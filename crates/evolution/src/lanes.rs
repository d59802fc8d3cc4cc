//! How many positions a network judges at once, and the room in which it does.

/// How many positions a network judges at once.
///
/// Eight numbers fill the registers of every processor in use and keep the batches of small games full. The sums of
/// one lane never touch another's, so a position's answer does not depend on its company.
pub const LANES: usize = 8;

/// One number for each of the positions judged at once.
pub type Lanes = [f32; LANES];

/// Room for the values of a network's nodes, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Scratch(pub(crate) Vec<Lanes>);
