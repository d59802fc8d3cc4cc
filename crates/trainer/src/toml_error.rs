//! TOML errors in plain words: where the error is, what was found, and what is allowed.

use crate::error::nearest;

/// Line and column of a TOML error, and a sentence that explains it.
pub fn explain(text: &str, error: &toml::de::Error) -> (Option<(usize, usize)>, String) {
    let place = error.span().map(|span| line_and_column(text, span.start));
    (place, in_our_words(error.message()))
}

/// Line and column of the value at a dotted path, or of the innermost table on the path if there is no value.
pub fn locate(text: &str, path: &str) -> Option<(usize, usize)> {
    let root = toml::de::DeTable::parse(text).ok()?;
    let mut table = root.get_ref();
    let mut found = None;
    for part in path.split('.') {
        let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == part) else { break };
        found = Some(value.span().start);
        match value.get_ref() {
            toml::de::DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    found.map(|offset| line_and_column(text, offset))
}

fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

fn in_our_words(message: &str) -> String {
    // 1. Unknown keys and variants get a suggestion.
    for (start, word) in [("unknown field `", "key"), ("unknown variant `", "choice")] {
        if let Some((found, rest)) = message.strip_prefix(start).and_then(|rest| rest.split_once('`')) {
            let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
            return match nearest(found, &known) {
                Some(name) => format!("unknown {word} `{found}`; did you mean `{name}`?"),
                None if known.is_empty() => format!("unknown {word} `{found}`; there are no keys here"),
                None => format!("unknown {word} `{found}`; there are {}", known.join(", ")),
            };
        }
    }
    // 2. Missing keys and wrong types in plain words.
    if let Some(key) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return format!("the key `{key}` is missing; every parameter must be given");
    }
    let mut words = message.trim().replace('\n', ", ");
    for (theirs, ours) in [
        ("invalid type: ", "found "),
        ("invalid value: ", "found "),
        ("expected usize", "but a whole number from 0 up belongs here"),
        ("expected u64", "but a whole number from 0 up belongs here"),
        ("expected u32", "but a whole number from 0 up belongs here"),
        ("expected u8", "but a whole number from 0 to 255 belongs here"),
        ("expected u16", "but a whole number from 0 to 65535 belongs here"),
        ("expected f64", "but a number belongs here"),
        ("expected a string", "but a text in quotes belongs here"),
        ("expected a boolean", "but true or false belongs here"),
        ("expected a sequence", "but a list such as [4, 4] belongs here"),
        ("wanted exactly 1 element, more than 1 element", "several choices stand here, but exactly one belongs here"),
        (" as i128", ""),
        ("expected any valid TOML value", "but whole numbers go up to 9223372036854775807"),
        ("expected a borrowed string", "but a text in quotes belongs here"),
    ] {
        words = words.replace(theirs, ours);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one() {
        assert_eq!(line_and_column("a\nbé c", 6), (2, 4));
        assert_eq!(line_and_column("abc", 0), (1, 1));
    }

    #[test]
    fn values_are_found_by_their_path() {
        let text = "seed = 1\n[a.b]\nc = [1,\n 2]\n";
        assert_eq!(locate(text, "seed"), Some((1, 8)));
        assert_eq!(locate(text, "a.b.c"), Some((3, 5)));
        assert!(locate(text, "a.b.none").is_some());
        assert_eq!(locate(text, "none"), None);
    }

    #[test]
    fn messages_suggest_what_is_allowed() {
        let check = |theirs: &str, ours: &str| assert_eq!(in_our_words(theirs), ours);
        check("unknown field `stakcs`, expected `stacks` or `start`", "unknown key `stakcs`; did you mean `stacks`?");
        check("unknown field `zzz`, expected `stacks` or `start`", "unknown key `zzz`; there are stacks, start");
        check("unknown field `a`, there are no fields", "unknown key `a`; there are no keys here");
        check(
            "unknown variant `randm`, expected one of `fixed`, `random`, `single`",
            "unknown choice `randm`; did you mean `random`?",
        );
        check("missing field `seed`", "the key `seed` is missing; every parameter must be given");
        check(
            "invalid type: string \"x\", expected usize",
            "found string \"x\", but a whole number from 0 up belongs here",
        );
    }
}
