//! Runs all targets with the saved corpus, which contains every input that once failed.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use fuzzing::TARGETS;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The longest time for one input, generous enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn the_corpus_passes() {
    for target in TARGETS {
        let files = files(&corpus().join(target.name));
        assert!(!files.is_empty(), "{} has no corpus", target.name);
        for file in files {
            let begun = Instant::now();
            let bytes = std::fs::read(&file).unwrap();
            let passed = std::panic::catch_unwind(|| (target.check)(&bytes));
            assert!(passed.is_ok(), "{} fails with {}", target.name, file.display());
            assert!(begun.elapsed() < PATIENCE, "{} takes {:?}", file.display(), begun.elapsed());
        }
    }
}

#[test]
fn every_folder_of_the_corpus_is_a_target() {
    for folder in files(&corpus()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(fuzzing::find(&name).is_some(), "{name} is no target");
    }
}
