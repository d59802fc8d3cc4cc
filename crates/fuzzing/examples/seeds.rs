//! Writes the first inputs of all targets into `fuzz/corpus`, and dictionaries of their words into `fuzz/dictionaries`.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for target in fuzzing::TARGETS {
        let folder = fuzz.join("corpus").join(target.name);
        std::fs::create_dir_all(&folder)?;
        let seeds = fuzzing::seeds(target.name);
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number:02}")), seed)?;
        }
        let words: BTreeSet<&str> =
            seeds.iter().filter_map(|seed| std::str::from_utf8(seed).ok()).flat_map(words).collect();
        if !words.is_empty() {
            let lines: String = words.iter().map(|word| format!("\"{word}\"\n")).collect();
            std::fs::create_dir_all(fuzz.join("dictionaries"))?;
            std::fs::write(fuzz.join("dictionaries").join(format!("{}.dict", target.name)), lines)?;
        }
    }
    Ok(())
}

/// The words of a text that the fuzzer should insert as a whole.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.-:/".contains(c);
    text.split(move |c| !is_part(c)).filter(|word| (2..40).contains(&word.len()))
}
