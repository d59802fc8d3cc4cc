//! Writes a report of all runs in a folder. Names such as `small-seed-3.db` say to which configuration a run belongs.
//!
//! `cargo run --release --example folder_report -- runs report [MEASURE…]`; the first configuration is the baseline.
//! The program prints how long it took.

use lab::{Compared, Comparison, Group, Member, MemberState};
use runs::{RunFile, RunState};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [runs, report, measures @ ..] = &words[..] else {
        return Err("give a folder of runs, a folder for the report, and measures to compare".into());
    };
    let mut configurations: Vec<Compared> = Vec::new();
    for file in runs::run_files(Path::new(runs))? {
        let run = RunFile::open(&file)?;
        let (info, name) = (run.info()?, run.name());
        let configuration = name.split("-seed-").next().unwrap_or(&name).to_string();
        let state = match run.state() {
            RunState::Training => MemberState::Running,
            RunState::Stopped(_) => MemberState::Finished,
            RunState::Killed => MemberState::Interrupted,
        };
        if configurations.last().is_none_or(|last| last.name != configuration) {
            let (seeds, members) = (Vec::new(), Vec::new());
            configurations.push(Compared {
                name: configuration,
                experiment: info.experiment,
                settings: Vec::new(),
                islands: None,
                seeds,
                members,
            });
        }
        if let Some(last) = configurations.last_mut() {
            last.seeds.push(info.seed);
            last.members.push(Member { name, seed: info.seed, file, state });
        }
    }
    let comparison = Comparison {
        lab: runs.clone(),
        about: String::new(),
        measures: if measures.is_empty() { vec!["grade".to_string()] } else { measures.to_vec() },
        last: 1,
        groups: vec![Group { name: "all".to_string(), baseline: Some(0), configurations }],
    };
    let start = std::time::Instant::now();
    let written = lab::write_report(&comparison, Path::new(report), &mut |what| eprintln!("{what}"))?;
    println!("{}: {} generations, {:.2} s", written.page.display(), written.rows, start.elapsed().as_secs_f64());
    Ok(())
}
