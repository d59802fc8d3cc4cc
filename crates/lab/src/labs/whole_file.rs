//! Files that are whole or not there: written beside their place, then moved to it.

use crate::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder within a folder, made where it is missing.
pub(crate) fn folder_for(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let inner = folder.join(name);
    std::fs::create_dir_all(&inner).map_err(|source| Error::file("cannot make the folder", &inner, source))?;
    Ok(inner)
}

/// Writes a file.
pub fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_with(file, |draft| std::fs::write(draft, bytes).map_err(|source| Error::file("cannot write", file, source)))
}

/// Lets somebody write a file, under another name until it is whole.
pub(crate) fn write_with<T>(file: &Path, write: impl FnOnce(&Path) -> Result<T, Error>) -> Result<T, Error> {
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    // Other processes and other threads may write the same.
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let draft = file.with_file_name(format!(".{name}-{}-{number}", std::process::id()));
    let written = write(&draft).and_then(|written| {
        let moved = std::fs::rename(&draft, file);
        moved.map(|()| written).map_err(|source| Error::file("cannot write", file, source))
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
}
