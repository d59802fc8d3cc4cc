//! Writes everything that was recorded by generation as JSON, without holding it in memory.

use crate::Failure;
use runs::RunFile;
use std::io::Write;

/// Writes a JSON object and adds, as its last members, everything that was recorded by generation. Writes row by row,
/// because a long run may not fit into memory.
pub fn write_with_history(out: &mut impl Write, object: String, file: &RunFile) -> Result<(), Failure> {
    write!(out, "{}", object.strip_suffix("}").unwrap_or(&object))?;
    let mut list = JsonList { out, between: "", failed: Ok(()) };
    list.begin("generations");
    file.each_report(|report, times| list.add(&Row { report, times }))?;
    list.begin("species");
    file.each_species(|species| list.add(&species))?;
    list.begin("inheritance");
    file.each_inheritance(|found| list.add(&found))?;
    list.failed?;
    writeln!(out, "]}}")?;
    Ok(())
}

/// A generation with its times, as one JSON object.
#[derive(serde::Serialize)]
struct Row {
    #[serde(flatten)]
    report: trainer::Report,
    #[serde(flatten)]
    times: runs::Times,
}

/// Lists as members of a JSON object, written piece by piece.
struct JsonList<'a, W: Write> {
    out: &'a mut W,
    between: &'static str,
    failed: std::io::Result<()>,
}

impl<W: Write> JsonList<'_, W> {
    fn begin(&mut self, name: &str) {
        // Ends the list before this one, if there is one.
        let end = if self.between.is_empty() && name == "generations" { "" } else { "]" };
        self.write(format!("{end},\"{name}\":["));
        self.between = "";
    }

    fn add(&mut self, item: &impl serde::Serialize) {
        let between = std::mem::replace(&mut self.between, ",");
        match serde_json::to_string(item) {
            Ok(text) => self.write(format!("{between}{text}")),
            Err(error) => self.failed = Err(error.into()),
        }
    }

    fn write(&mut self, text: String) {
        if self.failed.is_ok() {
            self.failed = self.out.write_all(text.as_bytes());
        }
    }
}
