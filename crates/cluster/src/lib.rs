//! Labs and trainings on many machines. They share their work through a NATS server with JetStream: a coordinator asks
//! for tasks, workers take them, and a result does not depend on the machine that computed it.
//!
//! A worker runs until its stop function says `true`:
//!
//! ```no_run
//! use cluster::{Server, WorkerOptions, work};
//!
//! fn main() -> Result<(), cluster::Error> {
//!     let server = Server::from_environment("nats://127.0.0.1:4222", None)?;
//!     let options = WorkerOptions { threads: 2, name: "example".to_string() };
//!     work(&server, &options, &|sentence| println!("{sentence}"), || false)
//! }
//! ```
//!
//! `docs/cluster.md` describes the messages.

mod coordinator;
mod crew;
mod error;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod job;
mod lab_members;
mod link;
mod load;
mod overview;
mod program;
mod protocol;
mod puller;
mod server;
#[cfg(test)]
mod tests;
mod training;
mod worker;
mod workplace;

pub use coordinator::{Coordinator, CoordinatorOptions};
pub use crew::{WorkerState, workers};
pub use error::Error;
pub use lab_members::SharedLab;
pub use load::{LoadOptions, LoadReport, measure_load, simulate_workers};
pub use overview::{Overview, TasksLeft};
pub use server::Server;
pub use worker::{WorkerOptions, work};
