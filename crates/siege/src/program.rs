//! Builds the workspace's `gamete` in release mode with Cargo.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds the program and returns its path.
pub fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--release",
        "--locked",
        "--package",
        "gamete",
        "--message-format",
        "json-render-diagnostics",
    ]);
    let output = command.current_dir(workspace()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}; give --gamete PATH"))?;
    if !output.status.success() {
        return Err("cannot build gamete; give --gamete PATH".to_string());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let made = messages.filter(|message| message["target"]["name"] == "gamete");
    let program = made.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back();
    program.ok_or_else(|| "cargo did not report a program gamete; give --gamete PATH".to_string())
}

/// The folder of the workspace.
pub fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).unwrap_or(here)
}
