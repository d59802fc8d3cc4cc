//! The genetic algorithm and Blondie24's scheme from the command line: repeatable runs, and the strength of champions.

use super::{Gamete, check_refusal, moments};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

/// A small experiment with all features: safe mutations with remembered positions, step sizes, an evolving king's value.
const SMALL: [&str; 3] = [
    "draughts-thesis --set player.depth=1 --set record.final_games=4 --seed 3",
    "draughts-blondie24 --set player.depth=1 --set record.final_games=4 --seed 3",
    "nim-2x4-ga --set strategy.ga.safe=0.5 --set stop.solved=false --seed 3",
];

/// Everything in a run's file except times, which differ.
fn content(gamete: &Gamete, run: &str) -> serde_json::Value {
    let mut shown = gamete.json(&format!("show {run}"));
    for report in shown["generations"].as_array_mut().unwrap() {
        for time in ["seconds", "cpu_seconds"] {
            report[time] = 0.into();
        }
    }
    for name in ["run", "file", "parameters"] {
        shown[name] = "".into();
    }
    shown
}

#[test]
fn runs_are_the_same_on_threads_and_in_steps() {
    for words in SMALL {
        let gamete = Gamete::new();
        let whole = gamete.json(&format!("train {words} --generations 14 --name whole --threads 1"));
        let threads = gamete.json(&format!("train {words} --generations 14 --name threads --threads 5"));
        assert_eq!((&whole["signature"], &whole["finals"]), (&threads["signature"], &threads["finals"]), "{words}");
        gamete.json(&format!("train {words} --name steps --generations 5"));
        gamete.json("resume steps --generations 6");
        let steps = gamete.json("resume steps --generations 14");
        assert_eq!(whole["signature"], steps["signature"], "{words}");
        let shown = content(&gamete, "whole");
        assert_eq!(shown, content(&gamete, "steps"), "{words}");
        let ways = shown["inheritance"].as_array().unwrap();
        let count = |way: &str| {
            ways.iter().find(|found| found["way"] == way).map_or(0, |found| found["count"].as_u64().unwrap())
        };
        assert!(count("first") > 0 && count("elite") > 0 && count("mutation") > 0, "{ways:?}");
        assert_eq!(count("safe mutation") > 0, !words.contains("blondie"), "{ways:?}");
    }
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    for words in &SMALL[..2] {
        let words = format!("{words} --generations 60 --name long");
        let alone = Gamete::new().json(&format!("train {words}"));
        let gamete = Gamete::new();
        let rng = &mut moments();
        for _ in 0..5 {
            let begun = gamete.folder().join("runs/long.db").exists();
            let words = if begun { "resume long".to_string() } else { format!("train {words}") };
            let mut child = gamete.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(50 + rng.below(300) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let begun = gamete.folder().join("runs/long.db").exists();
        let resumed = gamete.json(&if begun { "resume long".to_string() } else { format!("train {words}") });
        for field in ["signature", "generations", "games", "reused", "champion", "exam", "finals"] {
            assert_eq!(resumed[field], alone[field], "{words}: {field}");
        }
    }
}

#[test]
fn growth_is_measured_kept_and_drawn() {
    let gamete = Gamete::new();
    gamete.refused("growth none", "there is no run `none`");
    let told = gamete.ok(&format!("train {} --generations 14 --name grown", SMALL[0]));
    for part in [
        "the last champion's matches",
        "against random",
        "against mcts:500",
        "against generation 3",
        "against generation 7",
    ] {
        assert!(told.contains(part), "{part} is missing:\n{told}");
    }
    let words = "growth grown --games 4 --champions 3 --yardstick material:1 --yardstick mcts:20 --depth 1";
    let found = gamete.json(&format!("{words} --threads 1"));
    assert_eq!(found, gamete.json(&format!("{words} --threads 5")));
    let generations: Vec<u64> = found["champions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|champion| champion["generation"].as_u64().unwrap())
        .collect();
    assert_eq!(generations, [1, 7, 14]);
    assert_eq!((&found["yardsticks"][0]["player"], &found["yardsticks"][0]["elo"]), (&"random".into(), &0.0.into()));
    for champion in found["champions"].as_array().unwrap() {
        let [low, high] = ["elo_low", "elo_high"].map(|end| champion[end].as_f64());
        assert!(low.zip(high).is_none_or(|(low, high)| low < high), "{champion}");
    }
    let shown = gamete.json("show grown");
    assert_eq!(shown["ratings"]["champions"], found["champions"]);
    assert_eq!((&shown["ratings"]["depth"], &shown["ratings"]["games_each"]), (&1.into(), &4.into()));
    assert_eq!(shown["finals"].as_array().unwrap().len(), 4, "what was played when the run was over stays");
    assert!(shown["generations"][5]["growth"].as_f64().is_some_and(|growth| (-1.0..=1.0).contains(&growth)));
    let told = gamete.ok(&format!("{words} --picture curve.svg"));
    assert!(told.contains("strength on the Elo scale, on which random is 0"), "{told}");
    assert!(fs::read_to_string(gamete.folder().join("curve.svg")).unwrap().contains("grown: Elo of champions"));
    let shown = gamete.ok("show grown");
    for part in [
        "inheritance: networks that scored more",
        "safe mutation",
        "Elo of champions",
        "result against the five champions",
    ] {
        assert!(shown.contains(part), "{part} is missing:\n{shown}");
    }
    gamete.refused("growth grown --yardstick perfekt", "`perfekt` is not a player");
    // The result is printed before the picture fails.
    let words = "growth grown --picture none/curve.svg --games 2 --champions 2 --yardstick random";
    let output = gamete.run(words);
    assert!(String::from_utf8_lossy(&output.stdout).contains("strength on the Elo scale"));
    let silent = std::process::Output { stdout: Vec::new(), ..output };
    check_refusal(&silent, words, "cannot write none/curve.svg");
}

/// Measurements do not change what is bred.
#[test]
fn measuring_changes_nothing() {
    let gamete = Gamete::new();
    let champions = |name: &str, sets: &str| {
        gamete.json(&format!(
            "train draughts-thesis --set player.depth=1 --generations 25 --seed 2 --name {name} --set record.exam_every=100 {sets}"
        ));
        let shown = gamete.json(&format!("show {name}"));
        let scores = shown["generations"].as_array().unwrap().iter().map(|report| report["best_score"].clone());
        (scores.collect::<Vec<_>>(), gamete.ok(&format!("export {name}")))
    };
    let none = "--set record.growth_games=0 --set record.past_games=0 --set record.final_games=0";
    let some = "--set record.growth_games=6 --set record.past_games=10 --set record.final_games=2";
    assert_eq!(champions("none", none), champions("some", some));
}

/// The final matches belong to the last champion: they are removed when there is another, and played when the run is over.
#[test]
fn finals_are_those_of_the_last_champion() {
    let gamete = Gamete::new();
    let train = "train draughts-thesis --set player.depth=1 --set record.final_games=2 --name final";
    assert_eq!(gamete.json(&format!("{train} --generations 4"))["finals"].as_array().unwrap().len(), 4);
    gamete.json("resume final --generations 6");
    let finals = gamete.json("show final")["finals"].clone();
    assert_eq!(finals[3]["opponent"], "generation 3");
    // The run is finished, so nothing is played again.
    assert_eq!(gamete.json("resume final")["finals"], finals);
    // Games can be shorter than their random openings.
    gamete.json("train draughts-thesis --set setup.most_plies=3 --generations 2 --set record.final_games=2");
    gamete.refused("train draughts-thesis --set record.growth_games=8589934592", "it must be even");
}

#[test]
fn what_cannot_be_is_refused() {
    let gamete = Gamete::new();
    for (set, why) in [
        ("strategy.ga.elites=15", "elites is 15, but it must be from 1 to 14: at least one network of 15 must be new"),
        ("strategy.ga.elites=99", "elites is 99, but it must be from 1 to 14"),
        ("strategy.ga.hidden=[40,0]", "hidden: the layers are 91-40-0-1, but each must have from 1 to 4096 nodes"),
        ("strategy.ga.wired=91", "wired is 91, but there are 91 inputs, and at least one must remain"),
        ("strategy.ga.safe=2", "safe is 2, but a chance is from 0 to 1"),
        ("strategy.ga.crossover=three-point", "crossover"),
        ("scoring.points.loss=3", "win 2, draw 0 and loss 3: win must be above draw, draw must not be below loss"),
        ("record.growth_games=5", "record.growth_games is 5, but it must be even"),
        ("player.extend=leaves --set player.depth=0", "player.extend is leaves and depth 0"),
    ] {
        gamete.refused(&format!("train draughts-thesis --set {set}"), why);
    }
    gamete.refused(
        "train draughts-blondie24 --set strategy.blondie.population=31",
        "population is 31, but it must be even",
    );
    gamete.refused(
        "match material:4,extend=maybe random --game draughts --games 2",
        "extend is `maybe`, but it must be off, leaves, everywhere",
    );
    // An exported file that is not a valid network.
    gamete.json("train draughts-thesis --generations 1 --set player.depth=1 --set record.final_games=0 --name net");
    let network = gamete.ok("export net");
    let (head, weights) = network.rsplit_once("tanh | ").unwrap();
    let (_, rest) = weights.split_once(' ').unwrap();
    for (first, why) in [
        ("NaN", "NaN is not a number"),
        ("inf", "inf is not a number"),
        ("", "4101 weights and biases, but 4100 are given"),
    ] {
        fs::write(gamete.folder().join("bad.txt"), format!("{head}tanh | {first} {rest}")).unwrap();
        gamete.refused("match file:bad.txt random --game draughts --games 2", why);
    }
    let fewer = network.replace("encoder: subsquares", "encoder: squares");
    fs::write(gamete.folder().join("other.txt"), fewer).unwrap();
    gamete.refused(
        "match file:other.txt random --game draughts --games 2",
        "it has 91 inputs and 1 outputs, but this setup needs 32 and 1",
    );
}
