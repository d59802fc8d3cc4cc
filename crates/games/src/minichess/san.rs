//! Moves as chess players write them in records of games: `Nc3`, `axb4`, `b6=R`.

use super::{Kind, LETTERS, Minichess, Step, name};
use crate::game::{not_legal, shown};
use crate::{Game, NotationError};

/// Writes a move in standard algebraic notation: the piece (nothing for a pawn), its file or rank if several pieces
/// could go there, `x` for a capture, and the target square.
pub(super) fn write(game: &Minichess, mv: Step) -> String {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let kind = game.kind_on(mv.from).expect("a piece stands where a legal move begins");
    let (file, rank) = name(mv.from);
    let captures = game.kind_on(mv.to).is_some();
    let mut text = String::new();
    if kind == Kind::Pawn {
        if captures {
            text.push(file);
        }
    } else {
        text.push(LETTERS[kind as usize].to_ascii_uppercase());
        let rivals = moves
            .iter()
            .filter(|other| other.to == mv.to && other.from != mv.from && game.kind_on(other.from) == Some(kind));
        let rivals: Vec<(char, char)> = rivals.map(|other| name(other.from)).collect();
        let same_file = rivals.iter().any(|rival| rival.0 == file);
        let same_rank = rivals.iter().any(|rival| rival.1 == rank);
        // The file if it is enough, else the rank, else both.
        if !rivals.is_empty() && (!same_file || same_rank) {
            text.push(file);
        }
        if same_file {
            text.push(rank);
        }
    }
    if captures {
        text.push('x');
    }
    let (file, rank) = name(mv.to);
    text.extend([file, rank]);
    if mv.promotes {
        text.push_str("=R");
    }
    text
}

/// Reads a legal move in standard algebraic notation or as two squares. Signs such as `+`, `#`, `!` and `?` at the end
/// are ignored.
pub(super) fn read(game: &Minichess, text: &str) -> Result<Step, NotationError> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let plain: String = text.trim().trim_end_matches(['+', '#', '!', '?']).replace(['x', '-', '='], "");
    let refuse = || not_legal(game, text.trim(), |mv| write(game, mv));
    // 1. Split off the piece at the front and the promotion at the end; squares remain.
    let (piece, rest) = match plain.chars().next() {
        Some(letter) if letter.is_ascii_uppercase() => (letter.to_ascii_lowercase(), &plain[1..]),
        Some(_) => ('p', plain.as_str()),
        None => return Err(refuse()),
    };
    let (rest, promotes) = match rest.strip_suffix(['R', 'r']) {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    if !rest.is_ascii() || rest.len() < 2 {
        return Err(refuse());
    }
    let (from, to) = rest.split_at(rest.len() - 2);
    // 2. Find the legal moves that fit. If both squares are given, the piece may be missing.
    let fits = |mv: &&Step| {
        let kind = game.kind_on(mv.from).map(|kind| LETTERS[kind as usize]);
        let (to_file, to_rank) = name(mv.to);
        let (from_file, from_rank) = name(mv.from);
        to.chars().eq([to_file, to_rank])
            && (kind == Some(piece) || piece == 'p' && from.len() == 2)
            && from.chars().all(|c| c == from_file || c == from_rank)
            && mv.promotes == promotes
    };
    let fitting: Vec<Step> = moves.iter().filter(fits).copied().collect();
    match fitting[..] {
        [mv] => Ok(mv),
        [] => Err(refuse()),
        _ => {
            let which: Vec<String> = fitting.iter().map(|mv| mv.to_string()).collect();
            Err(NotationError(format!(
                "`{}` is ambiguous in {game}; it could be {}",
                shown(text.trim()),
                which.join(" or ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_move;

    #[track_caller]
    fn check(position: &str, plain: &str, short: &str) {
        let game: Minichess = position.parse().unwrap();
        let mv = parse_move(&game, plain).unwrap();
        assert_eq!(write(&game, mv), short);
        for text in [short, plain, &format!("{short}+!"), &plain.replace('r', "=R")] {
            assert_eq!(read(&game, text), Ok(mv), "{text}");
        }
    }

    #[test]
    fn moves_in_short() {
        let start = "rnbknr/pppppp/6/6/PPPPPP/RNBKNR w";
        check(start, "a2a3", "a3");
        check(start, "b1c3", "Nc3");
        check("rnbknr/p1pppp/6/1p4/P1PPPP/RNBKNR w", "a2a3", "a3");
        check("rnbknr/p1pppp/6/1p4/PPPPPP/RNBKNR b", "b3a2", "bxa2");
        check("1r3k/P5/6/6/6/K5 w", "a5b6r", "axb6=R");
        check("5k/P5/6/6/6/K5 w", "a5a6r", "a6=R");
        check("5k/6/6/6/6/R3RK w", "a1c1", "Rac1");
        check("R4k/6/6/6/6/R4K w", "a1a3", "R1a3");
        check("N1N2k/6/6/6/N5/5K w", "a6b4", "Na6b4");
        check("5k/6/6/6/5R/5K w", "f2f6", "Rxf6");
    }

    #[test]
    fn illegal_and_ambiguous_moves_are_refused() {
        let game: Minichess = "N1N2k/6/6/6/N5/5K w".parse().unwrap();
        let error = read(&game, "Nb4").unwrap_err().0;
        assert!(error.contains("it could be a6b4 or c6b4 or a2b4"), "{error}");
        for text in ["", "x", "Nd1", "Qa1", "a", "N", "é4", "a2b4r", "O-O"] {
            let error = read(&game, text).unwrap_err().0;
            assert!(error.contains("no legal move") && error.contains("legal moves: Nc5, "), "{text}: {error}");
        }
    }
}
