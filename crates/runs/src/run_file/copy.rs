//! Copies a run to another file.

use super::generations::Order;
use super::rows::GENERATION;
use super::{PATIENCE, RunFile, RunInfo, write_info};
use crate::Error;
use crate::database::{cannot_make, open, remove, remove_logs};
use rusqlite::Row;
use std::path::Path;

impl RunFile {
    /// Copies the whole run, including what is still in its log, to another file, and replaces its parameters.
    pub fn copy_to(&self, path: &Path, parameters: &str) -> Result<(), Error> {
        let draft = path.with_extension("db-draft");
        remove(&draft)?;
        let copied = self.copy_to_draft(&draft, path, parameters).inspect_err(|_| {
            let _ = std::fs::remove_file(&draft);
        });
        copied?;
        remove_logs(path)?;
        std::fs::rename(&draft, path).map_err(|source| Error::file("cannot write", path, source))
    }

    fn copy_to_draft(&self, draft: &Path, path: &Path, parameters: &str) -> Result<(), Error> {
        let failed = |error| cannot_make(path, error);
        self.connection.execute("vacuum into ?", [draft.to_string_lossy()]).map_err(failed)?;
        let info = RunInfo { parameters: parameters.to_string(), ..self.info()? };
        let mut copy =
            RunFile { path: draft.to_path_buf(), connection: open(draft, true, PATIENCE)?, format: self.format };
        if !copy.has_checksums() {
            copy.upgrade()?;
        }
        write_info(&copy.connection, &info, &[]).map_err(failed)
    }

    /// Whether a generation of the run had this signature. If so, both runs are equal up to there.
    pub fn has_signature(&self, signature: &str) -> Result<bool, Error> {
        let place = GENERATION.place("signature");
        let read = |row: &Row| Ok((row.get_ref(place)?.as_str()? == signature).then_some(()));
        Ok(self.find_generation(1, u64::MAX, Order::Back, read)?.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::trained;
    use rusqlite::Connection;

    /// While another process reads a run, the last generations may be only in the log.
    #[test]
    fn a_copy_has_what_is_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        trained(folder.path(), "one", "nim-2x4-c1", &["stop.generations=3"]);
        let (one, two) = (folder.path().join("one.db"), folder.path().join("two.db"));
        let looking = Connection::open(&one).unwrap();
        let log = "pragma journal_mode = wal; pragma wal_autocheckpoint = 0; update generation set best_score = 77 where generation = 3;";
        looking.execute_batch(log).unwrap();
        crate::seal_run(&one).unwrap();
        let run = RunFile::open(&one).unwrap();
        run.copy_to(&two, "game = \"nim\"").unwrap();
        let copy = RunFile::open(&two).unwrap();
        let last = copy.last_report().unwrap().unwrap();
        assert_eq!((last.generation, last.best_score), (3, 77.0));
        assert_eq!(copy.info().unwrap().parameters, "game = \"nim\"");
        assert!(run.has_signature(&last.signature).unwrap() && !run.has_signature("none").unwrap());
        drop(looking);
    }
}
