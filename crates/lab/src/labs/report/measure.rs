//! What can be compared: its key, what people call it, and its unit.

use trainer::{InLabs, MEASURES, Unit};

/// All measures of a comparison: what is compared, then what else is told.
pub(crate) fn all(compared: &[String]) -> Vec<ComparedMeasure> {
    let beside = MEASURES.iter().filter(|measure| measure.labs == InLabs::Beside).map(|measure| measure.key);
    let rest = beside.filter(|key| !compared.iter().any(|measure| measure == key));
    compared.iter().map(String::as_str).chain(rest).map(ComparedMeasure::new).collect()
}

/// A measure of the trainer's table, or a part of the exam.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComparedMeasure {
    /// The measure's key, or the name of the part.
    pub key: String,
    /// What it is.
    pub words: String,
    /// What it is counted in.
    pub unit: Unit,
}

impl ComparedMeasure {
    pub fn new(key: &str) -> ComparedMeasure {
        let (words, unit) = trainer::Measure::of(key).map_or((key, Unit::Share), |known| (known.words, known.unit));
        ComparedMeasure { key: key.to_string(), words: words.to_string(), unit }
    }

    /// With its unit, for an axis.
    pub fn label(&self) -> String {
        format!("{} ({})", self.words, self.unit.words())
    }

    /// In file names.
    pub fn slug(&self) -> String {
        slug(&self.key)
    }
}

/// A name as it can be a part of a file's name everywhere.
pub(crate) fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let mut slug: String = name.chars().map(plain).collect();
    while slug.contains("--") {
        slug = slug.replace("--", "-");
    }
    slug.trim_matches('-').to_string()
}
