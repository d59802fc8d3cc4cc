//! A recording of everything that a program did to the files of one folder, in order. The shim wrote it.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The number of a file. It stays the same when the file is renamed.
pub type File = usize;

/// One change of the folder.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A file was created with this name.
    Create(String, File),
    /// Bytes were written at an offset.
    Write(File, u64, Vec<u8>),
    /// A file got this length.
    Truncate(File, u64),
    /// All changes of this file's contents are on the disk.
    Sync(File),
    /// All changes of names are on the disk.
    SyncNames,
    /// A file got another name.
    Rename(String, String),
    /// A name was removed.
    Remove(String),
}

/// The files at the beginning, and all changes.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The contents at the beginning.
    pub before: BTreeMap<File, Vec<u8>>,
    /// The names at the beginning.
    pub names: BTreeMap<String, File>,
    /// The changes, in order.
    pub steps: Vec<Step>,
    /// The files by inode.
    inodes: BTreeMap<u64, File>,
    /// The number of files so far.
    files: usize,
}

impl Recording {
    /// Reads the files of a folder before the recording begins. No process may have them open.
    pub fn begin(folder: &Path) -> Result<Recording, String> {
        let to_message = |error: std::io::Error| format!("siege: {}: {error}", folder.display());
        let mut recording = Recording::default();
        for entry in std::fs::read_dir(folder).map_err(to_message)? {
            let entry = entry.map_err(to_message)?;
            let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
            if is_recorded(&name) && path.is_file() {
                let file = recording.add_file(entry.metadata().map_err(to_message)?.ino());
                recording.before.insert(file, std::fs::read(path).map_err(to_message)?);
                recording.names.insert(name, file);
            }
        }
        Ok(recording)
    }

    /// Adds a new file with this inode.
    fn add_file(&mut self, inode: u64) -> File {
        self.files += 1;
        self.inodes.insert(inode, self.files);
        self.files
    }

    /// Reads the shim's records about this folder.
    pub fn read(&mut self, folder: &Path, records: &[u8]) -> Result<(), String> {
        let names = std::fs::metadata(folder).map_err(|error| format!("siege: {error}"))?.ino();
        let mut rest = records;
        while !rest.is_empty() {
            let end = rest
                .iter()
                .position(|byte| *byte == b'\n')
                .ok_or("siege: the last record of the shim has no end of line")?;
            let line = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let data = self
                .add_record(&line, rest, names)
                .ok_or_else(|| format!("siege: cannot read the record of the shim: {line}"))?;
            rest = &rest[data..];
        }
        Ok(())
    }

    /// Adds one record; returns the number of bytes of data that follow it. `None` if it cannot be read.
    fn add_record(&mut self, line: &str, rest: &[u8], names: u64) -> Option<usize> {
        let (kind, words) = line.split_once(' ')?;
        let number = |text: &str| text.parse::<u64>().ok();
        match kind {
            "c" => {
                let (inode, path) = words.split_once(' ')?;
                let (file, name) = (self.add_file(number(inode)?), name_of(path));
                if is_recorded(&name) {
                    self.steps.push(Step::Create(name, file));
                }
            }
            "w" => {
                let mut words = words.split(' ').map(number);
                let (inode, offset, length) = (words.next()??, words.next()??, words.next()?? as usize);
                if let Some(file) = self.known(inode) {
                    self.steps.push(Step::Write(file, offset, rest.get(..length)?.to_vec()));
                }
                return Some(length + 1);
            }
            "t" => {
                let (inode, length) = words.split_once(' ')?;
                if let Some(file) = self.known(number(inode)?) {
                    self.steps.push(Step::Truncate(file, number(length)?));
                }
            }
            "s" if number(words)? == names => self.steps.push(Step::SyncNames),
            "s" => {
                if let Some(file) = self.known(number(words)?) {
                    self.steps.push(Step::Sync(file));
                }
            }
            "r" => {
                let (from, to) = words.split_once('\t')?;
                self.steps.push(Step::Rename(name_of(from), name_of(to)));
            }
            "u" => {
                let name = name_of(words);
                if is_recorded(&name) {
                    self.steps.push(Step::Remove(name));
                }
            }
            _ => return None,
        }
        Some(0)
    }

    fn known(&self, inode: u64) -> Option<File> {
        self.inodes.get(&inode).copied()
    }

    /// The file that has this name after the first `until` steps; `None` if no file has it.
    pub fn file_named(&self, name: &str, until: usize) -> Option<File> {
        let mut names = self.names.clone();
        self.steps[..until].iter().for_each(|step| apply_to_names(step, &mut names));
        names.get(name).copied()
    }
}

/// Applies the effect of a step on the names.
pub fn apply_to_names(step: &Step, names: &mut BTreeMap<String, File>) {
    match step {
        Step::Create(name, file) => drop(names.insert(name.clone(), *file)),
        Step::Remove(name) => drop(names.remove(name)),
        Step::Rename(from, to) => {
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
        Step::Write(..) | Step::Truncate(..) | Step::Sync(_) | Step::SyncNames => {}
    }
}

fn name_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_string()
}

/// Whether a file is recorded. SQLite creates the index of the log again after a cut, and lock files hold no data.
fn is_recorded(name: &str) -> bool {
    !name.ends_with("-shm") && !name.ends_with(".lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_become_steps() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("old"), "text").unwrap();
        let names = std::fs::metadata(folder.path()).unwrap().ino();
        let old = std::fs::metadata(folder.path().join("old")).unwrap().ino();
        let records = format!(
            "c 999 /x/new\nw 999 4 3\na\nb\nt {old} 0\ns 999\ns {names}\nr /x/new\t/x/old\nu /x/gone\nc 998 /x/new-shm\n"
        );
        let mut recording = Recording::begin(folder.path()).unwrap();
        recording.read(folder.path(), records.as_bytes()).unwrap();
        let expected = [
            Step::Create("new".to_string(), 2),
            Step::Write(2, 4, b"a\nb".to_vec()),
            Step::Truncate(1, 0),
            Step::Sync(2),
            Step::SyncNames,
            Step::Rename("new".to_string(), "old".to_string()),
            Step::Remove("gone".to_string()),
        ];
        assert_eq!(recording.steps, expected);
        assert_eq!((recording.file_named("old", 0), recording.file_named("old", 7)), (Some(1), Some(2)));
    }
}
