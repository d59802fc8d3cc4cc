//! Texts of positions and moves: PDN's FEN, and moves by the numbers of their squares.

use super::board::{CROWNING, SIDE, SQUARES, place};
use super::{Draughts, Path};
use crate::bits::bits;
use crate::game::{not_legal, shown};
use crate::{Game, NotationError, Side};
use std::{fmt, str::FromStr};

impl fmt::Display for Path {
    /// Writes `11-15` for a step, and every square of a capture: `22x15x8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.jumps > 0 { 'x' } else { '-' };
        for (number, square) in self.squares().enumerate() {
            if number > 0 {
                write!(f, "{sign}")?;
            }
            write!(f, "{}", square + 1)?;
        }
        Ok(())
    }
}

/// The text of a move in records: a capture is written with its two ends if that is unambiguous.
pub(super) fn write(game: &Draughts, mv: Path) -> String {
    let short = format!("{}x{}", mv.from + 1, mv.to + 1);
    if mv.jumps > 1 && read(game, &short) == Ok(mv) { short } else { mv.to_string() }
}

/// Reads a move: its two ends, and as many of the squares between as are needed. Paths that capture the same pieces
/// count as one move.
pub(super) fn read(game: &Draughts, text: &str) -> Result<Path, NotationError> {
    let text = text.trim().trim_end_matches(['!', '?', '*']);
    let numbers: Option<Vec<u8>> = text.split(['-', 'x', 'X', ':']).map(|number| number.parse().ok()).collect();
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let refuse = || Err(not_legal(game, text, |mv| mv.to_string()));
    let Some(numbers) = numbers.filter(|numbers| numbers.len() >= 2) else {
        return refuse();
    };
    let capture = text.contains(['x', 'X', ':']);
    let means = |mv: &&Path| {
        let squares: Vec<u8> = mv.squares().map(|square| square + 1).collect();
        let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
        let mut between = squares[1..squares.len() - 1].iter();
        // Some people write captures with a dash.
        (!capture || mv.jumps > 0)
            && squares[0] == first
            && squares[squares.len() - 1] == last
            && numbers[1..numbers.len() - 1].iter().all(|wanted| between.any(|square| square == wanted))
    };
    let found: Vec<&Path> = moves.iter().filter(means).collect();
    // A move with all its squares is unambiguous.
    if let Some(&&exact) = found.iter().find(|mv| mv.squares().map(|square| square + 1).eq(numbers.iter().copied())) {
        return Ok(exact);
    }
    match found[..] {
        [] => refuse(),
        [&one, ..] if found.iter().all(|other| other.taken == one.taken) => Ok(one),
        _ => {
            let ways: Vec<String> = found.iter().map(|mv| mv.to_string()).collect();
            Err(NotationError(format!("`{}` is ambiguous in {game}: it could be {}", shown(text), ways.join(" or "))))
        }
    }
}

impl fmt::Display for Draughts {
    /// Writes PDN's FEN: the side to move, White's pieces, Black's pieces; `K` marks a king.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", if self.side == Side::First { "B" } else { "W" })?;
        for (letter, side) in [("W", Side::Second), ("B", Side::First)] {
            let piece = |square| format!("{}{}", if self.kings >> square & 1 == 1 { "K" } else { "" }, square + 1);
            let pieces: Vec<String> = bits(self.sides[side as usize]).map(piece).collect();
            write!(f, ":{letter}{}", pieces.join(","))?;
        }
        Ok(())
    }
}

impl FromStr for Draughts {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Draughts, NotationError> {
        read_position(text).map_err(|why| {
            NotationError(format!(
                "`{}` is no position of draughts: {}; expected a position such as `B:W21,22,K30:B1,K2,12`",
                shown(text),
                shown(&why)
            ))
        })
    }
}

fn read_position(text: &str) -> Result<Draughts, String> {
    let whole: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut parts = whole.trim_end_matches('.').split(':');
    let side = match parts.next() {
        Some("B") => Side::First,
        Some("W") => Side::Second,
        Some("") | None => return Err("the side to move, B or W, is missing".to_string()),
        Some(other) => return Err(format!("the side to move is `{other}`, but it must be B or W")),
    };
    let mut game = Draughts { sides: [0; 2], kings: 0, side };
    let mut seen = [false; 2];
    for part in parts {
        let mut letters = part.chars();
        let owner = match letters.next() {
            Some('B') => Side::First,
            Some('W') => Side::Second,
            _ => return Err(format!("`{part}` is no list of pieces; such a list begins with B or W")),
        };
        let name = Draughts::SIDES[owner as usize];
        if std::mem::replace(&mut seen[owner as usize], true) {
            return Err(format!("the pieces of {name} are listed twice"));
        }
        for item in letters.as_str().split(',').filter(|item| !item.is_empty()) {
            let (king, numbers) = match item.strip_prefix('K') {
                Some(rest) => (true, rest),
                None => (false, item),
            };
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            let (first, last) = (square_number(first)?, square_number(last)?);
            if first > last {
                return Err(format!("`{item}` runs backwards; expected {last}-{first}"));
            }
            for square in first..=last {
                let bit = 1 << (square - 1);
                if (game.sides[0] | game.sides[1]) & bit != 0 {
                    return Err(format!("two pieces stand on square {square}"));
                }
                if !king && CROWNING[owner as usize] & bit != 0 {
                    return Err(format!(
                        "a man of {name} stands on square {square}, where it must be a king: K{square}"
                    ));
                }
                game.sides[owner as usize] |= bit;
                game.kings |= if king { bit } else { 0 };
            }
        }
    }
    for side in Side::BOTH {
        if !seen[side as usize] {
            return Err(format!("the pieces of {} are missing", Draughts::SIDES[side as usize]));
        }
    }
    if game.sides == [0; 2] {
        return Err("there are no pieces at all".to_string());
    }
    Ok(game)
}

fn square_number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(square) if (1..=SQUARES).contains(&square) => Ok(square),
        Ok(square) => Err(format!("there is no square {square}; the squares are 1 to {SQUARES}")),
        Err(_) => Err(format!("`{text}` is no square; the squares are 1 to {SQUARES}")),
    }
}

/// The board as White sees it, with Black's men at the top. Free dark squares show their numbers.
pub(super) fn diagram(game: &Draughts) -> String {
    let mut cells = vec![vec!["   ".to_string(); SIDE]; SIDE];
    for square in 0..SQUARES {
        let (row, column) = place(square);
        let letters = match game.sides.iter().position(|side| side >> square & 1 == 1) {
            Some(0) => ["b", "B"],
            Some(_) => ["w", "W"],
            None => {
                cells[row][column] = format!("{:>2} ", square + 1);
                continue;
            }
        };
        cells[row][column] = format!(" {} ", letters[(game.kings >> square & 1) as usize]);
    }
    let rows: Vec<String> = cells.iter().map(|row| row.concat().trim_end().to_string()).collect();
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_go_both_ways() {
        for (text, canonical) in [
            ("B:W21-32:B1-12", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
            ("W:BK7, 9 : WK1,5.", "W:WK1,5:BK7,9"),
            ("B:W:BK1", "B:W:BK1"),
        ] {
            let game: Draughts = text.parse().unwrap();
            assert_eq!(game.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(game));
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (text, why) in [
            ("B:W33:B1", "there is no square 33"),
            ("B:W0:B1", "there is no square 0"),
            ("B:W5:B5", "two pieces stand on square 5"),
            ("B:W5,5:B1", "two pieces stand on square 5"),
            ("B:W4:B1", "a man of White stands on square 4"),
            ("B:W21:B29", "a man of Black stands on square 29"),
            ("B:W:B", "there are no pieces at all"),
            ("B:W5", "the pieces of Black are missing"),
            ("B:W5:W6:B1", "are listed twice"),
            ("X:W5:B1", "the side to move is `X`"),
            ("", "the side to move, B or W, is missing"),
            ("B:W5:B1:Q3", "`Q3` is no list of pieces"),
            ("B:Wx:B1", "`x` is no square"),
            ("B:W32-21:B1", "`32-21` runs backwards"),
        ] {
            let error = text.parse::<Draughts>().unwrap_err().0;
            assert!(error.contains(why) && error.contains("expected a position such as"), "{error}");
        }
    }

    #[test]
    fn moves_in_records_may_be_short_if_they_are_unambiguous() {
        #[track_caller]
        fn check(position: &str, text: &str, expected: Result<&str, &str>) {
            let game: Draughts = position.parse().unwrap();
            match (read(&game, text), expected) {
                (Ok(mv), Ok(expected)) => {
                    assert_eq!(mv.to_string(), expected);
                    assert_eq!(read(&game, &write(&game, mv)), Ok(mv));
                }
                (Err(error), Err(why)) => assert!(error.0.contains(why), "{error}"),
                (found, _) => panic!("{found:?}"),
            }
        }
        let two_ways = "B:W6,7,14,15,23,31:B2";
        check(two_ways, "2x9x18x27", Ok("2x9x18x27"));
        check(two_ways, "2x9x27", Ok("2x9x18x27"));
        check(two_ways, "2x27", Err("it could be 2x9x18x27 or 2x11x18x27"));
        check("B:W15,23,31:B1,11", "11x27", Ok("11x18x27"));
        check("B:W15,23,31:B1,11", "11-27", Ok("11x18x27"));
        check("B:W15,23,31:B1,11", "11-15", Err("no legal move"));
        // The king returns to its square by either way; the same pieces are captured.
        check("W:WK22:B9,10,17,18", "22x22", Ok("22x13x6x15x22"));
        check("B:W21-32:B1-12", "11-15!", Ok("11-15"));
        check("B:W21-32:B1-12", "eleven", Err("legal moves:"));
    }
}
