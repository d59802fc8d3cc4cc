//! English draughts from the command line: games as PDN, test positions, endings.

use super::{Gamete, check_refusal};
use std::fs;

/// A PDN file as they are shared between players.
const GOOD: &str = "[Event \"A match\"]\r\n[Black \"A\"]\r\n[White \"B\"]\r\n[Result \"1-0\"]\r\n\r\n\
    1. 11-15 23-19 {usual} 2.8-11 22-17! (2... 26-23) $1 1-0\r\n\r\n\
    [GameType \"21\"]\r\n[FEN \"B:W15:B11\"]\r\n\r\n1. 11x18 1-0\r\n";

#[test]
fn games_come_in_as_pdn() {
    let gamete = Gamete::new();
    let write = |name: &str, text: &str| fs::write(gamete.folder().join(name), text).unwrap();
    write("good.pdn", GOOD);
    let told = gamete.ok("games --check good.pdn");
    assert!(told.contains("good.pdn: 2 games, 5 moves, all legal\n"), "{told}");
    assert!(
        told.contains("1-0 means that Black won (games that ended on the board: 1 for this meaning, 0 against)\n"),
        "{told}"
    );
    let game = gamete.json("games --check good.pdn");
    assert_eq!(
        (&game["first_number_is"], &game["plies"], &game["result"]),
        (&"Black".into(), &1.into(), &"1-0".into())
    );

    write("short.pdn", "1. 11-15 23-19 1-0");
    assert!(gamete.ok("games --check short.pdn").contains("1-0 may mean either: no game"));
    assert!(gamete.json("games --check short.pdn")["first_number_is"].is_null());
    write("short.txt", "1. 11-15 23-19 1-0");
    gamete.ok("games --check short.txt --game draughts");
    gamete.refused("games --check short.txt", "--game: short.txt: game 1 has neither a Variant nor a GameType tag that says which game it is (minichess, draughts)");

    write("illegal.pdn", "1. 11-15 23-19\n2. 15-19 *");
    gamete.refused("games --check illegal.pdn", "illegal.pdn: game 1, move 2 of Black, line 2: `15-19` is no legal");
}

#[test]
fn what_is_wrong_with_pdn_is_told() {
    let gamete = Gamete::new();
    let write = |name: &str, text: &str| fs::write(gamete.folder().join(name), text).unwrap();
    write("ambiguous.pdn", "[FEN \"B:W6,7,14,15,23,31:B2\"]\n\n1. 2x27 31x24 *");
    let why =
        "move 1 of Black, line 3: `2x27` is ambiguous in B:W6,7,14,15,23,31:B2: it could be 2x9x18x27 or 2x11x18x27";
    gamete.refused("games --check ambiguous.pdn", why);
    write("russian.pdn", "[GameType \"25\"]\n\n1. c3-d4 *");
    gamete.refused("games --check russian.pdn", "`25`, which is another kind of draughts; it must be 21 (draughts)");
    write("empty.pdn", "\n");
    gamete.refused("games --check empty.pdn", "there is no game in it");
    gamete.refused("games --check none.pdn", "cannot read none.pdn");

    // Several mistakes are listed, and so is the meaning of results.
    let won = "[FEN \"B:W15:B11\"]\n1. 11x18";
    write("both.pdn", &format!("{won} 1-0\n{won} 0-1\n{won} 1-0\n1. 11-14"));
    let output = gamete.run("games --check both.pdn");
    let listed = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(listed.contains("game 2, line 3: the result is said to be 0-1, but in W:W:B18 Black has won"), "{listed}");
    assert!(listed.contains("game 4, move 1 of Black, line 7: `11-14` is no legal move"), "{listed}");
    assert!(
        listed.contains("1-0 means that Black won (games that ended on the board: 2 for this meaning, 1 against)"),
        "{listed}"
    );
    let silent = std::process::Output { stdout: Vec::new(), ..output };
    check_refusal(&silent, "games --check both.pdn", "both.pdn: 2 of 4 games are wrong");
}

fn share(exam: &serde_json::Value, name: &str) -> f64 {
    exam[name].as_f64().unwrap_or_else(|| panic!("{name} is no share in {exam}"))
}

#[test]
fn deeper_searches_find_more_shots() {
    let gamete = Gamete::new();
    let exam = |player: &str| gamete.json(&format!("exam {player} --game draughts"));
    let exams = ["random", "material:2", "material:4", "material:6"].map(exam);
    for exam in &exams {
        assert_eq!(exam["positions"], 400);
        assert!((share(exam, "quiet") + share(exam, "captures") - 2.0 * share(exam, "grade")).abs() < 1e-9, "{exam}");
        assert!(share(exam, "grade_low") < share(exam, "grade") && share(exam, "grade") < share(exam, "grade_high"));
        assert!(exam["points"].is_null() && exam["searched"].is_null(), "{exam}");
    }
    for pair in exams.windows(2) {
        assert!(share(&pair[0], "grade") + 0.05 < share(&pair[1], "grade"), "{pair:?}");
        assert!(share(&pair[0], "endgames") < share(&pair[1], "endgames"), "{pair:?}");
    }
    assert!(share(&exams[0], "grade") < 0.35 && share(&exams[2], "grade") > 0.7);
    assert!(share(&exam("mcts:200"), "grade") > 0.5);
    assert!(gamete.ok("exam random --game draughts").contains("QUIET win a man by a quiet move"));
}

#[test]
fn networks_take_the_exam_alone_and_with_search() {
    let gamete = Gamete::new();
    let told = gamete.json("train draughts-enn --generations 2 --name net --set record.final_games=0 --set strategy.enn.population=12 --set schedule.circular.opponents=4");
    let exam = gamete.json("exam run:net --failed");
    assert_eq!(told["exam"]["grade"], exam["grade"]);
    assert_eq!(exam["failed"].as_array().unwrap().len(), 400 - (400.0 * share(&exam, "grade")).round() as usize);
    let ways: Vec<_> =
        exam["searched"].as_array().unwrap().iter().map(|way| (way["depth"].as_u64(), way["mcts"].as_u64())).collect();
    assert_eq!(ways, [(Some(1), None), (Some(2), None), (Some(4), None), (None, Some(500))]);
    assert!(gamete.ok("exam run:net").contains("mcts 500"));
    let shown = gamete.ok("show net");
    assert!(shown.contains("quiet shots found (share)") && shown.contains("of 400 test positions solved"), "{shown}");
    gamete.ok("export net --format json --out net.json");
    assert_eq!(gamete.json("exam file:net.json,depth=2")["grade"], exam["searched"][1]["grade"]);
}

#[test]
fn questions_are_found_by_seed_and_read_with_care() {
    let gamete = Gamete::new();
    let questions = gamete.ok("questions draughts --seed 5 --each 4");
    assert_eq!(questions, gamete.ok("questions draughts --seed 5 --each 4"));
    assert_ne!(questions, gamete.ok("questions draughts --seed 6 --each 4"));
    let refused = |text: &str, why: &str| {
        fs::write(gamete.folder().join("some.txt"), text).unwrap();
        gamete.refused("exam random --game draughts --questions some.txt", why);
    };
    fs::write(gamete.folder().join("some.txt"), &questions).unwrap();
    assert_eq!(gamete.json("exam random --game draughts --questions some.txt")["positions"], 8);
    refused(&questions.replacen("quiet", "sk", 1), "line 1: there is no suite `sk`; there are quiet, captures");
    refused(&questions.replacen("captures | ", "captures | x", 1), "questions, line 5: ");
    refused(questions.lines().next().unwrap(), "no questions of the suite captures; some of each of quiet, captures");
    refused("", "there are no questions in the file");
    gamete.refused("exam random --game nim --questions some.txt", "the exam of nim has no test positions");
}

#[test]
fn networks_too_long_to_read_are_not_shown() {
    let gamete = Gamete::new();
    let train = |words: &str| {
        let few = "--set strategy.blondie.population=4 --set schedule.opens.games=1 --set player.depth=0";
        gamete.ok(&format!("train draughts-blondie24 {few} {words}"))
    };
    train("--generations 2 --name long");
    let shown = gamete.ok("show long");
    let end =
        "layers 32-40-10-1, 1690 edges\nthe network is too long to print; `gamete export long@2` writes all of it\n";
    assert!(shown.ends_with(end), "{shown}");
    assert!(gamete.ok("export long@2").contains("network: layered 32-40-10-1 "));
    train("--generations 1 --name short --set strategy.blondie.hidden=[2]");
    assert!(gamete.ok("show short").contains("layers 32-2-1, 66 edges\nlayered 32-2-1 "));
}

/// The endgame tables are only valid for the usual rule.
#[test]
fn where_blocked_games_are_drawn_the_tables_are_left_out() {
    let gamete = Gamete::new();
    let drawn = "--game draughts --setup blocked=draws";
    assert!(gamete.json(&format!("exam random {drawn}"))["endgames"].is_null());
    assert!(share(&gamete.json("exam random --game draughts"), "endgames") > 0.0);
    let why = "the endgame tables count a side that cannot move as lost, but blocked is draws";
    gamete.refused(&format!("exam perfect {drawn}"), why);
    gamete.refused(&format!("match perfect random {drawn} --games 2 --setup start=B:WK32:BK1,K2"), why);
    let won = gamete.json("match perfect random --game draughts --games 10 --plies 0 --setup start=B:WK32:BK1,K2");
    assert_eq!(won["losses"], 0);
    gamete.refused("exam perfect --game draughts", "up to four pieces");
}
