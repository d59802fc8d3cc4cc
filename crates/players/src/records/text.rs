//! Splits a file of games into tags, moves and results. Comments, variations, move numbers and marks are left out.

use games::RecordForm;

/// A game as text: tags, moves with their lines, and the result.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The line on which the game begins.
    pub line: usize,
    /// The moves with their lines.
    pub moves: Vec<(String, usize)>,
    /// The result after the moves.
    pub result: Option<String>,
    /// The names and values of the tags, as they are written.
    pub tags: Vec<(String, String)>,
    /// The line of the last tag.
    tagged_until: usize,
}

impl Record {
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none()
    }
}

/// Splits a text into games. Comments, variations, move numbers and marks are skipped.
pub(super) fn split(text: &str) -> Result<Vec<Record>, String> {
    // Old files may end their lines with "\r\n" or "\r".
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let mut games = Games { line: 1, ..Games::default() };
    let mut rest = text.as_str();
    let mut at_line_start = true;
    while let Some(first) = rest.chars().next() {
        let line = games.line;
        let never_ends = |what: &str| format!("line {line}: a {what} begins with {first} and never ends");
        let taken = match first {
            c if c.is_whitespace() => c.len_utf8(),
            '%' if at_line_start => rest.find('\n').unwrap_or(rest.len()),
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '{' => rest.find('}').ok_or_else(|| never_ends("comment"))? + 1,
            '(' => variation(rest).ok_or_else(|| never_ends("variation"))?,
            '[' => games.push_tag(rest)?,
            _ => games.push_word(rest),
        };
        let (passed, left) = rest.split_at(taken);
        games.line += passed.matches('\n').count();
        at_line_start = passed.ends_with('\n');
        rest = left;
    }
    games.end_game();
    Ok(games.ended)
}

/// The most characters of a wrong tag that an error message repeats.
const MOST_SHOWN: usize = 200;

/// The games found so far, and the one that is being read.
#[derive(Default)]
struct Games {
    ended: Vec<Record>,
    record: Record,
    line: usize,
}

impl Games {
    fn end_game(&mut self) {
        let record = std::mem::take(&mut self.record);
        if !record.is_empty() {
            self.ended.push(record);
        }
    }

    /// Reads the tag at the beginning of a text. Returns its length.
    fn push_tag(&mut self, text: &str) -> Result<usize, String> {
        let line = self.line;
        // A tag after moves, or after an empty line, begins another game.
        if !self.record.moves.is_empty() || self.record.tagged_until + 1 < line {
            self.end_game();
        }
        if self.record.is_empty() {
            self.record.line = line;
        }
        self.record.tagged_until = line;
        let (tag, length) = tag(text).ok_or_else(|| {
            let begins: String = text.lines().next().unwrap_or("").trim().chars().take(MOST_SHOWN).collect();
            format!("line {line}: `{begins}` is not a tag; a tag looks like [White \"name\"]")
        })?;
        self.record.tags.push(tag);
        Ok(length)
    }

    /// Reads the word at the beginning of a text, which is a move or a result. Returns its length.
    fn push_word(&mut self, text: &str) -> usize {
        let ends = |&(place, c): &(usize, char)| place > 0 && (c.is_whitespace() || "{}()[];$".contains(c));
        let length = text.char_indices().find(ends).map_or(text.len(), |(place, _)| place);
        if self.record.is_empty() {
            self.record.line = self.line;
        }
        if let Some(word) = without_number(&text[..length]) {
            // Results cannot be moves: no square has the number 0, and no move ends where it began.
            if RecordForm::ALL.iter().any(|form| form.results().contains(&word)) {
                self.record.result = Some(word.to_string());
                self.end_game();
            } else {
                self.record.moves.push((word.to_string(), self.line));
            }
        }
        length
    }
}

/// The length of a variation, which may contain other variations and comments; `None` if it does not end.
fn variation(text: &str) -> Option<usize> {
    let (mut depth, mut in_comment, mut to_line_end) = (0, false, false);
    for (place, c) in text.char_indices() {
        match c {
            '\n' => to_line_end = false,
            _ if to_line_end => {}
            ';' if !in_comment => to_line_end = true,
            '{' => in_comment = true,
            '}' => in_comment = false,
            '(' if !in_comment => depth += 1,
            ')' if !in_comment => {
                depth -= 1;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads `[Name "value"]` on one line, and returns it with its length. After a backslash, the next character is taken
/// literally. The text after the tag is not looked at, because a line may contain very many tags.
fn tag(text: &str) -> Option<((String, String), usize)> {
    let inner = text.strip_prefix('[')?;
    let end = inner.find(['"', '\n', ']'])?;
    let (name, quoted) = (inner[..end].trim(), inner[end..].strip_prefix('"')?);
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((place, c)) = characters.next() {
        match c {
            '\n' => return None,
            '\\' => value.push(characters.next().filter(|&(_, c)| c != '\n')?.1),
            '"' => {
                let is_space = |c: char| c.is_whitespace() && c != '\n';
                let after = quoted[place + 1..].trim_start_matches(is_space).strip_prefix(']')?;
                return Some(((name.to_string(), value), text.len() - after.len()));
            }
            c => value.push(c),
        }
    }
    None
}

/// A word without the move number before it; `None` if the word is only a number or a mark.
fn without_number(word: &str) -> Option<&str> {
    if word.starts_with('$') || word.chars().all(|c| "!?".contains(c)) {
        return None;
    }
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match after.strip_prefix('.') {
        Some(rest) => Some(rest.trim_start_matches('.')).filter(|mv| !mv.is_empty()),
        None if after.is_empty() => None,
        None => Some(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let found = split(text).unwrap();
        let games: Vec<(String, Option<&str>)> = (found.iter())
            .map(|record| {
                let moves: Vec<&str> = record.moves.iter().map(|(mv, _)| mv.as_str()).collect();
                (moves.join(" "), record.result.as_deref())
            })
            .collect();
        assert_eq!(games.iter().map(|(moves, result)| (moves.as_str(), *result)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn numbers_and_marks_are_not_moves() {
        check("1. 11-15 23-19 2. 8-11", &[("11-15 23-19 8-11", None)]);
        check("1.11-15 1...23-19! 12.8-11? $3 1. ... 22x15x8", &[("11-15 23-19! 8-11? 22x15x8", None)]);
        check("1 11-15 ! 23-19 ?? {a {b} 2 8-11 ; (c\n(9-13 (1-5) {)}) *", &[("11-15 23-19 8-11", Some("*"))]);
        check("11-15(!) 23-19(?)", &[("11-15 23-19", None)]);
    }

    #[test]
    fn results_are_not_moves() {
        for result in ["1-0", "0-1", "2-0", "0-2", "1-1", "0-0", "1/2-1/2", "*"] {
            check(&format!("1. 1-5 2-7 {result} 1-6"), &[("1-5 2-7", Some(result)), ("1-6", None)]);
            check(&format!("1.{result}"), &[("", Some(result))]);
        }
        check("1-5 1-10 2-1 10-2 1-2 20-2 2-20 01-05", &[("1-5 1-10 2-1 10-2 1-2 20-2 2-20 01-05", None)]);
    }

    #[test]
    fn lines_end_in_any_way() {
        for end in ["\n", "\r\n", "\r"] {
            let text =
                ["\u{feff}[White \"A\"]", "[Black \"B\"]", "", "1. 1-5 ; a", "2-7 1-0", "", "[White \"C\"]"].join(end);
            let games = split(&text).unwrap();
            assert_eq!(games.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 7]);
            assert_eq!(games[0].moves[1], ("2-7".to_string(), 5));
            assert_eq!((games[0].tag("black"), games[1].tag("White")), (Some("B"), Some("C")));
        }
    }

    /// Very many tags on one line are read in linear time.
    #[test]
    fn many_tags_on_one_line() {
        let begun = std::time::Instant::now();
        let text = "[A \"\"]".repeat(200_000);
        assert_eq!(split(&text).unwrap()[0].tags.len(), 200_000);
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
        let error = split(&format!("[{}", "x".repeat(1 << 20))).unwrap_err();
        assert!(error.len() < 1000, "{} bytes", error.len());
        for text in ["[A \"b\n\"]", "[A\n \"b\"]", "[A \"b\"\n]", "[A \"b\\\n\"]"] {
            assert!(split(text).unwrap_err().contains("is not a tag"), "{text}");
        }
    }
}
