//! What a run may be called: its name becomes the name of a file.

use crate::Error;

/// Whether a name can be a run's: it becomes a file's name.
pub fn checked_name(name: &str) -> Result<(), Error> {
    if !name.is_empty()
        && name.len() <= 100
        && !name.starts_with(['.', '-'])
        && !name.ends_with(".db")
        && name.chars().all(fits_a_name)
    {
        return Ok(());
    }
    Err(Error::Refused(format!(
        "`{name}` cannot be a run's name; right would be up to 100 letters, digits, - _ . and +, not beginning with a dot or - or ending in .db"
    )))
}

/// What a run is called after an experiment whose name would not do.
pub fn name_from(experiment: &str) -> String {
    let mut name: String = experiment.chars().map(|c| if fits_a_name(c) { c } else { '-' }).collect();
    // Room for a number is left, counted in bytes, as names of files are.
    while name.len() > 80 {
        name.pop();
    }
    match name.trim_start_matches(['.', '-']) {
        "" => "run".to_string(),
        name => name.to_string(),
    }
}

fn fits_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+')
}
