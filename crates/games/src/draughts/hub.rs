//! Positions and moves of English draughts in the Hub protocol, as pydraughts writes them.
//!
//! The protocol is made for games in which White moves first from the bottom of the board. So a position is turned round
//! and its colours are exchanged: the side that moves first is `W`. Moves keep the numbers of PDN. A capture is its two
//! ends and then the captured squares in their order, so that paths with the same captures are one move.

use super::board::SQUARES;
use super::{Draughts, Path};
use crate::bits::bits;
use crate::game::{not_legal, shown};
use crate::{Game, NotationError, Protocol, ProtocolForm, Side};

pub(super) const FORM: ProtocolForm<Draughts> = ProtocolForm {
    protocol: Protocol::Hub,
    variant: "english",
    write_position,
    read_position,
    write_move: |_, mv| write_move(mv),
    read_move,
};

/// The letters of men and kings of the first side, then those of the second side.
const LETTERS: [[char; 2]; 2] = [['w', 'W'], ['b', 'B']];

fn write_position(game: &Draughts) -> String {
    let square = |place: usize| {
        let bit = 1 << (SQUARES - 1 - place);
        let side = Side::BOTH.into_iter().find(|&side| game.sides[side as usize] & bit != 0);
        side.map_or('e', |side| LETTERS[side as usize][usize::from(game.kings & bit != 0)])
    };
    std::iter::once(LETTERS[game.side as usize][1]).chain((0..SQUARES).map(square)).collect()
}

fn read_position(text: &str) -> Result<Draughts, NotationError> {
    let refuse = |why: String| {
        Err(NotationError(format!(
            "`{}` is no position of draughts in the Hub protocol: {why}; expected the side to move, W or B, and {SQUARES} letters of e, w, b, W, B",
            shown(text)
        )))
    };
    let letters: Vec<char> = text.chars().take(SQUARES + 2).collect();
    if letters.len() != SQUARES + 1 {
        return refuse(format!("it does not have {} letters", SQUARES + 1));
    }
    let side = match letters[0] {
        'W' => Side::First,
        'B' => Side::Second,
        other => return refuse(format!("the side to move is `{other}`")),
    };
    // Written and read once more in the game's own notation, which checks that the position is possible.
    let mut lists = [Vec::new(), Vec::new()];
    for (place, letter) in letters[1..].iter().enumerate() {
        let number = SQUARES - place;
        match LETTERS.iter().position(|known| known.contains(letter)) {
            Some(owner) => lists[owner].push(format!("{}{number}", if letter.is_uppercase() { "K" } else { "" })),
            None if *letter == 'e' => {}
            None => return refuse(format!("`{letter}` stands on square {number}")),
        }
    }
    let letter = if side == Side::First { "B" } else { "W" };
    format!("{letter}:W{}:B{}", lists[1].join(","), lists[0].join(",")).parse()
}

fn write_move(mv: Path) -> String {
    let sign = if mv.jumps > 0 { "x" } else { "-" };
    let ends = [usize::from(mv.from), usize::from(mv.to)];
    let squares: Vec<String> = ends.into_iter().chain(bits(mv.taken)).map(|square| (square + 1).to_string()).collect();
    squares.join(sign)
}

/// Reads a move. Captured squares may come in any order, and leading zeros do not matter.
fn read_move(game: &Draughts, text: &str) -> Result<Path, NotationError> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let squares = |text: &str| -> Option<Vec<u8>> {
        let mut squares: Vec<u8> = text.split(['-', 'x']).map(|number| number.parse().ok()).collect::<Option<_>>()?;
        if let Some(taken) = squares.get_mut(2..) {
            taken.sort_unstable();
        }
        Some(squares)
    };
    let wanted = squares(text);
    let means = |mv: &Path| wanted.is_some() && squares(&write_move(*mv)) == wanted;
    moves.into_iter().find(means).ok_or_else(|| not_legal(game, text, write_move))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts were written by pydraughts 0.6.7 (`draughts.Board(variant="english", fen=…)`).
    #[track_caller]
    fn check(position: &str, hub: &str, moves: &[&str]) {
        let game: Draughts = position.parse().unwrap();
        assert_eq!(write_position(&game), hub);
        assert_eq!(read_position(hub), Ok(game));
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let mut written: Vec<String> = legal.iter().map(|mv| write_move(*mv)).collect();
        written.sort();
        assert_eq!(written, moves);
        for text in moves {
            assert_eq!(write_move(read_move(&game, text).unwrap()), *text);
        }
    }

    #[test]
    fn positions_and_moves_are_those_of_pydraughts() {
        let start = ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"];
        let answer = ["21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"];
        check("B:W21-32:B1-12", "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", &start);
        check("W:W21-32:B1-11,16", "Bbbbbbbbbbbbbeeeeweeeewwwwwwwwwww", &answer);
        check("B:W18,19,27:B1,K10,15", "WeeeeebeeeeeeebbeeweeeeWeeeeeeeew", &["15x22x18", "15x31x19x27"]);
    }

    #[test]
    fn captured_squares_come_in_any_order() {
        let game: Draughts = "B:W18,19,27:B1,K10,15".parse().unwrap();
        assert_eq!(read_move(&game, "15x31x27x19").unwrap().to_string(), "15x24x31");
        assert_eq!(read_move(&game, "15x22x18").unwrap().to_string(), "15x22");
        for wrong in ["15x31", "15x31x27", "15-31-19-27-1", "", "x", "1-5", "999-1", "é"] {
            assert!(read_move(&game, wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "W", "X", &"e".repeat(33), &"W".repeat(34), &format!("W{}", "é".repeat(32))] {
            assert!(read_position(wrong).is_err(), "{wrong}");
        }
        assert!(read_position(&format!("W{}", "e".repeat(32))).is_err());
    }
}
