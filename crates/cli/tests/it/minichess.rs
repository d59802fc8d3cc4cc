//! 6×6 chess from the command line: searches, matches, endings, test positions, and games as PGN.

use super::{Gamete, without_times};
use std::fs;

#[test]
fn deeper_search_wins() {
    let gamete = Gamete::new();
    let played = |words: &str| gamete.json(&format!("match {words} --game minichess --games 60"));
    let result = played("material:3 material:1");
    assert!(result["elo_low"].as_f64().is_none_or(|low| low > 50.0), "{result}");
    let result = played("material:2 material:4");
    assert!(result["elo_high"].as_f64().is_none_or(|high| high < 0.0), "{result}");
    // Random numbers depend on the game, not on the thread.
    let on = |threads: u32| played(&format!("material:2 material:1 --threads {threads}"));
    assert_eq!(without_times(&on(1)), without_times(&on(5)));
}

#[test]
fn a_selective_search_is_stronger_with_the_same_number_of_positions() {
    let gamete = Gamete::new();
    let played = |one: &str, two: &str, rest: &str| gamete.json(&format!("match {one} {two} --games 60 {rest}"));
    let selective = "material:64,search=selective,hash=game,nodes=1000";
    for game in ["minichess --setup most_plies=200", "draughts"] {
        let rest = format!("--game {game}");
        let result = played(selective, "material:64,nodes=1000", &rest);
        assert!(result["elo_low"].as_f64().is_none_or(|low| low > 0.0), "{result}");
        let costs = |place: usize| result["costs"][place]["positions"].as_f64().unwrap();
        assert!(costs(0) <= 1200.0 && costs(1) <= 1200.0, "{result}");
    }
    let on = |threads: u32| played(selective, "random", &format!("--game minichess --threads {threads}"));
    assert_eq!(without_times(&on(1)), without_times(&on(3)));
    for (player, why) in [
        ("material:3,search=deep", "search is `deep`, but it must be exact, selective"),
        ("material:3,hash=game", "hash and without are only allowed with search=selective"),
        ("material:3,search=selective,hash=often", "hash is `often`, but it must be move or game"),
        ("material:3,search=selective,without=luck", "without is `luck`, but it must be quiescence, null-move"),
        ("material:3,search=selective,extend=leaves", "extend belongs to search=exact"),
        ("champion:minichess,mcts=5,search=selective", "search belongs to a search by depth, not to mcts"),
        ("champion:minichess,depth=0,search=selective", "at depth 0 there is no search"),
    ] {
        gamete.refused(&format!("match {player} random --game minichess"), why);
    }
}

#[test]
fn networks_look_ahead_in_every_game() {
    let gamete = Gamete::new();
    for (game, experiment) in [("nim", "nim-2x4"), ("tic-tac-toe", "tic-tac-toe"), ("minichess", "minichess-enn")] {
        gamete.ok(&format!("train {experiment} --generations 2 --name {game}"));
        for options in ["", ",depth=0", ",depth=2", ",nodes=300", ",depth=3,seconds=5"] {
            let result = gamete.json(&format!("match run:{game}{options} random --game {game} --games 4"));
            assert_eq!(result["games"], 4, "{game} {options}");
        }
    }
    // A search to the end of the game plays perfectly.
    let exam = gamete.json("exam run:nim,depth=9");
    assert_eq!((exam["all_positions"].as_f64(), exam["on_policy"].as_f64()), (Some(1.0), Some(1.0)));
    assert_eq!(gamete.json("exam run:tic-tac-toe,depth=9")["all_positions"], 1.0);
    gamete.refused("match material:2 random --game nim --games 2", "nim has no pieces to count");
    gamete.ok("train nim-2x4-c1 --generations 2 --name direct");
    gamete.refused("exam run:direct,depth=2", "the head `direct` names moves and gives no values");
}

/// Commands work with a closed standard error.
#[test]
fn nobody_listens() {
    let gamete = Gamete::new();
    let command = format!("{} endgames minichess --tables new --json 2>&1 >out | true", env!("CARGO_BIN_EXE_gamete"));
    let status = std::process::Command::new("bash")
        .args(["-c", &format!("set -o pipefail; {command}")])
        .current_dir(gamete.folder())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(fs::read_to_string(gamete.folder().join("out")).unwrap().lines().count(), 45);
    assert!(gamete.folder().join("new/minichess-4-pieces-1.tables").exists());
}

/// Single and double round robins give the same run with any number of threads and after an interruption. Games between
/// the same two networks are not played again.
#[test]
fn round_robins_keep_their_promises() {
    for sets in
        ["--set schedule.round-robin.double=true", "--set schedule.round-robin.double=false --set setup.repetitions=3"]
    {
        let text = include_str!("../../../experiments/texts/minichess-enn.toml");
        let at = text.find("[schedule.").unwrap();
        let end = at + text[at..].find("[scoring").unwrap();
        let robin = format!("{}[schedule.round-robin]\ndouble = true\n\n{}", &text[..at], &text[end..]);
        let gamete = Gamete::new();
        fs::write(gamete.folder().join("robin.toml"), robin).unwrap();
        let train = |more: &str| {
            let common = "train robin.toml --set opening_plies=0 --set strategy.enn.population=12 --set setup.most_plies=30 --set player.depth=1";
            gamete.json(&format!("{common} {sets} {more}"))
        };
        let alone = train("--generations 6 --threads 1");
        assert!(alone["reused"].as_u64().unwrap() > 0, "elites meet again: {alone}");
        let scored = alone["games"].as_u64().unwrap() + alone["reused"].as_u64().unwrap();
        let pairs = if sets.contains("true") { 132 } else { 66 };
        // All pairs, and two games against each guest: up to five champions of the past.
        assert_eq!(scored, 6 * pairs + 24 * (1 + 2 + 3 + 4 + 5));
        let threads = train("--generations 6 --threads 7");
        train("--generations 2 --name short");
        let resumed = gamete.json("resume short --generations 6");
        for other in [threads, resumed] {
            for field in ["signature", "games", "reused", "exam", "champion"] {
                assert_eq!(other[field], alone[field], "{field}");
            }
        }
    }
}

#[test]
fn the_exam_is_told_alone_and_with_search() {
    let gamete = Gamete::new();
    gamete.ok("train minichess-enn --generations 2 --name net");
    let exam = gamete.json("exam run:net --failed");
    let share = |exam: &serde_json::Value, name: &str| exam[name].as_f64().unwrap();
    let points = 10.0 * (share(&exam, "sk") + share(&exam, "mk")) + 5.0 * (share(&exam, "sp") + share(&exam, "mp"));
    assert!((points - share(&exam, "points")).abs() < 1e-9 && (points / 30.0 - share(&exam, "grade")).abs() < 1e-9);
    assert_eq!(exam["positions"], 800);
    let solved: f64 = ["sk", "mk", "sp", "mp"].iter().map(|name| 200.0 * share(&exam, name)).sum();
    assert_eq!(exam["failed"].as_array().unwrap().len(), 800 - solved.round() as usize);
    assert!((0.0..=1.0).contains(&share(&exam, "endgames")));
    let searched = exam["searched"].as_array().unwrap();
    let (depths, rounds) = (|column: &serde_json::Value| column["depth"].as_u64(), &searched[3]["mcts"]);
    assert_eq!(searched.iter().filter_map(depths).collect::<Vec<_>>(), [1, 2, 4]);
    assert_eq!((searched.len(), rounds.as_u64()), (4, Some(500)));
    // A search of one ply sees the end of the game, and captures every king; a search of two plies saves its own king.
    assert!(searched.iter().all(|column| column["mk"] == 1.0));
    assert!(searched[1..3].iter().all(|column| column["sk"] == 1.0));
    // The exam during training tests the network without search.
    let trained = gamete.json("show net")["generations"][1]["exam"].clone();
    for name in ["sk", "mk", "sp", "mp", "points"] {
        assert_eq!(trained[name], exam[name]);
    }
    // The player `material` wins pieces.
    let material = gamete.json("exam material:4 --game minichess");
    assert!(share(&material, "grade") > 0.95, "{material}");
    let printed = gamete.ok("exam run:net");
    assert!(printed.contains("SK save the king") && printed.contains("depth 4"), "{printed}");
    // Other positions, from a file.
    let questions = gamete.ok("questions minichess --seed 5 --each 4");
    fs::write(gamete.folder().join("some.txt"), &questions).unwrap();
    assert_eq!(gamete.json("exam random --game minichess --questions some.txt")["positions"], 16);
    fs::write(gamete.folder().join("none.txt"), "\n").unwrap();
    gamete.refused("exam random --game minichess --questions none.txt", "there are no questions in the file");
    fs::write(gamete.folder().join("some.txt"), questions.replacen("sk", "zk", 1)).unwrap();
    gamete.refused("exam random --game minichess --questions some.txt", "questions, line 1: there is no suite `zk`");
    gamete.refused("questions nim", "nim has no pieces to save or to take");
    fs::write(gamete.folder().join("some.txt"), "mk | k5/6/6/6/6/R4K w | a1a6").unwrap();
    gamete.refused("exam random --game minichess --questions some.txt", "no questions of the suite sk");
    assert_eq!(gamete.json("questions minichess --each 2")["suite"], "mp");
    let mut perfect = gamete.command("exam perfect --game minichess --setup");
    let output = perfect.arg("start=k5/6/6/6/6/4KN w").output().unwrap();
    super::check_refusal(&output, "exam perfect", "cannot take the exam of minichess");
}

#[test]
fn endings_are_known_and_a_broken_cache_is_mended() {
    let gamete = Gamete::new();
    let run = |words: &str| {
        let output = gamete.command(words).arg("--tables").arg("here").output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (endings, told) = run("endgames minichess --json");
    assert!(told.contains("endgame tables kept in here/minichess-4-pieces-1.tables"), "{told}");
    let rook = endings.lines().find(|line| line.contains("\"KRvK\"")).unwrap();
    assert!(rook.contains("\"won\":42840") && rook.contains("\"longest_won\":25"), "{rook}");
    let file = gamete.folder().join("here/minichess-4-pieces-1.tables");
    let mut bytes = fs::read(&file).unwrap();
    bytes[5000] ^= 1;
    fs::write(&file, bytes).unwrap();
    let (again, told) = run("endgames minichess --json");
    assert!(told.contains("(its checksum does not fit); they are worked out anew"), "{told}");
    assert_eq!(again, endings);
    assert_eq!(run("endgames minichess --json"), (endings, String::new()));
    // The player `perfect` wins every won ending, and refuses positions that it does not know.
    let ending = ["--setup", "start=k5/6/6/6/6/4KR w"];
    let mut command = gamete.command("match perfect random --game minichess --games 20 --plies 0 --json");
    let output = command.args(ending).output().unwrap();
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["losses"], 0, "{result}");
    assert!(result["wins"].as_u64().unwrap() >= 10, "{result}");
    gamete.refused("match perfect random --game minichess --games 2", "which know positions of up to four pieces");
    gamete.refused("endgames nim", "there are no endgame tables of nim");
}

#[test]
fn games_go_out_and_come_in_as_pgn() {
    let gamete = Gamete::new();
    gamete.ok("train minichess-enn --generations 3 --name net");
    let pgn = gamete.ok("games net --format pgn");
    assert!(pgn.contains("[Variant \"minichess\"]") && pgn.contains("[White \"run:net@"), "{pgn}");
    fs::write(gamete.folder().join("net.pgn"), &pgn).unwrap();
    assert!(gamete.ok("games --check net.pgn").contains("2 games, "));
    let wrong = "[Variant \"minichess\"]\n\n1. a3 a4 2. b4 *\n";
    fs::write(gamete.folder().join("wrong.pgn"), wrong).unwrap();
    gamete.refused("games --check wrong.pgn", "wrong.pgn: game 1, move 2 of White, line 3: `b4` is no legal move");
    gamete.refused("games --check wrong.pgn", "legal moves: b3, ");
    gamete.refused("games --check wrong.pgn --game nim", "its Variant tag says `minichess`, not nim");
    gamete.refused("games --check none.pgn", "cannot read none.pgn");
    gamete.ok("train nim-2x4 --generations 3 --name nim");
    gamete.refused("games net --format pdn", "--format: games of minichess are kept as PGN, not as PDN");
    gamete.refused("games nim --format pgn", "games of nim are not kept as PGN; those of minichess are");
}
