//! Reads text files, and says what a file is if it is not text.

use crate::Error;
use crate::open_files::read_bytes;
use std::path::Path;

/// Reads a text file in UTF-8. If the file is not text, the error says what it is instead.
pub fn read_text(file: &Path) -> Result<String, Error> {
    let bytes = read_bytes(file).map_err(|source| Error::file("cannot read", file, source))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        no_text(file, error.as_bytes(), format!("its byte {} is not valid UTF-8", place + 1))
    })
}

/// Reads a text file that may be older than UTF-8. Bytes that are not valid UTF-8 become `U+FFFD`. A file with control
/// characters is refused.
pub fn read_old_text(file: &Path) -> Result<String, Error> {
    let bytes = read_bytes(file).map_err(|source| Error::file("cannot read", file, source))?;
    // Allowed are line ends, tabs, form feeds, and 0x1a, which ends files of DOS.
    let is_odd = |byte: &u8| byte.is_ascii_control() && !b"\t\n\r\x0c\x1a".contains(byte);
    match bytes.iter().position(is_odd) {
        Some(place) => Err(no_text(file, &bytes, format!("its byte {} is a control character", place + 1))),
        None => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// The error for a file that is not text. It says what the file is if that is known, and otherwise gives the reason
/// `why`.
fn no_text(file: &Path, bytes: &[u8], why: String) -> Error {
    let what = kind_of(bytes).map_or(why, |kind| format!("it is {kind}"));
    Error::refused(format!("{} is not a text file: {what}", file.display()))
}

/// What kind of file begins with these bytes; `None` if they are not known.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 10] = [
        (b"SQLite format 3\0", "an SQLite database, like a run"),
        (b"\x89PNG", "a picture (PNG)"),
        (b"\xff\xd8\xff", "a picture (JPEG)"),
        (b"\x1f\x8b", "compressed (gzip)"),
        (b"PK\x03\x04", "compressed (zip)"),
        (b"PAR1", "a table (Parquet)"),
        (b"gamete tables", "endgame tables"),
        (b"\x7fELF", "a program"),
        (b"\xff\xfe", "text in UTF-16, but it must be UTF-8"),
        (b"\xfe\xff", "text in UTF-16, but it must be UTF-8"),
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
        assert!(why.ends_with("is not a text file: its byte 3 is a control character"), "{why}");
        let why = said(b"\x89PNG\r\n\x1a\n\0").unwrap_err();
        assert!(why.ends_with("is not a text file: it is a picture (PNG)"), "{why}");
    }

    #[test]
    fn a_file_that_is_not_text_is_named_by_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let said = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            read_text(&file).map_err(|error| error.to_string())
        };
        assert_eq!(said("Zürich".as_bytes()).unwrap(), "Zürich");
        for (bytes, what) in [
            (&b"abc\xff"[..], "its byte 4 is not valid UTF-8"),
            (b"SQLite format 3\0\xff", "it is an SQLite database, like a run"),
            (b"\xff\xfea\0", "it is text in UTF-16, but it must be UTF-8"),
        ] {
            assert_eq!(said(bytes).unwrap_err(), format!("{} is not a text file: {what}", file.display()));
        }
    }
}
