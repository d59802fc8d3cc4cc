//! The table of measures: every number of a generation that is drawn or compared between runs.
//!
//! Run files, curves, labs, figures, `gamete show` and the web app read this table and have no list of their own. A new
//! measure is one entry here and its value in the trainer's report; see `docs/extending-measure.md`.

use crate::report::Report;
use serde::Serialize;

/// One measure: its name, its unit, where it is shown, and where its value comes from.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Measure {
    /// The name in lab files and in JSON.
    pub key: &'static str,
    /// A title of one to four words.
    pub name: &'static str,
    /// A description for axes, tables and captions.
    pub words: &'static str,
    /// An explanation in one sentence.
    pub about: &'static str,
    /// The unit of the values.
    pub unit: Unit,
    /// Whether a larger value is better.
    pub more_is_better: bool,
    /// The title of the plot on a run's page that shows its curve; measures with the same title share a plot.
    pub plot: Option<&'static str>,
    /// The figure of `gamete show --figures` that shows it; measures with the same figure share it.
    #[serde(skip)]
    pub figure: Option<FigureName>,
    /// Whether `gamete show` draws its curve.
    #[serde(skip)]
    pub in_terminal: bool,
    /// How labs use it.
    #[serde(skip)]
    pub labs: InLabs,
    /// Where its value comes from.
    #[serde(skip)]
    pub source: Source,
}

/// The unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A share, from 0 to 1.
    Share,
    /// A mean result of games, from −1 (all lost) to 1 (all won).
    Result,
    /// Points, as the experiment counts them.
    Score,
    /// A mean of whole numbers.
    Mean,
    /// A whole number from 0 up.
    Count,
    /// Elo; `random` has 0.
    Elo,
}

impl Unit {
    /// The unit in words.
    pub fn words(self) -> &'static str {
        match self {
            Unit::Share => "share",
            Unit::Result => "from −1 to 1",
            Unit::Score => "points",
            Unit::Mean => "mean number",
            Unit::Count => "number",
            Unit::Elo => "Elo",
        }
    }

    /// The least and the greatest value; `None` if the unit has no bounds.
    pub fn bounds(self) -> Option<[i8; 2]> {
        match self {
            Unit::Share => Some([0, 1]),
            Unit::Result => Some([-1, 1]),
            Unit::Score | Unit::Mean | Unit::Count | Unit::Elo => None,
        }
    }
}

/// A figure of `gamete show --figures`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureName {
    /// The name of its file, without extension.
    pub file: &'static str,
    /// Its title.
    pub title: &'static str,
}

/// How labs use a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InLabs {
    /// A lab file may name it among its `measures`.
    Compared,
    /// Every report draws it beside the compared measures.
    Beside,
    /// Labs do not use it.
    Unused,
}

/// Where the value of a measure comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A field of the report. The column with this name is in every run file of format 5.
    Field(&'static str, fn(&Report) -> Option<f64>),
    /// An entry of [`Report::added`]; its key is also the name of the column. Run files that are older than the measure
    /// get the column when they are resumed.
    Added,
    /// The grade with this name among the parts of the exam. It has no column of its own.
    ExamPart(&'static str),
}

impl Measure {
    /// Defaults for the table: a share that is recorded in run files and shown nowhere.
    pub const QUIET: Measure = Measure {
        key: "",
        name: "",
        words: "",
        about: "",
        unit: Unit::Share,
        more_is_better: true,
        plot: None,
        figure: None,
        in_terminal: false,
        labs: InLabs::Unused,
        source: Source::Added,
    };

    /// The value in a generation, or `None` if it was not measured.
    pub fn value(&self, report: &Report) -> Option<f64> {
        match self.source {
            Source::Field(_, read) => read(report),
            Source::Added => report.added.get(self.key).copied(),
            Source::ExamPart(name) => {
                let parts = report.exam.as_ref().map_or_else(Vec::new, |exam| exam.parts());
                parts.iter().find(|(part, _)| *part == name).map(|(_, grade)| *grade)
            }
        }
    }

    /// The column of the table `generation` in run files; `None` for a part of the exam.
    pub fn column(&self) -> Option<&'static str> {
        match self.source {
            Source::Field(column, _) => Some(column),
            Source::Added => Some(self.key),
            Source::ExamPart(_) => None,
        }
    }

    /// The measure with this key.
    pub fn of(key: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.key == key)
    }

    /// The measures that have a curve on a run's page.
    pub fn plotted() -> impl Iterator<Item = &'static Measure> + Clone {
        MEASURES.iter().filter(|measure| measure.plot.is_some())
    }
}

const fn figure(file: &'static str, title: &'static str) -> Option<FigureName> {
    Some(FigureName { file, title })
}

/// All measures, in the order in which they are listed and drawn.
pub const MEASURES: &[Measure] = &[
    Measure {
        key: "grade",
        name: "Grade",
        words: "grade of the champion's exam",
        about: "How well the champion does in the exam, from which networks do not learn; 1 is perfect.",
        plot: Some("Grade"),
        labs: InLabs::Compared,
        source: Source::Field("grade", |report| report.exam.as_ref().map(|exam| exam.grade())),
        ..Measure::QUIET
    },
    Measure {
        key: "strength",
        name: "Strength",
        words: "champion's Elo on the game's ladder",
        about: "How strong the champion is in games against players whose strength is known; random play has 0.",
        unit: Unit::Elo,
        plot: Some("Strength"),
        figure: figure("strength", "Strength"),
        in_terminal: true,
        labs: InLabs::Compared,
        ..Measure::QUIET
    },
    Measure {
        key: "strength_low",
        name: "Strength, lower bound",
        words: "lower bound of the champion's Elo",
        about: "The lower end of the interval in which the champion's strength lies with a probability of 95 %.",
        unit: Unit::Elo,
        ..Measure::QUIET
    },
    Measure {
        key: "strength_high",
        name: "Strength, upper bound",
        words: "upper bound of the champion's Elo",
        about: "The upper end of the interval in which the champion's strength lies with a probability of 95 %.",
        unit: Unit::Elo,
        ..Measure::QUIET
    },
    Measure {
        key: "grade_in_games",
        name: "Perfect turns in games",
        words: "perfect turns of the champion in its games",
        about: "The share of perfect turns of the champion in the games it was scored by.",
        figure: figure("grade-in-games", "Perfect turns in games"),
        labs: InLabs::Compared,
        source: Source::Field("grade_in_games", |report| report.grade_in_games),
        ..Measure::QUIET
    },
    Measure {
        key: "past_share",
        name: "Wins against the past",
        words: "points against champions of the past",
        about: "The share of points that the champion wins against champions before it.",
        plot: Some("Wins against the past"),
        figure: figure("past", "Results against champions of the past"),
        in_terminal: true,
        labs: InLabs::Compared,
        source: Source::Field("past_share", |report| report.past_share),
        ..Measure::QUIET
    },
    Measure {
        key: "growth",
        name: "Growth",
        words: "result against the five champions before",
        about: "How the champion does against the five before it: from −1, all lost, to 1, all won.",
        unit: Unit::Result,
        plot: Some("Growth against the last five"),
        figure: figure("growth", "Results against the five champions before"),
        in_terminal: true,
        labs: InLabs::Compared,
        source: Source::Field("growth", |report| report.growth),
        ..Measure::QUIET
    },
    Measure {
        key: "best_score",
        name: "Score",
        words: "champion's score",
        about: "What the champion scored in its tournament; experiments count points in different ways.",
        unit: Unit::Score,
        plot: Some("Score"),
        figure: figure("score", "Score"),
        in_terminal: true,
        labs: InLabs::Compared,
        source: Source::Field("best_score", |report| Some(report.best_score)),
        ..Measure::QUIET
    },
    Measure {
        key: "mean_score",
        name: "Mean score",
        words: "mean score",
        about: "What all networks of a generation scored, on average.",
        unit: Unit::Score,
        plot: Some("Score"),
        figure: figure("score", "Score"),
        source: Source::Field("mean_score", |report| Some(report.mean_score)),
        ..Measure::QUIET
    },
    Measure {
        key: "score_spread",
        name: "Spread of scores",
        words: "standard deviation of scores",
        about: "How far the scores of a generation lie apart: near 0, selection has little to choose from.",
        unit: Unit::Score,
        plot: Some("Spread of scores"),
        figure: figure("score-spread", "Spread of scores"),
        labs: InLabs::Compared,
        source: Source::Added,
        ..Measure::QUIET
    },
    Measure {
        key: "mean_turns",
        name: "Turns per game",
        words: "turns per game",
        about: "How long the games of a generation are.",
        unit: Unit::Mean,
        more_is_better: false,
        plot: Some("Turns per game"),
        figure: figure("turns", "Turns per game"),
        in_terminal: true,
        source: Source::Field("mean_turns", |report| Some(report.mean_turns)),
        ..Measure::QUIET
    },
    Measure {
        key: "hidden",
        name: "Hidden nodes",
        words: "champion's hidden nodes",
        about: "The number of nodes between inputs and outputs in the champion’s network.",
        unit: Unit::Count,
        more_is_better: false,
        plot: Some("Complexity"),
        figure: figure("hidden", "Complexity: hidden nodes"),
        labs: InLabs::Beside,
        source: Source::Field("champion_hidden", |report| Some(report.champion_hidden as f64)),
        ..Measure::QUIET
    },
    Measure {
        key: "edges",
        name: "Edges",
        words: "champion's edges",
        about: "The number of connections in the champion’s network.",
        unit: Unit::Count,
        more_is_better: false,
        plot: Some("Complexity"),
        figure: figure("edges", "Complexity: edges"),
        in_terminal: true,
        labs: InLabs::Beside,
        source: Source::Field("champion_edges", |report| Some(report.champion_edges as f64)),
    },
    Measure {
        key: "all_positions",
        name: "Grade over all positions",
        words: "perfect moves over all positions",
        about: "The share of all positions of the game in which the champion's move is perfect.",
        labs: InLabs::Compared,
        source: Source::ExamPart("grade over all positions"),
        ..Measure::QUIET
    },
    Measure {
        key: "on_policy",
        name: "Grade over positions met",
        words: "perfect moves over positions met",
        about: "The share of perfect moves in positions that the champion meets in games against itself.",
        labs: InLabs::Compared,
        source: Source::ExamPart("grade over positions met"),
        ..Measure::QUIET
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn measures_that_share_a_picture_go_together() {
        let keys: BTreeSet<&str> = MEASURES.iter().map(|measure| measure.key).collect();
        assert_eq!(keys.len(), MEASURES.len(), "keys are unique");
        let mut plots: BTreeMap<&str, Vec<&Measure>> = BTreeMap::new();
        let mut figures: BTreeMap<&str, Vec<&Measure>> = BTreeMap::new();
        for measure in MEASURES {
            assert!([measure.name, measure.words, measure.about].iter().all(|text| !text.is_empty()), "{measure:?}");
            plots.entry(measure.plot.unwrap_or_default()).or_default().push(measure);
            figures.entry(measure.figure.map_or("", |figure| figure.file)).or_default().push(measure);
        }
        for (name, shared) in plots.iter().chain(&figures).filter(|(name, _)| !name.is_empty()) {
            assert!(shared.len() <= 2, "{name}: pages draw two lines in a plot");
            assert!(shared.iter().all(|measure| measure.unit == shared[0].unit), "{name} has one scale");
            assert!(shared.iter().all(|measure| measure.column().is_some()), "{name}: parts of exams have no curves");
        }
    }
}
