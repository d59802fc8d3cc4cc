//! A run under another name.

use super::{PATIENCE, RunFile};
use crate::Error;
use crate::database::{broken, cannot_write, open, remove};
use rusqlite::params;
use std::path::Path;

impl RunFile {
    /// Writes the whole run as it stands now, logs of whoever looks at it included, to another file, with these parameters.
    pub(crate) fn copy_to(&self, path: &Path, parameters: &str) -> Result<(), Error> {
        let draft = path.with_extension("db-draft");
        remove(&draft)?;
        let copied = self.copy_to_draft(&draft, path, parameters).inspect_err(|_| {
            let _ = std::fs::remove_file(&draft);
        });
        copied?;
        for ending in ["db-wal", "db-shm", "db-journal"] {
            remove(&path.with_extension(ending))?;
        }
        std::fs::rename(&draft, path).map_err(|source| Error::file("cannot write", path, source))
    }

    fn copy_to_draft(&self, draft: &Path, path: &Path, parameters: &str) -> Result<(), Error> {
        let told = |error| cannot_write(path, error, 0);
        self.connection.execute("vacuum into ?", [draft.to_string_lossy()]).map_err(told)?;
        let copy = open(draft, true, PATIENCE)?;
        copy.execute("update run set parameters = ?", params![parameters]).map_err(told)?;
        Ok(())
    }

    /// Whether a generation of the run had this signature, so that it is the same run up to there.
    pub(crate) fn has_signature(&self, signature: &str) -> Result<bool, Error> {
        let sql = "select exists (select 1 from generation where signature = ?)";
        self.connection.query_row(sql, [signature], |row| row.get(0)).map_err(|error| broken(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, TrainOptions, Unwatched, train};
    use rusqlite::Connection;
    use std::sync::atomic::AtomicBool;

    /// While somebody looks at a run, its last generations may be in its log alone.
    #[test]
    fn a_copy_has_what_is_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let mut experiment = Experiment::open("nim-2x4-c1").unwrap();
        experiment.set("stop.generations=3").unwrap();
        let options = TrainOptions { runs: folder.path().into(), name: Some("one".into()), ..TrainOptions::default() };
        train(experiment, &options, &mut Unwatched, &AtomicBool::new(false)).unwrap();
        let (one, two) = (folder.path().join("one.db"), folder.path().join("two.db"));
        let looking = Connection::open(&one).unwrap();
        let log = "pragma journal_mode = wal; pragma wal_autocheckpoint = 0; update generation set best_score = 77 where generation = 3;";
        looking.execute_batch(log).unwrap();
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
