//! Doors for the fuzz targets in `crates/fuzzing`: parsers that are otherwise reached through files alone.

/// Reads a lab's note, `lab.json`, and writes it again; `None` where it is none.
pub fn lab_note(text: &str) -> Option<String> {
    crate::labs::note_again(text)
}

/// Whether the bytes of a file are endgame tables of so many bytes; what is wrong, in words.
pub fn endgame_tables(bytes: Vec<u8>, size: usize) -> Result<Vec<u8>, &'static str> {
    players::unpacked(bytes, size)
}
