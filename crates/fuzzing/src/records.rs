//! Checks files of games, PGN and PDN.

use players::{check_games, read_games};

/// Input: a line with the game's name, or with any text if the file's tags name the game; then the file.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (game, text) = text.split_once('\n').unwrap_or(("", text));
    let game = games::names().iter().copied().find(|name| *name == game);
    if let Ok(file) = check_games(text, game, Some("pdn")) {
        assert!(!file.games.is_empty());
    }
    let Ok(read) = read_games(text, game, 10) else { return };
    assert!(read.games.len() == read.found.min(10));
    for game in &read.games {
        let steps = &game.steps;
        assert!(steps.positions.is_empty() || steps.positions.len() == steps.moves.len() + 1);
        assert_eq!(steps.moves.len(), steps.written.len());
        if steps.positions.is_empty() {
            continue;
        }
        // The moves as the program writes them lead to the same positions.
        let form = if game.game == "draughts" { "GameType \"21\"" } else { "Variant \"minichess\"" };
        let start = game.start.replace(['\\', '"'], "");
        let again = format!("[{form}]\n[FEN \"{start}\"]\n\n{} *\n", steps.written.join(" "));
        let again = read_games(&again, Some(&game.game), 1).expect("what was written can be read");
        assert_eq!(again.games[0].steps, *steps);
    }
}
