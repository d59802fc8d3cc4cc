//! English draughts from the command line: games as PDN.

use super::{Gamete, check_refusal};
use std::fs;

/// A file as people pass them on.
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
    assert!(told.contains("1-0 means that Black won (1 game ended on the board so, none otherwise)\n"), "{told}");
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
    gamete.refused("games --check short.txt", "say with --game which it is (minichess, draughts)");

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
    gamete
        .refused("games --check russian.pdn", "`25`, which is another kind of draughts; right would be 21 (draughts)");
    write("empty.pdn", "\n");
    gamete.refused("games --check empty.pdn", "there is no game in it");
    gamete.refused("games --check none.pdn", "cannot read none.pdn");

    // Several things wrong are listed, and so is the meaning of results.
    let won = "[FEN \"B:W15:B11\"]\n1. 11x18";
    write("both.pdn", &format!("{won} 1-0\n{won} 0-1\n{won} 1-0\n1. 11-14"));
    let output = gamete.run("games --check both.pdn");
    let listed = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(listed.contains("game 2, line 3: the result is said to be 0-1, but in W:W:B18 Black has won"), "{listed}");
    assert!(listed.contains("game 4, move 1 of Black, line 7: `11-14` is no legal move"), "{listed}");
    assert!(listed.contains("1-0 means that Black won (2 games ended on the board so, 1 otherwise)"), "{listed}");
    let silent = std::process::Output { stdout: Vec::new(), ..output };
    check_refusal(&silent, "games --check both.pdn", "both.pdn: something is wrong with 2 of 4 games");
}
