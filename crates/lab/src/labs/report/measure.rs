//! What can be compared: its name in the file, what people call it, its unit, and where its values can lie.

/// What of champions is told beside what is compared.
const COMPLEXITY: [&str; 2] = ["champion_hidden", "champion_edges"];

/// All measures of a comparison: what is compared, then what else is told.
pub(crate) fn all(compared: &[String]) -> Vec<Measure> {
    let rest = COMPLEXITY.iter().filter(|key| !compared.iter().any(|measure| measure == *key));
    compared.iter().map(String::as_str).chain(rest.copied()).map(Measure::new).collect()
}

/// One measure of a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Measure {
    /// A column of the table `generation`, or a part of the exam.
    pub key: String,
    /// What it is.
    pub words: String,
    /// What it is counted in.
    pub unit: &'static str,
    /// The least and the greatest that it can be.
    pub bounds: Option<[i8; 2]>,
}

impl Measure {
    pub fn new(key: &str) -> Measure {
        let share = Some([0, 1]);
        let (words, unit, bounds) = match key {
            "grade" => ("grade of the champion's exam", "share", share),
            "grade_in_games" => ("perfect turns of the champion in its games", "share", share),
            "past_share" => ("points against champions of the past", "share", share),
            "growth" => ("result against the five champions before", "from −1 to 1", Some([-1, 1])),
            "best_score" => ("champion's score", "points", None),
            "mean_score" => ("mean score", "points", None),
            "mean_turns" => ("turns per game", "mean number", None),
            "champion_hidden" => ("champion's hidden nodes", "number", None),
            "champion_edges" => ("champion's edges", "number", None),
            part => (part, "share", share),
        };
        Measure { key: key.to_string(), words: words.to_string(), unit, bounds }
    }

    /// With its unit, for an axis.
    pub fn label(&self) -> String {
        format!("{} ({})", self.words, self.unit)
    }

    /// In file names.
    pub fn slug(&self) -> String {
        slug(&self.key.replace("champion_", ""))
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
