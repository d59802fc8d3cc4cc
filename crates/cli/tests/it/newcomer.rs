//! What a new user types first: commands without their options, wrong values, and commands that have nothing to do.

use super::{Gamete, without_times};
use std::io::Write;
use std::process::Stdio;

#[test]
fn a_match_needs_neither_a_game_nor_a_number_of_games() {
    let gamete = Gamete::new();
    let played = gamete.json("match champion:nim random");
    assert_eq!(played["games"], 100);
    let again = gamete.json("match champion:nim random --game nim --games 100");
    assert_eq!(without_times(&played), without_times(&again));
    assert_eq!(gamete.json("match random champion:tic-tac-toe --games 4")["games"], 4);
    assert!(gamete.ok("match --help").contains("[default: 100]"));
    gamete.refused("match random first", "--game: neither random nor first names a game; choose one of nim, ");
    gamete.refused(
        "match champion:nim champion:draughts",
        "champion:nim plays nim, but champion:draughts plays draughts; they cannot meet",
    );
    gamete.refused("match champion:nim random --game draughts", "plays nim, not draughts");
}

#[test]
fn list_alone_lists_what_can_be_listed() {
    let gamete = Gamete::new();
    let all = gamete.ok("list");
    for name in ["games", "experiments", "labs", "strategies", "players", "champions", "encoders", "parameters"] {
        let line = all.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        assert!(line.trim().len() > name.len() + 10, "{line}");
        gamete.ok(&format!("list {name}"));
    }
    assert_eq!(gamete.json("list")["name"], "parameters");
}

#[test]
fn wrong_numbers_are_blamed_on_the_flag_that_gave_them() {
    let gamete = Gamete::new();
    for (words, wanted) in [
        ("train --generations 0", "'--generations <N>': it must be at least 1"),
        ("train --generations -1", "'--generations <N>': it must be at least 1"),
        ("resume any --generations 0", "'--generations <N>': it must be at least 1"),
        ("train --generations many", "'--generations <N>': it is not a whole number; give one from 1 up"),
        ("match random first --games x", "'--games <N>': it is not a whole number; give one from 1 to 1000000000"),
        ("match random first --plies 1.5", "'--plies <K>': it is not a whole number; give one from 0 up"),
        ("tune nim-2x4 --vary seed=1..2 --budget x", "'--budget <RUNS>': it is not a number, such as 9 or 13.5"),
    ] {
        let output = gamete.run(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(wanted), "{said}");
        assert!(!said.contains("line "), "{said}");
    }
    // The bounds are those of the list.
    let parameters = gamete.ok("list parameters");
    let line = parameters.lines().find(|line| line.starts_with("strategy.enn.population ")).unwrap();
    assert!(line.contains(" 2 to 1000000 "), "{line}");
    for (value, allowed) in [
        ("abc", "is \"abc\", but it must be a whole number from 2 to 1000000"),
        ("-1", "is -1, but it must be a whole number from 2 to 1000000"),
        ("1.5", "is 1.5, but it must be a whole number from 2 to 1000000"),
        ("0", "is 0, but it must be from 2 to 1000000"),
        ("1000001", "is 1000001, but it must be from 2 to 1000000"),
    ] {
        gamete.refused(&format!("train --set strategy.enn.population={value}"), allowed);
    }
    gamete.refused("train --set strategy.enn.population=2", "gamete: nim-2x4: a population of 2 is too small");
    gamete.refused("play nim --against mcts", "the number of rounds is missing; write for example mcts:500");
    gamete.refused("play draughts --against material", "the number of plies is missing; write for example material:3");
}

#[test]
fn unknown_keys_get_the_nearest_ones_and_the_command_that_lists_all() {
    let gamete = Gamete::new();
    let all = "`gamete list parameters --experiment nim-2x4` lists all keys";
    for words in ["tune nim-2x4 --budget 20 --vary zzz=1..2", "train nim-2x4 --set zzz=1"] {
        gamete.refused(words, all);
        gamete.refused(words, "unknown key `zzz`; the nearest keys are `");
        let output = gamete.run(words);
        assert!(output.stderr.len() < 300, "{}", String::from_utf8_lossy(&output.stderr));
    }
    gamete.refused("train --set population=5", "did you mean `strategy.enn.population`? `gamete list parameters");
    let known = gamete.run("train nim-2x4 --set guests=x");
    assert!(!String::from_utf8_lossy(&known.stderr).contains("lists all keys"));
}

#[test]
fn a_tuning_says_what_it_needs_and_what_it_has_shown() {
    let gamete = Gamete::new();
    let vary = "--vary strategy.enn.exponent=0.5..4";
    gamete.refused(
        &format!("tune nim-2x4 {vary} --budget 2"),
        "--budget: it is 2, but it must be at least 9 (one round of 9 candidates with 3 seeds)",
    );
    // Three seeds are too few to show anything.
    let words = format!(
        "tune nim-2x4-c1 --set stop.generations=9 {vary} --budget 8 --candidates 3 --seeds 1001-1002 --games 2"
    );
    let said = gamete.ok(&format!("{words} --check 2001-2003 --name checked"));
    assert!(said.contains("no setting was shown to be better than the experiment as it is"), "{said}");
    assert!(said.contains("chance alone gives such a difference in"), "{said}");
    assert!(said.contains("its champion has the higher grade in") && said.contains("0.50 is level"), "{said}");
    assert!(!said.contains("best"), "{said}");
    let said = gamete.ok(&format!("{words} --check none --name unchecked"));
    assert!(said.contains("no setting was shown to be better") && !said.contains("best"), "{said}");
}

#[test]
fn a_person_can_undo_and_ask_the_opponent() {
    let gamete = Gamete::new();
    let play = |words: &str, typed: &str| {
        let mut child = gamete.command(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = play("play draughts --against mcts:20 --seed 1", "undo\nhint\n11-15\nundo\nhelp\n");
    assert!(said.contains("you have made no move that could be taken back"), "{said}");
    assert!(said.contains("no solver knows this position; mcts:20 would play "), "{said}");
    assert!(said.contains("taken back: 11-15 and "), "{said}");
    for command in ["moves", "hint", "undo", "help", "quit"] {
        assert_eq!(said.matches(&format!("\n  {command} ")).count(), 2, "{said}");
    }
    let silent = play("play draughts --against random --seed 1", "hint\n");
    assert!(silent.contains("no solver knows this position; 9-13 is best by counting pieces"), "{silent}");
    // The opponent's first move alone is not taken back.
    let second = play("play nim --against first --position 3,3 --side second", "undo\n");
    assert!(second.contains("you have made no move that could be taken back"), "{second}");
    let known = play("play nim --against mcts:20 --position 3,0", "hint\n");
    assert!(known.contains("1:2 wins") && !known.contains("would play"), "{known}");
}

#[test]
fn games_are_shown_with_diagrams() {
    let gamete = Gamete::new();
    gamete.ok("train tic-tac-toe --generations 2 --name t");
    let (short, long) = (gamete.ok("games t"), gamete.ok("games t --diagrams"));
    let (games, boards) =
        (|text: &str| text.matches("against champion").count(), |text: &str| text.matches("   a b c").count());
    assert!(games(&short) > 0 && boards(&short) == games(&short), "one diagram for each game: {short}");
    assert!(boards(&long) >= 5 * games(&long), "one diagram for each move: {long}");
}

#[test]
fn a_run_without_games_says_why() {
    let gamete = Gamete::new();
    let check = |every: &str, expected: &str| {
        let trained =
            gamete.ok(&format!("train nim-2x2 --generations 3 --set record.games_every={every} --name e{every}"));
        assert!(trained.contains("gamete show e") && !trained.contains("gamete games"), "{trained}");
        let output = gamete.run(&format!("games e{every}"));
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(output.status.success() && output.stdout.is_empty() && said.contains(expected), "{said}");
    };
    check("10", "no games were saved: games are saved every 10 generations (record.games_every), and this run has 3");
    check("0", "no games were saved: record.games_every is 0");
    assert!(gamete.ok("train nim-2x2 --generations 3").contains("gamete games nim-2x2-1"));
}

#[test]
fn the_folder_of_runs_may_come_from_the_environment() {
    let gamete = Gamete::new();
    let with_folder = |words: &str| gamete.command(words).env("GAMETE_RUNS", "elsewhere").output().unwrap();
    assert!(String::from_utf8_lossy(&with_folder("runs").stdout).contains("there are no runs in elsewhere"));
    let refused = String::from_utf8_lossy(&with_folder("show").stderr).to_string();
    assert!(refused.contains("gamete show <RUN>") && !refused.contains("--runs"), "{refused}");
    assert!(gamete.ok("show --help").contains("the environment variable GAMETE_RUNS, or runs]"));
}

#[test]
fn a_match_says_that_games_begin_with_random_plies() {
    let gamete = Gamete::new();
    let says =
        |words: &str| gamete.ok(words).contains("games begin with 2 random plies; --plies 0 begins at the start");
    assert!(says("match champion:nim random --games 4"));
    assert!(!says("match champion:nim random --games 4 --plies 0"));
    assert_eq!(gamete.ok("match champion:nim random --games 4 --json").lines().count(), 1);
}

#[test]
fn a_finished_run_says_that_nothing_is_to_do() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --name solved");
    let said = gamete.ok("resume solved");
    assert!(said.starts_with("nothing to do: the run was solved in generation "), "{said}");
    assert!(said.contains("gamete resume solved --generations N` with N above "), "{said}");
    assert!(said.ends_with("\nrun solved (runs/solved.db)\n") && said.lines().count() == 2, "{said}");
    gamete.ok("train nim-2x2 --generations 3 --name short");
    assert!(gamete.ok("resume short").starts_with("nothing to do: the run has all its 3 generations; "));
    assert!(!gamete.ok("resume short --generations 4").contains("nothing to do"));
    assert_eq!(gamete.json("resume short")["generations"], 4);
}
