//! Where networks play: seats, players, schedules, tournaments, scoring, grading and ratings. No files, no clocks.
//!
//! A tournament is a list of pairings that becomes a list of records that becomes a list of scores:
//!
//! ```
//! use arena::{Arena, Circular, Pairing, Schedule, Seating};
//! use chance::rng_for;
//! use evolution::{Activation, Graph, Network};
//! use games::{Game, Setup as _, nim::Nim};
//! use std::sync::Arc;
//!
//! let setup = <Nim as Game>::Setup::usual();
//! let seating = Seating::<Nim>::new(setup, "counts", "value", "strict").unwrap();
//! let rng = &mut rng_for(1, &[]);
//! let networks: Vec<Arc<Network>> = (0..10)
//!     .map(|_| Arc::new(Network::Graph(Graph::random(seating.shape(), Activation::Relu, Activation::Identity, rng))))
//!     .collect();
//! let mut arena = Arena::new(seating);
//! let entrants = arena.enter(&networks);
//! let pairings = Circular { opponents: 4 }.next_round(entrants.len(), &[], rng);
//! let records = arena.play(&entrants, &pairings, rng);
//! assert_eq!(records.len(), 10 * 4);
//! let scores = arena::points(entrants.len(), &records, false);
//! assert_eq!(scores.iter().sum::<f64>(), 40.0);
//! ```

mod atlas;
mod elo;
mod exam;
mod player;
mod referee;
mod schedule;
mod scoring;
mod seating;
mod starts;
mod table;
mod tournament;

pub use elo::{MatchScore, Rating};
pub use exam::{Exam, Examiner, SAMPLED_POSITIONS};
pub use player::{Choice, First, NetworkPlayer, Perfect, Player, Random};
pub use referee::{Ending, Played, opening, play_game};
pub use schedule::{Circular, Pairing, Schedule};
pub use scoring::{Scoring, champion, exam_points, points};
pub use seating::{Seating, SeatingError};
pub use starts::Starts;
pub use tournament::{Arena, Entrant, GameRecord};

pub(crate) use atlas::{Atlas, AtlasSolver};
pub(crate) use seating::{Decision, Head};
pub(crate) use table::{Sheet, Table};
