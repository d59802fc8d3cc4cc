//! A recording of everything that a program did to the files of one folder, in order, as the shim noted it.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A file, whatever it is called.
pub type File = usize;

/// One thing that was done.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A file was made under a name.
    Create(String, File),
    /// Bytes were written at an offset.
    Write(File, u64, Vec<u8>),
    /// A file was cut or lengthened.
    Truncate(File, u64),
    /// All that was done to a file is on the disk.
    Sync(File),
    /// All names are on the disk.
    SyncNames,
    /// A file got another name.
    Rename(String, String),
    /// A name was taken away.
    Remove(String),
}

/// What was there, and what was done.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Contents at the beginning, by file.
    pub before: BTreeMap<File, Vec<u8>>,
    /// Names at the beginning.
    pub names: BTreeMap<String, File>,
    /// What was done, in order.
    pub steps: Vec<Step>,
    inodes: BTreeMap<u64, File>,
    files: usize,
}

impl Recording {
    /// Notes what is in a folder before anything is recorded. Nobody may have its files open.
    pub fn begin(folder: &Path) -> Result<Recording, String> {
        let told = |error: std::io::Error| format!("siege: {}: {error}", folder.display());
        let mut recording = Recording::default();
        for entry in std::fs::read_dir(folder).map_err(told)? {
            let entry = entry.map_err(told)?;
            let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
            if is_recorded(&name) && path.is_file() {
                let file = recording.meet(entry.metadata().map_err(told)?.ino());
                recording.before.insert(file, std::fs::read(path).map_err(told)?);
                recording.names.insert(name, file);
            }
        }
        Ok(recording)
    }

    /// A file with this inode that has not been met before.
    fn meet(&mut self, inode: u64) -> File {
        self.files += 1;
        self.inodes.insert(inode, self.files);
        self.files
    }

    /// Reads the shim's notes about this folder.
    pub fn read(&mut self, folder: &Path, notes: &[u8]) -> Result<(), String> {
        let names = std::fs::metadata(folder).map_err(|error| format!("siege: {error}"))?.ino();
        let mut rest = notes;
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n').ok_or("siege: a note without an end")?;
            let line = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let data =
                self.note(&line, rest, names).ok_or_else(|| format!("siege: a note that says nothing: {line}"))?;
            rest = &rest[data..];
        }
        Ok(())
    }

    /// Takes one note in; how many bytes of data follow it.
    fn note(&mut self, line: &str, rest: &[u8], names: u64) -> Option<usize> {
        let (kind, words) = line.split_once(' ')?;
        let number = |text: &str| text.parse::<u64>().ok();
        match kind {
            "c" => {
                let (inode, path) = words.split_once(' ')?;
                let (file, name) = (self.meet(number(inode)?), name_of(path));
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

    /// The file that has this name after all steps up to one.
    pub fn file_named(&self, name: &str, until: usize) -> Option<File> {
        let mut names = self.names.clone();
        self.steps[..until].iter().for_each(|step| apply_to_names(step, &mut names));
        names.get(name).copied()
    }
}

/// What a step does to names.
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

/// The index of a log is made anew after a cut; locks hold nothing.
fn is_recorded(name: &str) -> bool {
    !name.ends_with("-shm") && !name.ends_with(".lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_become_steps() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("old"), "text").unwrap();
        let names = std::fs::metadata(folder.path()).unwrap().ino();
        let old = std::fs::metadata(folder.path().join("old")).unwrap().ino();
        let notes = format!(
            "c 999 /x/new\nw 999 4 3\na\nb\nt {old} 0\ns 999\ns {names}\nr /x/new\t/x/old\nu /x/gone\nc 998 /x/new-shm\n"
        );
        let mut recording = Recording::begin(folder.path()).unwrap();
        recording.read(folder.path(), notes.as_bytes()).unwrap();
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
