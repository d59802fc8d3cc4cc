//! The first commands of a new user, and the output on which scripts rely.

use super::{Gamete, without_times};
use std::io::Write;
use std::process::Stdio;

#[test]
fn the_first_minute() {
    let gamete = Gamete::new();
    assert!(gamete.ok("runs").contains("`gamete train` makes one"));
    let first = gamete.ok("train");
    assert!(first.starts_with("solved: the champion"), "{first}");
    assert!(
        first.contains("gamete show nim-2x4-1") && first.contains("gamete play nim --against run:nim-2x4-1"),
        "{first}"
    );
    let second = gamete.ok("train");
    assert!(second.contains("nim-2x4-2"), "{second}");
    let runs = gamete.ok("runs");
    assert!(runs.contains("nim-2x4-1") && runs.contains("nim-2x4-2") && runs.contains("100.0 %"), "{runs}");
    let shown = gamete.ok("show nim-2x4-1");
    assert!(shown.contains("grade over all positions") && shown.contains("champion of generation"), "{shown}");
    assert!(shown.lines().all(|line| line.starts_with("graph") || line.chars().count() <= 100), "{shown}");
    let games = gamete.ok("games nim-2x4-1");
    assert!(games.contains("wins"), "{games}");
    assert!(gamete.ok("exam run:nim-2x4-1").contains("100.0 % perfect over all 24 positions,"));
}

#[test]
fn a_person_can_play() {
    let gamete = Gamete::new();
    let play = |words: &str, typed: &str| {
        let mut child =
            gamete.command(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    // 2,2 is lost for the side to move.
    let lost = play("play nim --against perfect --position 2,2", "9:9\nmoves\n1:1\nback\n1:2\n2:1\n");
    assert!(lost.contains("`9:9` is no legal move") && lost.contains("1:1 1:2 2:1 2:2"), "{lost}");
    assert!(lost.contains("the side that takes the last match loses") && lost.ends_with("You lose.\n"), "{lost}");
    let won = play("play nim --against first --position 3,0", "hint\n1:2\n");
    assert!(won.contains("1:2 wins") && won.ends_with("You win.\n"), "{won}");
    let second = play("play nim --against perfect --position 2 --side second", "1:1\n");
    assert!(second.ends_with("You lose.\n"), "{second}");
    let left = play("play tic-tac-toe --against random", "b2\n");
    assert!(left.contains("unfinished") && left.contains("   a b c"), "{left}");
    assert!(play("play nim --against first --position 3,0 --json", "quit\n").contains("\"outcome\":null"));
    let json = play("play nim --against first --position 3,0 --json", "1:2\n");
    assert_eq!(json.lines().count(), 1, "{json}");
    assert!(json.contains("\"outcome\":\"first\""), "{json}");
}

#[test]
fn the_fields_that_scripts_read() {
    let gamete = Gamete::new();
    let train = gamete.json("train nim-2x2 --generations 60");
    for field in [
        "run",
        "file",
        "experiment",
        "seed",
        "generations",
        "first_solved",
        "stopped",
        "games",
        "evaluations",
        "seconds",
        "cpu_seconds",
        "champion",
        "exam",
        "signature",
    ] {
        assert!(train.get(field).is_some(), "{field} is missing");
    }
    assert_eq!((&train["run"], &train["stopped"]), (&"nim-2x2-1".into(), &"generations".into()));
    assert_eq!(train["games"], 60 * 5000);
    for field in ["generation", "score", "hidden", "edges"] {
        assert!(train["champion"][field].is_number(), "{field}");
    }
    let exam = gamete.json("exam run:nim-2x2-1");
    assert_eq!(exam, train["exam"]);
    assert!(exam["all_positions"].is_number() && exam["on_policy"].is_number());
    // The last champion is examined, even if its generation had no exam.
    let rare = gamete.json("train nim-2x2 --generations 60 --name rare --set record.exam_every=50");
    assert_eq!(rare["exam"], train["exam"]);
    assert_eq!(gamete.json("runs")["exam_generation"], 50);
    let (listed, shown) = (gamete.ok("runs"), gamete.ok("show rare"));
    assert!(listed.contains(" % (generation 50)") && shown.contains("\nexam of generation 50: "), "{listed}{shown}");
    assert!(gamete.ok("show nim-2x2-1").contains("\nexam: "));
    let game = gamete.json("match random first --game nim --games 31");
    for field in ["wins", "draws", "losses", "score", "elo", "elo_low", "elo_high"] {
        assert!(game.get(field).is_some(), "{field} is missing");
    }
    assert_eq!(game["games"], 32);
    let again = gamete.json("match random first --game nim --games 31");
    assert_eq!(without_times(&game), without_times(&again), "the same seed, the same match");
    for (cost, positions) in game["costs"].as_array().unwrap().iter().zip([0.0, 0.0]) {
        assert!(cost["moves"].as_u64().unwrap() > 32 && cost["cpu_milliseconds"].as_f64().unwrap() > 0.0, "{cost}");
        assert_eq!(cost["positions"], positions);
    }
    // Openings that would end a game are shortened; what counts is the number of plies that were played.
    assert_eq!(gamete.json("match perfect random --game nim --games 4 --plies 50000")["draws"], 0);
    let moves = gamete.json("moves nim --position 1,2");
    assert_eq!(moves["moves"], serde_json::json!(["1:1", "2:1", "2:2"]));
    assert_eq!((&moves["side"], moves["outcome"].is_null()), (&"first".into(), true));
    assert_eq!(gamete.json("moves nim --position 0,0")["outcome"], "first");
    let perft = gamete.json("perft tic-tac-toe 5");
    assert_eq!((&perft["nodes"], &perft["depth"]), (&15120.into(), &5.into()));
    assert!(perft["seconds"].is_number());
    for list in ["games", "experiments", "strategies", "players", "encoders", "schedules", "scorings"] {
        assert!(gamete.json(&format!("list {list}"))["name"].is_string());
    }
    let parameter = gamete.json("list parameters --experiment draughts");
    assert_eq!((&parameter["key"], &parameter["value"]), (&"record.final".into(), &"newest".into()));
    let parameters = gamete.ok("list parameters");
    let line = parameters.lines().find(|line| line.starts_with("blunders ")).unwrap();
    assert!(line.contains(" 0.0 ") && line.contains(" 0 to 1 ") && line.contains("the chance that a move"), "{line}");
    gamete.refused("list games --experiment draughts", "--experiment is only for");
    assert_eq!(gamete.json("runs --runs runs")["state"], "generations");
    assert_eq!(gamete.json("show nim-2x2-1")["generations"].as_array().unwrap().len(), 60);
    assert!(gamete.json("games nim-2x2-1")["turns"].is_array());
}

#[test]
fn experiments_can_be_written_out_and_trained() {
    let gamete = Gamete::new();
    let text = gamete.ok("train nim-2x2 --print");
    assert!(text.starts_with("# Kissling 2025"), "{text}");
    std::fs::write(gamete.folder().join("my own@.toml"), &text).unwrap();
    let mine = gamete.command("train --generations 20 --json").arg("my own@.toml").output().unwrap();
    let mine: serde_json::Value = serde_json::from_slice(&mine.stdout).unwrap();
    assert_eq!(mine["signature"], gamete.json("train nim-2x2 --generations 20")["signature"]);
    // The run's name has only characters that can be typed.
    assert_eq!(mine["run"], "my-own--1");
    gamete.ok("exam run:my-own--1@20");
    assert!(gamete.ok("train nim-2x2 --print --seed 7").contains("seed = 7"));
    gamete.refused("train nim-2x2 --print --set schedule.circular.opponents=51", "an even number");
    assert!(gamete.ok("runs").contains("my-own--1"));
}

#[test]
fn exported_networks_play_as_in_their_run() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4-c1 --generations 40 --name one");
    for format in ["text", "json"] {
        gamete.ok(&format!("export one@30 --format {format} --out network"));
        assert_eq!(gamete.json("exam file:network"), gamete.json("exam run:one@30"));
        let against = |player: &str| gamete.json(&format!("match {player} random --game nim --games 40"));
        assert_eq!(without_times(&against("file:network")), without_times(&against("run:one@30")));
    }
    let text = gamete.ok("export one@30");
    let line = text.lines().find_map(|line| line.strip_prefix("network: ")).unwrap();
    assert!(line.starts_with("graph 2 2"), "{line}");
    // The network's line alone is enough if the game is named.
    std::fs::write(gamete.folder().join("line"), line).unwrap();
    let setup = "--game nim --setup stacks=[4,4] --setup start=random";
    assert_eq!(gamete.json(&format!("exam file:line {setup}")), gamete.json("exam run:one@30"));
    assert!(gamete.json("export one")["network"]["Graph"].is_object());
}

/// `./test` runs this at its end, with the release build.
#[test]
#[ignore = "it takes half a minute, and its figures mean more for a release build: GAMETE=target/release/gamete"]
fn bench_shows_ratios_and_a_signature() {
    let bench = Gamete::new().json("bench");
    let ratios = bench["ratios"].as_array().unwrap();
    for ratio in ratios {
        println!("{:6.2}  {}", ratio["ratio"].as_f64().unwrap(), ratio["name"].as_str().unwrap());
    }
    println!("Signature: {}", bench["signature"].as_str().unwrap());
    assert_eq!(ratios.len(), LEAST_GAINS.len(), "each fast path has a least gain");
    for (ratio, (part, least)) in ratios.iter().zip(LEAST_GAINS) {
        assert!(ratio["name"].as_str().unwrap().contains(part), "{ratio} where {part} was");
        assert!(ratio["ratio"].as_f64().unwrap() > *least, "{ratio} should be more than {least}");
    }
    assert_eq!(bench["signature"], SIGNATURE, "behaviour has changed: say so in the commit, and here");
}

/// The least ratio of fast to plain: about two thirds of what was measured in a test build on a busy machine with two
/// cores. Both ways are measured in turns, in processor time, so that other programs disturb little.
const LEAST_GAINS: &[(&str, f64)] = &[
    ("network of 120 edges: a position at a time, or eight", 1.8),
    ("nim-2x4-c1 (direct head): networks, or tables", 6.0),
    ("nim-2x4 (value head): networks, or tables", 14.0),
    ("with their networks made, or without", 1.3),
    ("depth 1: a position at a time, or eight", 2.5),
    ("decisions worked out, or looked up", 1.1),
    ("half met before: all games, or new ones", 1.1),
    ("perft 4 of minichess", 3.0),
    ("without, or with, promising moves first", 2.0),
    ("depth 6: without, or with, transposition table", 1.05),
    ("without, or with, both", 2.0),
    ("judging in blocks (network of 200 edges)", 1.7),
    ("transposition table (network of 200 edges)", 1.05),
    ("judged by a network of 200 edges, or by material", 1.2),
    ("perft 8 of draughts", 1.6),
    ("by 91-40-10-1: a position at a time, or eight", 1.4),
    ("the first layer by facts", 2.0),
    // Gains nothing in a release build either (1.0 on 18 November 2026). Children need fewer sums, but their parent's sums
    // are computed in addition, and the parent's facts once for each child (`NetworkEvaluator::judge`).
    ("facts from nothing, or by differences", 0.75),
    ("a memory of values", 1.2),
    ("a position at a time, or all of it", 6.0),
    // No fast code, but the cost of watching, in wall time; 0.9 to 1.1 were measured on a busy machine.
    ("unwatched, or watched by 20 pages", 0.6),
];

/// The signature of all behaviour. A commit that changes the behaviour changes this line.
const SIGNATURE: &str = "17a845e1da6368ceec93f69ff2773f7c";
