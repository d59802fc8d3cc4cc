//! Starts the program under attack with given arguments, waits for it with a time limit, and sends it signals.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::Value;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a command may take before it counts as hanging. Test machines are slow and share their cores.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The program `gamete`.
#[derive(Clone)]
pub struct Gamete {
    program: PathBuf,
    /// The folder of endgame tables. They take a while to build, so all cases share them.
    tables: PathBuf,
}

impl Gamete {
    /// The program in this file, with its endgame tables in this folder.
    pub fn new(program: PathBuf, tables: PathBuf) -> Gamete {
        Gamete { program, tables }
    }

    /// The program with these arguments, not yet started. Its runs are in the subfolder `runs` of this folder.
    pub fn command(&self, folder: &Path, words: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words.split_whitespace());
        self.set_environment(&mut command, folder);
        command
    }

    /// The program with these arguments, started by another program such as `strace`.
    pub fn command_behind(&self, folder: &Path, before: &[&str], words: &str) -> Command {
        let mut command = Command::new(before[0]);
        command.args(&before[1..]).arg(&self.program).args(words.split_whitespace());
        self.set_environment(&mut command, folder);
        command
    }

    /// Sets the folder, output and environment of a command.
    fn set_environment(&self, command: &mut Command, folder: &Path) {
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_remove("GAMETE_RUNS").env_remove("CARGO").env("NO_COLOR", "1").env("GAMETE_TABLES", &self.tables);
        // A process group of its own, so that a lab and its members can be killed together.
        command.process_group(0);
    }

    /// Runs the program to its end and returns its result.
    pub fn run(&self, folder: &Path, words: &str) -> Answer {
        finish(self.command(folder, words), words)
    }

    /// Starts the program without waiting for its end.
    pub fn start(&self, folder: &Path, words: &str) -> Result<Running, String> {
        Running::start(self.command(folder, words), words)
    }
}

/// Starts a command, waits for its end, and returns its result.
pub fn finish(command: Command, words: &str) -> Answer {
    match Running::start(command, words) {
        Ok(running) => running.wait(PATIENCE),
        Err(error) => Answer { words: words.to_string(), stderr: error, ..Answer::default() },
    }
}

/// A started process. It is killed when this value is dropped.
pub struct Running {
    words: String,
    child: Child,
    ended: Option<ExitStatus>,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
}

impl Running {
    /// Starts a command. Threads collect its output.
    pub fn start(mut command: Command, words: &str) -> Result<Running, String> {
        let mut child = command.spawn().map_err(|error| format!("cannot start `{words}`: {error}"))?;
        let stdout = child.stdout.take().map(collect);
        let stderr = child.stderr.take().map(collect);
        Ok(Running { words: words.to_string(), child, ended: None, stdout, stderr })
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process has ended.
    pub fn has_ended(&mut self) -> bool {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
        }
        self.ended.is_some()
    }

    /// Sends the process a signal; returns whether it was still running.
    pub fn signal(&mut self, signal: Signal) -> bool {
        // After the process has ended, another process may have its id.
        !self.has_ended() && kill_process(self.pid(), signal).is_ok()
    }

    /// Kills the process and all processes of its group; returns whether it was still running.
    pub fn kill_group(&mut self) -> bool {
        !self.has_ended() && kill_process_group(self.pid(), Signal::KILL).is_ok()
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32).expect("a process id is above 0")
    }

    /// Waits for the end of the process, kills it after `patience`, and returns its result.
    pub fn wait(mut self, patience: Duration) -> Answer {
        let begun = Instant::now();
        while !self.has_ended() && begun.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(if begun.elapsed().as_millis() < 200 { 1 } else { 10 }));
        }
        let timed_out = !self.has_ended();
        self.end().map_or_else(Answer::default, |answer| Answer {
            timed_out,
            seconds: begun.elapsed().as_secs_f64(),
            ..answer
        })
    }

    /// Kills the process if it has not ended, and collects its output; `None` if its exit status is unknown.
    fn end(&mut self) -> Option<Answer> {
        if !self.has_ended() {
            self.kill_group();
            self.ended = self.child.wait().ok();
        }
        let text =
            |thread: Option<JoinHandle<String>>| thread.and_then(|thread| thread.join().ok()).unwrap_or_default();
        let status = self.ended?;
        Some(Answer {
            words: self.words.clone(),
            code: status.code(),
            signal: status.signal(),
            stdout: text(self.stdout.take()),
            stderr: text(self.stderr.take()),
            ..Answer::default()
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended() {
            self.kill_group();
            let _ = self.child.wait();
        }
    }
}

/// Reads everything from a stream in a thread of its own.
pub fn collect(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The result of a command.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Its arguments.
    pub words: String,
    /// Its exit code; `None` after a signal.
    pub code: Option<i32>,
    /// The signal that ended it; `None` if it ended by itself.
    pub signal: Option<i32>,
    /// Whether it took too long and was killed.
    pub timed_out: bool,
    /// Its duration in seconds.
    pub seconds: f64,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Answer {
    /// The last line of the output, as JSON.
    pub fn json(&self) -> Result<Value, String> {
        let last = self.stdout.lines().last().unwrap_or_default();
        serde_json::from_str(last)
            .map_err(|error| format!("`{}` printed no JSON ({error}): {}", self.words, self.end()))
    }

    /// Checks that the command ended by itself and in time, with one of the documented exit codes and without a panic.
    pub fn check_proper_end(&self) -> Result<(), String> {
        let words = &self.words;
        match (self.timed_out, self.signal, self.code) {
            (true, ..) => Err(format!("hangs: `{words}` did not end within {} s", PATIENCE.as_secs())),
            (_, Some(signal), _) => Err(format!("signal: `{words}` ended by signal {signal}: {}", self.end())),
            _ if self.stderr.contains("panicked at") => Err(format!("panic: `{words}`: {}", self.panic())),
            (.., Some(0 | 1 | 2 | 130)) => Ok(()),
            (.., code) => Err(format!("exit code: `{words}` ended with {code:?}: {}", self.end())),
        }
    }

    /// Checks that the command succeeded (exit code 0).
    pub fn check_success(&self) -> Result<(), String> {
        self.check_proper_end()?;
        match self.code {
            Some(0) => Ok(()),
            code => Err(format!("refused: `{}` ended with {code:?}: {}", self.words, self.end())),
        }
    }

    /// Checks that the command refused with exit code 2 and an error message.
    pub fn check_refusal(&self) -> Result<(), String> {
        self.check_proper_end()?;
        match self.code {
            Some(2) if !self.stderr.trim().is_empty() => Ok(()),
            code => Err(format!("not refused: `{}` ended with {code:?}: {}", self.words, self.end())),
        }
    }

    /// Whether its output or its standard error contains this text.
    pub fn printed(&self, text: &str) -> bool {
        self.stderr.contains(text) || self.stdout.contains(text)
    }

    /// The last line that is not empty, of standard error or else of the output.
    pub fn end(&self) -> String {
        let text = if self.stderr.trim().is_empty() { &self.stdout } else { &self.stderr };
        text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().chars().take(300).collect()
    }

    /// The message of the panic.
    fn panic(&self) -> String {
        let mut lines = self.stderr.lines().skip_while(|line| !line.contains("panicked at"));
        lines.by_ref().take(2).collect::<Vec<_>>().join(" ").chars().take(300).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Answer {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        Running::start(command, script).unwrap().wait(Duration::from_secs(2))
    }

    #[test]
    fn improper_ends_are_noticed() {
        assert_eq!(shell("exit 0").check_proper_end(), Ok(()));
        assert!(shell("exit 101").check_proper_end().unwrap_err().starts_with("exit code"));
        assert!(shell("kill -SEGV $$").check_proper_end().unwrap_err().starts_with("signal"));
        assert!(shell("echo thread panicked at x >&2; exit 2").check_proper_end().unwrap_err().starts_with("panic"));
        assert!(shell("sleep 9").check_proper_end().unwrap_err().starts_with("hangs"));
        assert_eq!(shell("echo no run >&2; exit 2").check_refusal(), Ok(()));
        assert!(shell("exit 2").check_refusal().is_err(), "a refusal has a message");
        assert!(shell("exit 1").check_success().is_err());
    }
}
