//! Tests of the list of labs and of their reports.

use super::Page;
use crate::labs::LabCard;
use lab::{Lab, LabFolder, LabKind};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

const LAB: &str = r#"
about = "Does a larger population learn faster?"
seeds = 2
baselines = ["small"]

[[configuration]]
name = "small"
experiment = "nim-2x4"
set = { stop.generations = 3, strategy.enn.population = 60 }

[[configuration]]
name = "large"
experiment = "nim-2x4"
set = { stop.generations = 3, strategy.enn.population = 80 }
"#;

#[test]
fn labs_are_listed_and_reported() {
    let page = Page::new();
    assert!(page.get::<Vec<LabCard>>("/api/labs").is_empty());
    let lab = Lab::parse("sizes", "sizes", LAB, page.folder.path()).unwrap();
    let folder = LabFolder::create(&lab, &page.runs().join("sizes")).unwrap();
    for seed in [1, 2] {
        let member = format!("large-seed-{seed}");
        lab::train_member(&folder, &member, None, &lab::Machine::threads(1), &mut |_| (), &AtomicBool::new(false))
            .unwrap();
    }
    let labs: Vec<LabCard> = page.get("/api/labs");
    let [card] = &labs[..] else { panic!("{} labs", labs.len()) };
    assert_eq!((card.name.as_str(), card.kind, card.members), ("sizes", LabKind::Lab, 4));
    assert_eq!((card.finished, card.running), (2, 0));
    let report: Value = page.get("/api/labs/sizes");
    assert_eq!((&report["lab"], &report["problems"]), (&json!("sizes"), &json!([])));
    let mut states: Vec<(String, usize)> = serde_json::from_value(report["states"].clone()).unwrap();
    states.sort();
    assert_eq!(states, [("finished".to_string(), 2), ("waiting".to_string(), 2)]);
    let [figure, table] = ["figures", "tables"].map(|what| report["groups"][0][what][0].clone());
    assert!(figure["svg"].as_str().unwrap().contains("<svg") && table["html"].as_str().unwrap().contains("<t"));
    page.refused("GET", "/api/labs/none", None, 404, "there is no lab `none`");
}
