//! The library between the program and its files (`shim.c`), compiled when it is first needed.

use crate::cases::Siege;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the library does. Calls are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shim {
    /// Counts the calls that write.
    Count,
    /// Kills the process before this call.
    Kill(u64),
    /// Kills the process in the middle of this call, if it writes; before it otherwise.
    Torn(u64),
    /// Lets calls of these letters fail, from this one on, so many times, for this reason.
    Fail { at: u64, times: u64, calls: &'static str, errno: i32 },
    /// Makes every call take this many microseconds more.
    Slow(u64),
    /// Notes every call with its data, and does not wait for the disk.
    Log,
}

/// Compiles the library, once; where it is.
pub fn library(siege: &Siege) -> Result<PathBuf, String> {
    let folder = siege.once("shim", |folder| {
        let (source, library) = (folder.join("shim.c"), folder.join("shim.so"));
        std::fs::write(&source, include_str!("shim.c")).map_err(|error| format!("siege: {error}"))?;
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args(["-O1", "-shared", "-fPIC", "-o"]).arg(library).arg(source);
        let output = command.output().map_err(|error| format!("siege: no C compiler: {error}"))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!("siege: shim.c does not compile: {}", String::from_utf8_lossy(&output.stderr))),
        }
    })?;
    Ok(folder.join("shim.so"))
}

impl Shim {
    /// Puts the library between a command and this folder; a letter or record for each call goes to the file `out`.
    pub fn put(self, library: &Path, command: &mut Command, folder: &Path, out: &Path) -> Result<(), String> {
        let under = folder.canonicalize().map_err(|error| format!("siege: {}: {error}", folder.display()))?;
        let _ = std::fs::remove_file(out);
        command.env("LD_PRELOAD", library).env("SIEGE_UNDER", under).env("SIEGE_OUT", out);
        match self {
            Shim::Count => command.env("SIEGE_MODE", "count"),
            Shim::Kill(at) => command.env("SIEGE_MODE", "kill").env("SIEGE_AT", at.to_string()),
            Shim::Torn(at) => command.env("SIEGE_MODE", "torn").env("SIEGE_AT", at.to_string()),
            Shim::Fail { at, times, calls, errno } => {
                command.env("SIEGE_MODE", "fail").env("SIEGE_AT", at.to_string()).env("SIEGE_CALLS", calls);
                command.env("SIEGE_TIMES", times.to_string()).env("SIEGE_ERRNO", errno.to_string())
            }
            Shim::Slow(microseconds) => command.env("SIEGE_MODE", "slow").env("SIEGE_SLEEP", microseconds.to_string()),
            Shim::Log => command.env("SIEGE_MODE", "log"),
        };
        Ok(())
    }
}

/// The letters of all calls that were made.
pub fn calls(out: &Path) -> String {
    std::fs::read_to_string(out).unwrap_or_default()
}
