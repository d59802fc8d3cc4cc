//! How wide words are, and how they are broken into lines, so that nothing in a figure overlaps.

/// Widths of the letters from space to tilde in DejaVu Sans, in thousandths of its size.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
];
/// Of spaces at which lines are not broken, and of all others: wider than most.
const SPACE: u16 = 318;
const OTHER: u16 = 838;

/// How wide words are at a size.
pub(crate) fn width(words: &str, size: f64) -> f64 {
    let letter = |c: char| match c {
        '\u{a0}' | '\u{202f}' => SPACE,
        c => (c as usize).checked_sub(32).and_then(|at| WIDTHS.get(at)).copied().unwrap_or(OTHER),
    };
    words.chars().map(letter).map(f64::from).sum::<f64>() * size / 1000.0
}

/// Words in lines of at most so much width, broken at plain spaces, and within a word only where it is wider than a line.
pub(crate) fn lines(words: &str, size: f64, most: f64) -> Vec<String> {
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
        for letter in word.chars() {
            line.push(letter);
            if width(&line, size) > most && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.to_string()));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The same, but no more than so many lines: what is left out is told by dots.
pub(crate) fn few_lines(words: &str, size: f64, most: f64, count: usize) -> Vec<String> {
    let mut all = lines(words, size, most);
    if all.len() > count {
        all.truncate(count);
        if let Some(last) = all.last_mut() {
            while !last.is_empty() && width(&format!("{last}…"), size) > most {
                last.pop();
            }
            last.push('…');
        }
    }
    all
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
        assert!(few.len() == 2 && few[1].ends_with('…') && width(&few[1], 14.0) <= 120.0, "{few:?}");
        assert_eq!(few_lines("short", 14.0, 120.0, 2), ["short"]);
    }
}
