//! Access for the fuzz targets in `crates/fuzzing` to the messages between coordinators and workers.

use crate::WorkerState;
use crate::program::Program;
use crate::protocol::{
    Answer, Hello, MemberWork, Note, ObjectName, Outcome, Population, Slice, Task, TaskResult, Work, bytes_of, read,
};
use arena::{GameRecord, SharedGame, SharedRecords};
use serde::Serialize;
use serde::de::DeserializeOwned;
use trainer::ExperimentFile;

/// Reads a message whose kind is the first byte, and handles it as far as this is possible without a server. What can be
/// read must be written and read again with an equal result.
pub fn check_message(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    match kind % 6 {
        0 => {
            if let Some(task) = read_again::<Task>(bytes)
                && let Ok(task) = task.checked()
            {
                assert!(!task.name().is_empty());
            }
        }
        1 => {
            if let Some(result) = read_again::<TaskResult>(bytes) {
                assert_eq!(result.outcome.hash(), result.outcome.hash());
            }
        }
        2 => {
            if let Some(population) = read_again::<Population>(bytes) {
                let _ = ExperimentFile::parse("shared", "the experiment of a task", &population.experiment);
            }
        }
        3 => drop(read_again::<Note>(bytes)),
        4 => drop(serde_json::from_slice::<WorkerState>(bytes)),
        _ => {
            drop(serde_json::from_slice::<Answer>(bytes));
            if let Ok(hello) = serde_json::from_slice::<Hello>(bytes) {
                let _ = Program::this().why_not(&hello.program, &hello.name);
            }
        }
    }
}

fn read_again<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let value = read::<T>(bytes)?;
    let written = bytes_of(&value);
    let again = read::<T>(&written).expect("what was written can be read");
    // Bytes are compared, because NaN differs from itself.
    assert!(bytes_of(&again) == written, "a message changes when it is written and read again");
    Some(value)
}

/// Messages of each kind.
pub fn messages() -> Vec<Vec<u8>> {
    let object = || ObjectName { name: "t01/generation-3".to_string(), hash: 7 };
    let game = SharedGame { first: 0, second: 1, start: 2, blunders: Some(3) };
    let record =
        GameRecord { first: 0, second: 1, turns: 9, perfect: [1, 2], graded: [3, 4], outcome: games::Outcome::Draw };
    let games = Work::Games { generation: 3, population: object(), games: vec![game; 3] };
    let member = Work::Member(MemberWork {
        member: "a-seed-1".to_string(),
        name: "nim-2x4".to_string(),
        experiment: "game = \"nim\"".to_string(),
        from: Some(object()),
        until: Some(8),
    });
    let task = |work: Work, verifies: Option<&str>| {
        bytes_of(&Task { job: "t01".to_string(), verifies: verifies.map(str::to_string), work })
    };
    let result = |outcome: Outcome| {
        let (task, worker) = ("t01/generation-3/games-00".to_string(), "pc-1".to_string());
        bytes_of(&TaskResult { task, worker, seconds: 0.5, hash: outcome.hash(), outcome })
    };
    let slice = Slice {
        generation: 8,
        finished: true,
        signature: "ab".to_string(),
        cpu_seconds: 1.5,
        file: ObjectName { name: "l01/a-seed-1/8-00ff-1".to_string(), hash: 255 },
    };
    let networks =
        ["layered 2-1 0 tanh tanh | 0.5 1 -1", "graph 2 1 elu:0.1 identity | 1 0.5 0:1 1:-1 | 2 -0.25 2:0.7"];
    let networks = networks.iter().filter_map(|text| text.parse().ok()).map(std::sync::Arc::new).collect();
    let note = Note { task: "a".to_string(), worker: "b".to_string(), process: 1, delivered: 2, line: None };
    let texts = [
        (
            4u8,
            r#"{"name":"a","process":1,"version":"0.2.0","threads":2,"cores":4,"doing":["x"],"tasks":1,"games":2,"seconds":1.5,"error":null,"leaves":false}"#,
        ),
        (5, r#"{"name":"a","cores":4,"program":{"messages":2,"version":"0.2.0","signature":"00"}}"#),
        (5, r#"{"refused":"the worker a was refused"}"#),
    ];
    let mut all = vec![
        (0, task(games.clone(), None)),
        (0, task(member, None)),
        (0, task(games, Some("pc-1"))),
        (1, result(Outcome::Played(SharedRecords { records: vec![record; 3], judged: 27 }))),
        (1, result(Outcome::Trained(slice))),
        (1, result(Outcome::Failed("why".to_string()))),
        (2, bytes_of(&Population { experiment: "game = \"nim\"".to_string(), networks })),
        (3, bytes_of(&note)),
    ];
    all.extend(texts.map(|(kind, text)| (kind, text.as_bytes().to_vec())));
    all.into_iter().map(|(kind, bytes): (u8, Vec<u8>)| [vec![kind], bytes].concat()).collect()
}
