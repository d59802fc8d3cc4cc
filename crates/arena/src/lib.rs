//! Lets networks and other players play games: seatings, players, schedules, tournaments, scoring, exams and ratings.
//! This crate uses no files and no clocks. Other programs can use it (package `gamete-arena`) for alpha-beta search,
//! Monte Carlo tree search, matches, and Elo ratings with intervals ([`MatchScore`]) in any game.
//!
//! Two players play a match; every opening is played twice, with sides changed:
//!
//! ```
//! use arena::{Examiner, MatchTerms, Perfect, Random, play_match};
//! use games::{Game, Setup as _, nim::Nim};
//! use std::sync::Arc;
//!
//! let setup = <Nim as Game>::Setup::usual();
//! let examiner = Examiner::<Nim>::new(&setup).expect("Nim is solved");
//! let solver = examiner.solver().expect("Nim is solved");
//! let terms = MatchTerms { games: 200, plies: 0, seed: 1, threads: None };
//! let score = play_match(|| Perfect(Arc::clone(solver)), || Random, &setup, &terms);
//! assert_eq!(score.games(), 200);
//! assert!(score.share() > 0.9);
//! println!("{} wins, {:?}", score.wins, score.rating());
//! ```
//!
//! One generation: a schedule gives pairings, the arena plays them and returns records, and scoring turns the records
//! into scores:
//!
//! ```
//! use arena::{Arena, Circular, Conditions, Points, Schedule, Scoring, Seating};
//! use chance::rng_for;
//! use evolution::{Activation, Graph, Network};
//! use games::nim::{self, Nim};
//! use games::{Game, Setup as _};
//! use std::sync::Arc;
//!
//! fn main() -> Result<(), games::KeyError> {
//!     let setup = <Nim as Game>::Setup::usual();
//!     let seating = Seating::new(setup, &nim::Counts).at_depth(1)?;
//!     let rng = &mut rng_for(1, &[]);
//!     let networks: Vec<Arc<Network>> = (0..10)
//! .map(|_| Arc::new(Network::Graph(Graph::random(seating.shape(), Activation::Relu, Activation::Identity, rng))))
//!         .collect();
//!     let mut arena = Arena::new(seating);
//!     let entrants = arena.enter(&networks);
//!     let pairings = Circular { opponents: 4 }.pairings(entrants.len(), rng);
//!     let records = arena.play(&entrants, &pairings, &Conditions::default(), rng);
//!     assert_eq!(records.len(), 10 * 4);
//!     let scores = Points::USUAL.scores(entrants.len(), &records);
//!     assert_eq!(scores.iter().sum::<f64>(), 40.0);
//!     Ok(())
//! }
//! ```

mod atlas;
mod decision;
mod decision_cache;
mod decision_table;
mod diagnosis;
mod elo;
mod evaluator;
mod exam;
mod footprint;
mod game_history;
mod match_play;
mod monte_carlo;
mod network_evaluator;
mod opinion;
mod parts;
mod player;
mod prepared_network;
mod proof;
mod questions;
mod ratings;
mod referee;
mod schedules;
mod scorings;
mod search;
mod seating;
mod starts;
mod tactics;
mod threads;
mod tournament;

pub use diagnosis::{consistency, value_of_turn};
pub use elo::{MatchScore, Rating};
pub use evaluator::{Evaluator, Material, Mobility};
pub use exam::{Exam, Examiner, SAMPLED_POSITIONS, SearchedGrades, TacticsExam, Truth, grade_endgames, solver_of};
pub use game_history::GameHistory;
pub use match_play::{MOST_MATCH_PLIES, MatchTerms, MatchWatch, PlayerMaker, play_match, watch_match};
pub use monte_carlo::{Explored, MonteCarlo, MonteCarloSettings, Playouts};
pub use network_evaluator::{EvalScratch, NetworkEvaluator};
pub use opinion::{Opinion, Outlook};
pub use player::{
    Choice, First, MaterialPlayer, MonteCarloPlayer, NetworkPlayer, Perfect, Player, Random, WithEndgames,
};
pub use prepared_network::PreparedNetwork;
pub use proof::{Proof, WON};
pub use questions::find_questions;
pub use ratings::{Match, anchored_rating, ratings};
pub use referee::{Ending, Played, opening, play_game};
pub use schedules::{Circular, Opens, Pairing, RoundRobin, Schedule, ScheduleConfig, ScheduleInfo, SelfPlay};
pub use scorings::{ExamScoring, Points, Scoring, ScoringConfig, ScoringInfo, champion};
pub use search::{
    Budget, Extend, Found, Limits, MOST_DEPTH, Method, Progress, Search, Selection, Techniques, ValuedMoves,
    plies_to_end,
};
pub use seating::{Head, Play, Seating};
pub use starts::Starts;
pub use tactics::{Failure, Question, ScoredPoints, TacticsGrades, grade_tactics, read_questions, write_questions};
pub use threads::cores;
pub use tournament::{
    Arena, Conditions, Entrant, GameRecord, RememberedGames, SharedGame, SharedRecords, Sharing, SharingError,
};

pub(crate) use atlas::{Atlas, AtlasSolver};
pub(crate) use decision_table::{DecisionTable, EncodedAtlas};
pub(crate) use seating::Decision;

/// The examples in the book run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extending-schedule.md")]
struct Extending;
