//! Files that should be text, and what they are where they are not.

use crate::Error;
use crate::open_files::read_bytes;
use std::path::Path;

/// The text of a file. Where it is none, the error says what the file is instead.
pub fn read_text(file: &Path) -> Result<String, Error> {
    let bytes = read_bytes(file).map_err(|source| Error::file("cannot read", file, source))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        no_text(file, error.as_bytes(), format!("byte {} of it belongs to no character in UTF-8", place + 1))
    })
}

/// The text of a file that may be older than UTF-8: bytes that belong to no character become `U+FFFD`. A file with control
/// characters is no text.
pub fn read_old_text(file: &Path) -> Result<String, Error> {
    let bytes = read_bytes(file).map_err(|source| Error::file("cannot read", file, source))?;
    // Line ends, tabs and form feeds; and the sign with which DOS ended files.
    let is_odd = |byte: &u8| byte.is_ascii_control() && !b"\t\n\r\x0c\x1a".contains(byte);
    match bytes.iter().position(is_odd) {
        Some(place) => Err(no_text(file, &bytes, format!("byte {} of it is a control character", place + 1))),
        None => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// That a file is not a text, with what it is instead, or else this reason.
fn no_text(file: &Path, bytes: &[u8], why: String) -> Error {
    let what = kind_of(bytes).map_or(why, |kind| format!("it is {kind}"));
    Error::refused(format!("{} is not a text file: {what}", file.display()))
}

/// What a file is by its first bytes, where they are well known.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 10] = [
        (b"SQLite format 3\0", "a database, as runs are"),
        (b"\x89PNG", "a picture (PNG)"),
        (b"\xff\xd8\xff", "a picture (JPEG)"),
        (b"\x1f\x8b", "compressed (gzip)"),
        (b"PK\x03\x04", "compressed (zip)"),
        (b"PAR1", "a table (Parquet)"),
        (b"gamete tables", "endgame tables"),
        (b"\x7fELF", "a program"),
        (b"\xff\xfe", "text in UTF-16, but UTF-8 is read"),
        (b"\xfe\xff", "text in UTF-16, but UTF-8 is read"),
    ];
    KINDS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_texts_have_no_control_characters() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let said = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            read_old_text(&file).map_err(|error| error.to_string())
        };
        assert_eq!(said(b"Z\xfcrich\r\n\x1a").unwrap(), "Z\u{fffd}rich\r\n\u{1a}");
        let why = said(b"ab\x00\xff").unwrap_err();
        assert!(why.ends_with("is not a text file: byte 3 of it is a control character"), "{why}");
        let why = said(b"\x89PNG\r\n\x1a\n\0").unwrap_err();
        assert!(why.ends_with("is not a text file: it is a picture (PNG)"), "{why}");
    }

    #[test]
    fn what_is_no_text_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let said = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            read_text(&file).map_err(|error| error.to_string())
        };
        assert_eq!(said("Zürich".as_bytes()).unwrap(), "Zürich");
        for (bytes, what) in [
            (&b"abc\xff"[..], "byte 4 of it belongs to no character in UTF-8"),
            (b"SQLite format 3\0\xff", "it is a database, as runs are"),
            (b"\xff\xfea\0", "it is text in UTF-16, but UTF-8 is read"),
        ] {
            assert_eq!(said(bytes).unwrap_err(), format!("{} is not a text file: {what}", file.display()));
        }
    }
}
