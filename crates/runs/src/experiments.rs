//! Opens an experiment: a file, or one that is shipped with the program.

use crate::{Error, read_text};
use std::path::Path;
use trainer::{Experiment, ExperimentFile, shipped_experiments};

/// Opens an experiment by its path, or by its name if it is shipped with the program, and checks all parameters.
pub fn open_experiment(name: &str) -> Result<ExperimentFile, Error> {
    let path = Path::new(name);
    let is_shipped = shipped_experiments().any(|(shipped, _)| shipped == name);
    if !is_shipped && !path.exists() && (name.contains('/') || name.ends_with(".toml")) {
        return Err(Error::no_file(path));
    }
    if is_shipped || !path.exists() {
        return Ok(Experiment::shipped(name)?);
    }
    let text = read_text(path)?;
    let stem = path.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
    Ok(ExperimentFile::parse(&stem, name, &text)?)
}
