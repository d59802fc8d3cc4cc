//! What the programs of a cluster must have in common: the version of the messages, the version of Gamete, and a short
//! computation with the same result.

use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use trainer::Experiment;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the messages between coordinators and workers.
pub(crate) const MESSAGES: u32 = 2;

/// A program that takes part in a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Program {
    /// The version of the messages.
    pub messages: u32,
    /// The version of Gamete.
    pub version: String,
    /// The signature of a short training, which shows whether the machine computes as others do.
    pub signature: String,
}

impl Program {
    /// This program on this machine.
    pub fn this() -> Program {
        static SIGNATURE: OnceLock<String> = OnceLock::new();
        let signature = SIGNATURE.get_or_init(signature).clone();
        Program { messages: MESSAGES, version: env!("CARGO_PKG_VERSION").to_string(), signature }
    }

    /// A name for this kind of program, for subjects. Programs of different kinds never share tasks.
    pub fn kind(&self) -> String {
        let Program { messages, version, signature } = self;
        format!("{:016x}", xxh3_64(format!("{messages} {version} {signature}").as_bytes()))
    }

    /// Why a worker cannot work for this coordinator, as a sentence; `None` if it can.
    pub fn why_not(&self, worker: &Program, name: &str) -> Option<String> {
        let differs = |what: &str, theirs: &str, ours: &str| {
            Some(format!("the worker {name} was refused: its {what} is {theirs}, and the coordinator's is {ours}"))
        };
        if worker.messages != self.messages {
            let (theirs, ours) = (worker.messages.to_string(), self.messages.to_string());
            return differs("version of the messages", &theirs, &ours);
        }
        if worker.version != self.version {
            return differs("version of Gamete", &worker.version, &self.version);
        }
        if worker.signature != self.signature {
            return differs("signature of a short training", &worker.signature, &self.signature);
        }
        None
    }
}

/// Trains two short runs, one of sparse networks and one of dense ones, and returns a hash of their signatures.
fn signature() -> String {
    let short = [("minichess", "neat"), ("draughts-enn", "enn")];
    let signatures = short.map(|(name, strategy)| {
        let mut experiment = Experiment::shipped(name).expect("the experiment is shipped");
        let population = format!("strategy.{strategy}.population=12");
        experiment.set(&[&population, "schedule.circular.opponents=4"]).expect("these values are allowed");
        let mut trainer = experiment.trainer(1);
        trainer.step(&Vec::new()).expect("the first generation needs no champions of the past");
        format!("{:032x}", trainer.signature())
    });
    format!("{:016x}", xxh3_64(signatures.concat().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_say_what_differs() {
        let program = |messages: u32, version: &str, signature: &str| Program {
            messages,
            version: version.to_string(),
            signature: signature.to_string(),
        };
        let ours = program(1, "0.2.0", "aa");
        let check = |theirs: Program, expected: Option<&str>| {
            assert_eq!(ours.why_not(&theirs, "pc-7").as_deref(), expected);
            assert_eq!(ours.kind() == theirs.kind(), expected.is_none());
        };
        check(ours.clone(), None);
        check(
            program(2, "0.3.0", "bb"),
            Some("the worker pc-7 was refused: its version of the messages is 2, and the coordinator's is 1"),
        );
        check(
            program(1, "0.1.0", "aa"),
            Some("the worker pc-7 was refused: its version of Gamete is 0.1.0, and the coordinator's is 0.2.0"),
        );
        check(
            program(1, "0.2.0", "bb"),
            Some("the worker pc-7 was refused: its signature of a short training is bb, and the coordinator's is aa"),
        );
    }
}
