//! Where networks play: seats, players, schedules, tournaments, scoring, grading and ratings. No files, no clocks.
//!
//! A tournament is a list of pairings that becomes a list of records that becomes a list of scores:
//!
//! ```
//! use arena::{Arena, Circular, Conditions, Pairing, Schedule, Seating};
//! use chance::rng_for;
//! use evolution::{Activation, Graph, Network};
//! use games::{Game, Setup as _, nim::Nim};
//! use std::sync::Arc;
//!
//! let setup = <Nim as Game>::Setup::usual();
//! let seating = Seating::<Nim>::new(setup, "counts", "value", "strict", 0).unwrap();
//! let rng = &mut rng_for(1, &[]);
//! let networks: Vec<Arc<Network>> = (0..10)
//!     .map(|_| Arc::new(Network::Graph(Graph::random(seating.shape(), Activation::Relu, Activation::Identity, rng))))
//!     .collect();
//! let mut arena = Arena::new(seating);
//! let entrants = arena.enter(&networks);
//! let pairings = Circular { opponents: 4 }.next_round(entrants.len(), &[], rng);
//! let records = arena.play(&entrants, &pairings, &Conditions::default(), rng);
//! assert_eq!(records.len(), 10 * 4);
//! let scores = arena::points(entrants.len(), &records, &arena::Points::USUAL);
//! assert_eq!(scores.iter().sum::<f64>(), 40.0);
//! ```

mod atlas;
mod course;
mod decided;
mod elo;
mod evaluator;
mod exam;
mod mind;
mod monte_carlo;
mod player;
mod proof;
mod questions;
mod ratings;
mod referee;
mod schedule;
mod scoring;
mod search;
mod seating;
mod starts;
mod table;
mod tactics;
mod tournament;
mod transpositions;
mod view;

pub use course::Course;
pub use elo::{MatchScore, Rating};
pub use evaluator::{Evaluator, Material, NetworkEvaluator, Room};
pub use exam::{Exam, Examiner, SAMPLED_POSITIONS, SearchedGrades, TacticsExam, Truth, grade_endgames};
pub use mind::Mind;
pub use monte_carlo::{Explored, MonteCarlo, MonteCarloSettings, Playouts};
pub use player::{
    Choice, First, MaterialPlayer, MonteCarloPlayer, NetworkPlayer, Perfect, Player, Random, WithEndgames,
};
pub use proof::{Proof, WON};
pub use questions::find_questions;
pub use ratings::{Match, ratings};
pub use referee::{Ending, Played, opening, play_game};
pub use schedule::{Circular, Opens, Pairing, RoundRobin, Schedule, SelfPlay};
pub use scoring::{Points, Scoring, champion, exam_points, points};
pub use search::{Budget, Extend, Found, Limits, MOST_DEPTH, Search, Techniques, ValuedMoves, plies_to_end};
pub use seating::{Seating, SeatingError};
pub use starts::Starts;
pub use tactics::{Failure, Question, ScoredPoints, TacticsGrades, grade_tactics, read_questions, write_questions};
pub use tournament::{Arena, Conditions, Entrant, GameRecord, Met};
pub use view::{Prospect, View};

pub(crate) use atlas::{Atlas, AtlasSolver};
pub(crate) use seating::{Decision, Head};
pub(crate) use table::{Sheet, Table};
