//! Labs: many runs compared with each other.

mod comparison;

pub use comparison::{Compared, Comparison, Group, Member, MemberState};
