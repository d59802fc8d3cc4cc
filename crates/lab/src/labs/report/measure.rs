//! The measures of a report, with their keys, names and units.

use trainer::{InLabs, MEASURES, Unit};

/// All measures of a report: those that are compared, then those that are only shown.
pub(crate) fn all(compared: &[String]) -> Vec<ComparedMeasure> {
    let beside = MEASURES.iter().filter(|measure| measure.labs == InLabs::Beside).map(|measure| measure.key);
    let rest = beside.filter(|key| !compared.iter().any(|measure| measure == key));
    compared.iter().map(String::as_str).chain(rest).map(ComparedMeasure::new).collect()
}

/// A measure of the trainer's table, or a part of the exam.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComparedMeasure {
    /// The measure's key, or the name of the part of the exam.
    pub key: String,
    /// The measure's name for readers.
    pub words: String,
    /// The measure's unit.
    pub unit: Unit,
}

impl ComparedMeasure {
    pub fn new(key: &str) -> ComparedMeasure {
        let (words, unit) = trainer::Measure::of(key).map_or((key, Unit::Share), |known| (known.words, known.unit));
        ComparedMeasure { key: key.to_string(), words: words.to_string(), unit }
    }

    /// The name with the unit, for an axis.
    pub fn label(&self) -> String {
        format!("{} ({})", self.words, self.unit.words())
    }

    /// The key as a part of a file name.
    pub fn slug(&self) -> String {
        slug(&self.key)
    }
}

/// A name as it can be a part of a file name on every system: lower-case letters, digits and hyphens.
pub(crate) fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let mut slug: String = name.chars().map(plain).collect();
    while slug.contains("--") {
        slug = slug.replace("--", "-");
    }
    slug.trim_matches('-').to_string()
}
