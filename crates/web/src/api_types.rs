//! Generates the TypeScript types of all requests and answers from the Rust types.
//!
//! The pages import them from `ui/src/lib/api-types.ts`. A test compares that file with what the Rust types give;
//! `UPDATE=1 cargo test -p gamete-web api_types` writes it anew.

use crate::cards::{RunCard, RunDetail};
use crate::cluster::ClusterState;
use crate::exam::{ExamAsked, Examined};
use crate::experiments::{About, Change, CheckedExperiment, Edited};
use crate::labs::LabCard;
use crate::match_games::MatchGames;
use crate::matches::{MatchAsked, MatchGone, MatchReport, MatchStarted};
use crate::networks::{Ancestry, NodeValues, ValuesAsked};
use crate::pace::Pace;
use crate::play::{Answer, HintAnswer, Opinion, Play, Turn, TurnAsked};
use crate::recorded::{Pasted, ReadGames, Valued};
use crate::refusal::Refusal;
use crate::runs::{Champion, MeasureAsked, ResumeAsked, Started, TrainAsked};
use crate::watch::RunGone;
use arena::{Outlook, Rating, TacticsGrades};
use figures::NetworkDrawing;
use games::Suite;
use lab::LiveReport;
use players::{KeptGames, Remark};
use runs::{Curve, Curves, StreamOfSpecies};
use std::any::TypeId;
use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/lib/api-types.ts");

/// Types by their names in TypeScript, with their declarations.
struct Declared {
    config: Config,
    types: BTreeMap<String, (TypeId, String)>,
}

impl TypeVisitor for Declared {
    /// Declares a type and all types inside of it.
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Numbers, texts and lists need no declaration; the type of a list's items is visited separately.
        if T::output_path().is_none() {
            return;
        }
        let (name, id) = (T::ident(&self.config), TypeId::of::<T>());
        if let Some((other, _)) = self.types.get(&name) {
            assert_eq!(*other, id, "two types that are sent have the name {name}");
            return;
        }
        let text = format!("{}export {}", T::docs().unwrap_or_default(), T::decl(&self.config));
        self.types.insert(name, (id, text));
        T::visit_dependencies(self);
    }
}

macro_rules! visit {
    ($declared:ident: $($type:ty),* $(,)?) => {
        $($declared.visit::<$type>();)*
    };
}

/// The whole file.
fn written() -> String {
    let mut declared = Declared { config: Config::new().with_large_int("number"), types: BTreeMap::new() };
    // 1. Requests.
    visit!(declared: Change, Edited, ExamAsked, ValuesAsked, MatchAsked, MeasureAsked, Pasted, Play, ResumeAsked, TrainAsked, TurnAsked, Valued);
    // 2. Answers.
    visit!(
        declared: About, Ancestry, Answer, Champion, CheckedExperiment, ClusterState, Curves, Examined, HintAnswer, KeptGames, LabCard,
        LiveReport, MatchGames, MatchGone, MatchReport, MatchStarted, NetworkDrawing, NodeValues, ReadGames, Refusal, Remark, RunCard,
        RunDetail, RunGone, Started, StreamOfSpecies, Opinion, Turn,
    );
    // 3. Parts of answers that pages also use separately.
    visit!(declared: Curve, Outlook, Pace, Rating, Suite, TacticsGrades);
    let texts = declared.types.into_values().map(|(_, text)| tidy(&text));
    let head = "// The requests and answers of the server. Generated from the Rust types by `UPDATE=1 cargo test -p gamete-web api_types`:\n\
                // change them, not this file.\n";
    texts.fold(head.to_string(), |file, text| file + "\n" + &text)
}

/// Formats a declaration: comments on one line, and indented fields.
fn tidy(text: &str) -> String {
    let text = text
        .replace(", };", ",\n};")
        .replace(", } & ", ",\n} & ")
        .replace("/**\n * ", "/** ")
        .replace("\n */\n", " */\n");
    let mut tidied = String::new();
    for line in text.lines().map(str::trim_end) {
        let is_inside = tidied.contains("= {") && !line.starts_with('}');
        tidied += if is_inside { "  " } else { "" };
        tidied += line;
        tidied += "\n";
    }
    tidied
}

#[test]
fn api_types_are_those_of_the_server() {
    let written = written();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &written).unwrap();
    }
    let found = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        found == written,
        "{FILE} is not what the Rust types give: run `UPDATE=1 cargo test -p gamete-web api_types`, then `npm run build` in crates/web/ui"
    );
}
