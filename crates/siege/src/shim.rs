//! Compiles and configures `shim.c`, a library that intercepts the program's calls on files (`LD_PRELOAD`).

use crate::cases::Siege;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the library does with the calls that write. Calls are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shim {
    /// Writes a letter for each call.
    Count,
    /// Kills the process before this call.
    Kill(u64),
    /// Kills the process in this call: after half of the data if it writes data, otherwise before the call.
    Torn(u64),
    /// Lets `times` calls of the kinds `calls` (letters, see `shim.c`) fail with `errno`, beginning with number `at`.
    Fail { at: u64, times: u64, calls: &'static str, errno: i32 },
    /// Makes every call take this many microseconds longer.
    Slow(u64),
    /// Records every call with its data. A sync returns at once, without waiting for the disk.
    Log,
}

/// Returns the path of the library. The first call compiles it.
pub fn library(siege: &Siege) -> Result<PathBuf, String> {
    let folder = siege.once("shim", |folder| {
        let (source, library) = (folder.join("shim.c"), folder.join("shim.so"));
        std::fs::write(&source, include_str!("shim.c")).map_err(|error| format!("siege: {error}"))?;
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args(["-O1", "-shared", "-fPIC", "-o"]).arg(library).arg(source);
        let output = command.output().map_err(|error| format!("siege: cannot start the C compiler: {error}"))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!("siege: shim.c does not compile: {}", String::from_utf8_lossy(&output.stderr))),
        }
    })?;
    Ok(folder.join("shim.so"))
}

impl Shim {
    /// Makes a command load the library, which watches the files of this folder. The library writes a letter or record
    /// for each call to the file `out`.
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

/// The letters of all calls in the file `out`.
pub fn calls(out: &Path) -> String {
    std::fs::read_to_string(out).unwrap_or_default()
}
