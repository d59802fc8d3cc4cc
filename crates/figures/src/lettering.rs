//! Measures the width of text and breaks it into lines, so that nothing in a figure overlaps.

/// The widths of the characters from space to tilde in DejaVu Sans, in thousandths of the font size.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
];
/// The width of spaces at which lines are not broken.
const SPACE: u16 = 318;
/// The width of an ellipsis.
const DOTS: u16 = 1000;
/// The width that is assumed for all other characters. Most of them are narrower.
const OTHER: u16 = 838;

/// The width of a text at a font size, in the same unit as the size.
pub fn width(words: &str, size: f64) -> f64 {
    let letter = |c: char| match c {
        '\u{a0}' | '\u{202f}' => SPACE,
        '…' => DOTS,
        c => (c as usize).checked_sub(32).and_then(|at| WIDTHS.get(at)).copied().unwrap_or(OTHER),
    };
    words.chars().map(letter).map(f64::from).sum::<f64>() * size / 1000.0
}

/// Breaks a text into lines of at most the width `most`. Lines are broken at plain spaces. A word that is too wide for
/// a line is broken after punctuation, and elsewhere only if that is not enough.
pub fn lines(words: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        let longer = if line.is_empty() { word.to_string() } else { format!("{line} {word}") };
        if width(&longer, size) <= most {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for part in parts(word) {
            if !line.is_empty() && width(&format!("{line}{part}"), size) > most {
                lines.push(std::mem::take(&mut line));
            }
            for letter in part.chars() {
                line.push(letter);
                if width(&line, size) > most && line.chars().count() > 1 {
                    line.pop();
                    lines.push(std::mem::replace(&mut line, letter.to_string()));
                }
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Splits a long name into parts after which a line may end, such as `population-` and `60`. Numbers are not split.
pub fn parts(word: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(|(_, c)| c.is_ascii_digit());
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, &(place, sign)) in letters.iter().enumerate() {
        let before = at.checked_sub(1);
        let ends = match sign {
            '.' | ',' => !(is_digit(before) && is_digit(Some(at + 1))),
            // Small numbers are written as 1e-5.
            '-' => !(before.is_some_and(|at| letters[at].1 == 'e') && is_digit(at.checked_sub(2))),
            '_' | '=' | '+' | '…' => true,
            _ => false,
        };
        let end = place + sign.len_utf8();
        if ends && end < word.len() {
            parts.push(&word[from..end]);
            from = end;
        }
    }
    parts.push(&word[from..]);
    parts
}

/// Breaks a text into at most `count` lines. If it is too long, an ellipsis replaces a part of it. Two thirds of the
/// kept text are its end, because names differ at their end more often than at their beginning.
pub fn few_lines(words: &str, size: f64, most: f64, count: usize) -> Vec<String> {
    let all = lines(words, size, most);
    let letters: Vec<char> = words.chars().collect();
    let kept = |keep: usize| {
        let (head, tail) = (&letters[..keep / 3], &letters[letters.len() - (keep - keep / 3)..]);
        lines(&head.iter().chain(&['…']).chain(tail).collect::<String>(), size, most)
    };
    let shorter = || (0..letters.len()).rev().map(kept).find(|lines| lines.len() <= count);
    if all.len() <= count { all } else { shorter().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_wide_and_no_letter_is_lost() {
        let words = "the quick brown fox strategy.mutation.rate=0.5,strategy.population=100 jumps";
        let all = lines(words, 14.0, 120.0);
        assert!(all.len() > 4 && all.iter().all(|line| width(line, 14.0) <= 120.0), "{all:?}");
        assert_eq!(all.concat().replace(' ', ""), words.replace(' ', ""));
        let few = few_lines(words, 14.0, 120.0, 2);
        assert!(few.len() == 2 && few.iter().all(|line| width(line, 14.0) <= 120.0), "{few:?}");
        let (head, end) =
            few.concat().split_once('…').map(|(head, tail)| (head.to_string(), tail.to_string())).unwrap();
        assert!(words.starts_with(&head) && words.replace(' ', "").ends_with(&end.replace(' ', "")), "{few:?}");
        assert!(end.len() > head.len() && end.len() + head.len() > 15, "{few:?}");
        assert_eq!(few_lines("short", 14.0, 120.0, 2), ["short"]);
    }

    #[track_caller]
    fn check(words: &str, expected: &[&str]) {
        let most = expected.iter().map(|line| width(line, 15.0)).fold(0.0, f64::max);
        assert_eq!(lines(words, 15.0, most), expected);
    }

    #[test]
    fn names_are_broken_after_punctuation_and_numbers_are_not() {
        check("population-60", &["population-", "60"]);
        check("exponent-0.5", &["exponent-", "0.5"]);
        check("strategy.enn.mutation.rate=0.125", &["strategy.enn.", "mutation.rate=", "0.125"]);
        check("a_long+name,and-1e-5", &["a_long+", "name,and-", "1e-5"]);
        // A part that is too wide for a line is broken anywhere.
        check("x-incomprehensible", &["x-", "incomprehe", "nsible"]);
        check("short population-60 (n\u{a0}=\u{a0}12)", &["short", "population-", "60 (n\u{a0}=\u{a0}12)"]);
    }
}
