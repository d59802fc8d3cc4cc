//! Access for the fuzz targets in `crates/fuzzing` to parsers that otherwise read only files.

/// Reads the text of a `lab.json` and writes it again; returns `None` if it is not valid.
pub fn lab_note(text: &str) -> Option<String> {
    crate::labs::note_again(text)
}

/// Unpacks a file of endgame tables whose unpacked size is `size` bytes; the error says what is wrong.
pub fn endgame_tables(bytes: Vec<u8>, size: usize) -> Result<Vec<u8>, &'static str> {
    players::unpacked(bytes, size)
}
