//! Ways to damage a run file as faulty disks, broken copies and people do, without knowledge of its contents.

use crate::cases::Case;
use chance::Rng;
use std::path::Path;

/// The size of SQLite's pages in run files.
const PAGE: usize = 4096;

/// The kinds of damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// One bit is flipped.
    Flip,
    /// One bit of the first hundred bytes is flipped; there SQLite describes the file.
    FlipHeader,
    /// Up to 64 bytes are overwritten with random bytes.
    Scribble,
    /// The end of the file is missing.
    Cut,
    /// The file ends after one of its pages.
    CutPage,
    /// Two pages are exchanged.
    Swap,
    /// A page is filled with zeros.
    Zero,
    /// A page is overwritten with a copy of another.
    Double,
    /// Random bytes are added at the end.
    Longer,
    /// The file is empty.
    Empty,
    /// The file is a picture.
    Picture,
    /// The file is text.
    Text,
    /// The file is the SQLite database of another program.
    Foreign,
    /// The file claims a format that does not exist yet.
    Newer,
    /// The file claims the first format.
    Older,
    /// There is a random file with the name of a journal beside it.
    StrayJournal,
    /// There is a random file with the name of a log beside it.
    StrayLog,
}

impl Form {
    /// All forms. Those that are drawn more often are listed more often.
    pub const ALL: [Form; 22] = [
        Form::Flip,
        Form::Flip,
        Form::Flip,
        Form::Flip,
        Form::Flip,
        Form::Flip,
        Form::FlipHeader,
        Form::Scribble,
        Form::Cut,
        Form::CutPage,
        Form::Swap,
        Form::Zero,
        Form::Double,
        Form::Longer,
        Form::Empty,
        Form::Picture,
        Form::Text,
        Form::Foreign,
        Form::Newer,
        Form::Older,
        Form::StrayJournal,
        Form::StrayLog,
    ];
}

/// Damages a file and returns a description of the damage. No process may have the file open.
pub fn damage(case: &mut Case, form: Form, file: &Path) -> Result<String, String> {
    let to_message = |error: std::io::Error| format!("siege: cannot damage {}: {error}", file.display());
    let mut bytes = std::fs::read(file).map_err(to_message)?;
    let rng = &mut case.rng;
    let description = match form {
        Form::Flip => flip(&mut bytes, usize::MAX, rng),
        Form::FlipHeader => flip(&mut bytes, 100, rng),
        Form::Scribble => {
            let (at, length) = (rng.below(bytes.len()), 1 + rng.below(64));
            bytes.iter_mut().skip(at).take(length).for_each(|byte| *byte = rng.below(256) as u8);
            format!("{length} bytes at {at} overwritten")
        }
        Form::Cut => {
            bytes.truncate(1 + rng.below(bytes.len() - 1));
            format!("cut to {} bytes", bytes.len())
        }
        Form::CutPage => {
            bytes.truncate(PAGE * (1 + rng.below(bytes.len() / PAGE - 1)));
            format!("cut to {} pages", bytes.len() / PAGE)
        }
        Form::Swap | Form::Double => {
            let pages = bytes.len() / PAGE;
            let (one, two) = (rng.below(pages), rng.below(pages));
            let [first, second] = [one, two].map(|page| bytes[page * PAGE..(page + 1) * PAGE].to_vec());
            bytes[two * PAGE..(two + 1) * PAGE].copy_from_slice(&first);
            if form == Form::Swap {
                bytes[one * PAGE..(one + 1) * PAGE].copy_from_slice(&second);
            }
            format!("{form:?} of pages {one} and {two}")
        }
        Form::Zero => {
            let page = rng.below(bytes.len() / PAGE);
            bytes[page * PAGE..(page + 1) * PAGE].fill(0);
            format!("page {page} zeroed")
        }
        Form::Longer => {
            let more = 1 + rng.below(2 * PAGE);
            bytes.extend((0..more).map(|_| rng.below(256) as u8));
            format!("{more} bytes added")
        }
        Form::Empty => {
            bytes.clear();
            "emptied".to_string()
        }
        Form::Picture => {
            bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0".to_vec();
            "a picture".to_string()
        }
        Form::Text => {
            bytes = "This is no run, but a letter.\n".repeat(1 + rng.below(300)).into_bytes();
            "a text".to_string()
        }
        Form::Foreign => return foreign(file),
        Form::Newer | Form::Older => {
            // Bytes 60 to 63 hold the number of the format (SQLite's user version).
            let number: u32 = if form == Form::Newer { 1000 } else { 1 };
            bytes[60..64].copy_from_slice(&number.to_be_bytes());
            format!("claims format {number}")
        }
        Form::StrayJournal | Form::StrayLog => {
            let ending = if form == Form::StrayJournal { "db-journal" } else { "db-wal" };
            let stray: Vec<u8> = (0..rng.below(3 * PAGE)).map(|_| rng.below(256) as u8).collect();
            std::fs::write(file.with_extension(ending), &stray).map_err(to_message)?;
            return Ok(format!("a stray {ending} of {} bytes", stray.len()));
        }
    };
    std::fs::write(file, bytes).map_err(to_message)?;
    Ok(description)
}

/// Flips one bit of the first `most` bytes and returns a description of the change.
pub fn flip(bytes: &mut [u8], most: usize, rng: &mut Rng) -> String {
    let (at, bit) = (rng.below(bytes.len().min(most)), rng.below(8));
    bytes[at] ^= 1 << bit;
    format!("bit {bit} of byte {at} flipped")
}

fn foreign(file: &Path) -> Result<String, String> {
    let to_message = |error: rusqlite::Error| format!("siege: {error}");
    std::fs::remove_file(file).map_err(|error| format!("siege: {error}"))?;
    let connection = rusqlite::Connection::open(file).map_err(to_message)?;
    connection
        .execute_batch("create table generation (generation integer); insert into generation values (1)")
        .map_err(to_message)?;
    Ok("a database of something else".to_string())
}
