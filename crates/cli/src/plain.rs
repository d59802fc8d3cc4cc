//! Output without control characters. Names of runs, experiments and players come from files that anybody may have made,
//! and must not control the terminal. Control characters are printed as `\u001b`, which is also how JSON writes them.

use std::fmt::Arguments;
use std::io::{Result, Write};

/// A writer that makes control characters visible, except ends of lines and tabs. Each call of `write` must contain whole
/// characters, as the calls of `write!` do.
pub struct Plain<W>(pub W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut rest = bytes;
        while let Some(Found { place, length, code }) = first_control(rest, |byte| !matches!(byte, b'\n' | b'\t')) {
            self.0.write_all(&rest[..place])?;
            write!(self.0, "\\u{code:04x}")?;
            rest = &rest[place + length..];
        }
        self.0.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

/// Makes all control characters of a text visible, including ends of lines and tabs, so that it stays in one line.
pub fn line(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(Found { place, length, code }) = first_control(rest.as_bytes(), |_| true) {
        plain.push_str(&rest[..place]);
        plain.push_str(&format!("\\u{code:04x}"));
        rest = &rest[place + length..];
    }
    plain.push_str(rest);
    plain
}

/// Prints a line on standard error. A closed standard error is ignored.
pub fn tell(words: Arguments<'_>) {
    // One call, so that lines of several threads do not mix.
    let line = format!("{words}\n");
    let _ = Plain(std::io::stderr().lock()).write_all(line.as_bytes());
}

/// A control character among bytes.
struct Found {
    place: usize,
    /// The number of its bytes.
    length: usize,
    /// Its code point.
    code: u32,
}

/// Finds the first control character: C0 (if `counts` is true for it), DEL, C1, and those that change the direction of
/// writing (U+202A to U+202E, U+2066 to U+2069).
fn first_control(bytes: &[u8], counts: impl Fn(u8) -> bool) -> Option<Found> {
    bytes.iter().enumerate().find_map(|(place, &byte)| {
        let (length, code) = match &bytes[place..] {
            [0x00..=0x1f, ..] if counts(byte) => (1, u32::from(byte)),
            [0x7f, ..] => (1, u32::from(byte)),
            [0xc2, last @ 0x80..=0x9f, ..] => (2, u32::from(*last)),
            [0xe2, 0x80, last @ 0xaa..=0xae, ..] => (3, 0x2000 | u32::from(last & 0x3f)),
            [0xe2, 0x81, last @ 0xa6..=0xa9, ..] => (3, 0x2040 | u32::from(last & 0x3f)),
            _ => return None,
        };
        Some(Found { place, length, code })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, written: &str, in_a_line: &str) {
        let mut out = Plain(Vec::new());
        write!(out, "{text}").unwrap();
        assert_eq!(String::from_utf8(out.0).unwrap(), written);
        assert_eq!(line(text), in_a_line);
    }

    #[test]
    fn control_characters_are_made_visible() {
        check("Zürich, 6×6 ½ 🙂", "Zürich, 6×6 ½ 🙂", "Zürich, 6×6 ½ 🙂");
        check("a\u{1b}[31mb\r\u{7}\u{7f}", "a\\u001b[31mb\\u000d\\u0007\\u007f", "a\\u001b[31mb\\u000d\\u0007\\u007f");
        check("\u{80}\u{9b}\u{9f}\u{a0}", "\\u0080\\u009b\\u009f\u{a0}", "\\u0080\\u009b\\u009f\u{a0}");
        check("\u{202a}\u{202e}\u{202f}", "\\u202a\\u202e\u{202f}", "\\u202a\\u202e\u{202f}");
        check("\u{2065}\u{2066}\u{2069}", "\u{2065}\\u2066\\u2069", "\u{2065}\\u2066\\u2069");
        check("one\n\ttwo", "one\n\ttwo", "one\\u000a\\u0009two");
    }

    /// JSON with control characters is still JSON with the same meaning afterwards.
    #[test]
    fn json_stays_json() {
        let text = "a\u{1b}\u{7f}\u{9b}\u{202e}\n\"\\";
        let mut out = Plain(Vec::new());
        writeln!(out, "{}", serde_json::json!({ "name": text })).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&out.0).unwrap();
        assert_eq!(read["name"], text);
        assert!(out.0.is_ascii());
    }
}
