//! Files of version 0.1 can be read, continued and played, and the same seed still gives the same run. All signatures and scores were printed by version 0.1 itself; `tests/data/README.md` says how its files were made.

use super::Gamete;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

impl Gamete {
    /// The program with a copy of a file or of a folder's files, at this place under the folder of runs.
    fn with_copy(from: &Path, to: &str) -> Gamete {
        let gamete = Gamete::new();
        let to = gamete.folder().join("runs").join(to);
        let files = match from.is_dir() {
            true => std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect(),
            false => vec![from.to_path_buf()],
        };
        for file in files {
            let copy = if from.is_dir() { to.join(file.file_name().unwrap()) } else { to.clone() };
            std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
            std::fs::copy(file, copy).unwrap();
        }
        gamete
    }
}

#[track_caller]
fn check_signature(experiment: &str, signature: &str) {
    let trained = Gamete::new().json(&format!("train {experiment} --seed 7 --threads 1"));
    assert_eq!(trained["signature"], signature, "{experiment}");
}

/// The whole of it takes 25 s of processor time without `--set player.depth=1`, and then ends in
/// f85d7308e4c87767b72083da2e12f9c6.
#[test]
fn experiments_have_the_signatures_of_version_0_1() {
    check_signature("nim-2x4 --generations 20", "ac30c0f30656883073b1724b7c203eee");
    check_signature("minichess-16 --generations 20", "e9e37683af36d0714f93b3e524d6de20");
    check_signature("draughts-thesis --generations 20 --set player.depth=1", "d65558d44ddb425daa16514e88ffa4d9");
}

#[test]
fn texts_of_version_0_1_mean_the_same() {
    for (name, more, signature) in [
        ("nim-2x4", "", "43db575a7c6b7266144391003f05c2fa"),
        ("nim-2x4-ga", "", "be9ee918a47087d4b97cace299ad899f"),
        ("nim-2x4-cma-es", "", "5d9f6d349c785b83f2227b79be82c4a4"),
        ("nim-2x4-openai-es", "", "8373c6799f8971a18d0277d10367fd05"),
        ("nim-2x4-random", "", "4f078b81f38d4e34d23be9deec322575"),
        ("nim-2x4-td", "", "75db93c0add4da7af7586fe177295fde"),
        ("nim-2x4-neat", "", "0afcb35dfdf13c3a89b0c3d03172b220"),
        ("minichess-tt1", "", "59ed269c26cd1b50339624ca69fac1e7"),
        ("draughts-blondie24", "--set player.depth=1", "7daf2ef2b8767fbd246b2eda91c542f8"),
    ] {
        let file = data(&format!("0.1/experiments/{name}.toml"));
        let words = format!("{} --generations 2 --set record.final_games=0 {more}", file.display());
        check_signature(&words, signature);
    }
}

/// Shows a run, plays with its champion, and continues it.
#[track_caller]
fn check_run(file: &Path, wins: u64, generations: (u64, u64), signature: &str) {
    let gamete = Gamete::with_copy(file, "old.db");
    let copy = gamete.folder().join("runs/old.db");
    let experiment = || runs::RunFile::open(&copy).unwrap().info().unwrap().experiment_file(&copy).unwrap();
    let before = experiment();
    assert_eq!(gamete.json("show old")["generations"].as_array().unwrap().len() as u64, generations.0);
    assert_eq!(gamete.json("match run:old random --game nim --games 40")["wins"], wins);
    gamete.ok("show old");
    let resumed = gamete.json(&format!("resume old --generations {}", generations.1));
    assert_eq!((&resumed["signature"], &resumed["generations"]), (&signature.into(), &generations.1.into()));
    assert_eq!(resumed["finals"].as_array().unwrap().len(), 4);
    let aim = ("stop.generations", (generations.1 as i64).into());
    assert!(experiment().is_same(&before.with_values(&[aim]).unwrap()), "nothing but its aim has changed");
}

#[test]
fn runs_of_older_formats_go_on() {
    let four = data("../../../runs/tests/data/format-4.db");
    check_run(&four, 24, (12, 20), "5494eca8f332e559708d46fe54a56076");
    check_run(&data("format-5.db"), 19, (6, 12), "7fd6cd23330393c78df357a91a856f39");
}

#[test]
fn a_lab_of_version_0_1_goes_on() {
    let gamete = Gamete::with_copy(&data("0.1/old-lab"), "old-lab");
    std::fs::copy(data("0.1/old-lab.toml"), gamete.folder().join("old-lab.toml")).unwrap();
    gamete.ok("lab report old-lab");
    let outcome = gamete.json("lab run old-lab.toml --workers 1");
    assert_eq!(outcome["failed"], Value::Array(Vec::new()));
    assert_eq!((&outcome["finished"], &outcome["finished_before"]), (&3.into(), &1.into()), "{outcome}");
    for (seed, signature) in [
        (1, "d0e0799102cc4129b9762e0509744c24"),
        (2, "e54070789866e47bdebbdb588b76b6d3"),
        (3, "c48a0a5452e8ed596a49af829c5c32e9"),
    ] {
        let shown = gamete.json(&format!("show runs/old-lab/tiny-seed-{seed}.db"));
        let generations = shown["generations"].as_array().unwrap();
        assert_eq!((generations.len(), &generations[19]["signature"]), (20, &signature.into()), "seed {seed}");
    }
    gamete.ok("lab report old-lab");
}

#[test]
fn champions_of_version_0_1_play() {
    for file in ["0.1/champion.json", "0.1/champion.txt"] {
        let player = format!("file:{}", data(file).display());
        let gamete = Gamete::new();
        let score = gamete.json(&format!("match {player} random --game nim --games 40"));
        assert_eq!((&score["wins"], &score["losses"]), (&24.into(), &16.into()), "{file}");
        let exam = gamete.json(&format!("exam {player}"));
        assert_eq!((&exam["all_positions"], &exam["on_policy"]), (&0.833_333_333_333_333_4.into(), &0.82.into()));
    }
}
