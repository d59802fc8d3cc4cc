//! The process of an engine: lines to it, lines from it, and its end.

use runs::read_text;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A running engine. It is killed when this value is dropped, with all processes of its group.
pub struct EngineProcess {
    child: Child,
    /// Lines for the engine, which a thread writes, because an engine that does not read would hold up the writer.
    input: Option<Sender<String>>,
    /// The number of bytes that the thread has not written yet.
    unwritten: Arc<AtomicUsize>,
    lines: Receiver<String>,
}

/// A longer line than this is cut.
const LONGEST_LINE: u64 = 1 << 14;
/// The number of lines that may wait until they are read. An engine that says more must wait.
const MOST_LINES: usize = 200;
/// The number of bytes that may wait until an engine reads them.
const MOST_UNWRITTEN: usize = 1 << 20;
/// The time in which an engine that was told to quit may end by itself.
const FAREWELL: Duration = Duration::from_millis(200);

impl EngineProcess {
    /// Starts an engine.
    pub fn start(mut command: Command) -> Result<EngineProcess, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C in the terminal is for this program, which then stops the engine itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = spawn(command).map_err(|error| format!("{name} could not be started: {error}"))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (tell, lines) = std::sync::mpsc::sync_channel(MOST_LINES);
        std::thread::spawn(move || {
            let mut output = stdout.map(BufReader::new);
            while let Some(line) = output.as_mut().and_then(read_line) {
                if tell.send(String::from_utf8_lossy(&line).trim().to_string()).is_err() {
                    return;
                }
            }
        });
        let (input, orders) = channel::<String>();
        let unwritten = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&unwritten);
        std::thread::spawn(move || {
            let Some(mut stdin) = stdin else { return };
            for line in orders {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
                left.fetch_sub(line.len(), Ordering::Relaxed);
            }
        });
        Ok(EngineProcess { child, input: Some(input), unwritten, lines })
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) -> Result<(), String> {
        let line = format!("{line}\n");
        if self.unwritten.fetch_add(line.len(), Ordering::Relaxed) > MOST_UNWRITTEN {
            return Err("it does not read its input".to_string());
        }
        let sent = self.input.as_ref().is_some_and(|input| input.send(line).is_ok());
        if sent { Ok(()) } else { Err("it has ended".to_string()) }
    }

    /// The next line for which `read` returns something. Other lines are skipped.
    pub fn hear<T>(&mut self, patience: Duration, mut read: impl FnMut(&str) -> Option<T>) -> Result<T, String> {
        let until = Instant::now() + patience;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    if let Some(found) = read(&line) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("it did not answer within {} s", patience.as_secs_f64()));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("it has ended".to_string()),
            }
            // An engine that talks all the time does not get more time.
            if Instant::now() >= until {
                return Err(format!("it did not answer within {} s", patience.as_secs_f64()));
            }
        }
    }

    /// The processor time of the engine so far. `None` where the system does not tell.
    pub fn cpu_time(&self) -> Option<Duration> {
        // The fields after the name, which is in brackets, are numbers: the 12th and 13th are the times in user and in
        // kernel mode, in hundredths of a second.
        let text = read_text(Path::new(&format!("/proc/{}/stat", self.child.id()))).ok()?;
        let (_, fields) = text.rsplit_once(')')?;
        let ticks: u64 = fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Some(Duration::from_millis(10 * ticks))
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // All protocols know `quit`. The end of its input also tells an engine to end.
        let _ = self.say("quit");
        self.input = None;
        let until = Instant::now() + FAREWELL;
        while !has_ended(&mut self.child) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        kill(&mut self.child);
        let _ = self.child.wait();
    }
}

/// The next line, without what is longer than a line may be; `None` at the end.
fn read_line(output: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let mut read =
        |line: &mut Vec<u8>| output.take(LONGEST_LINE).read_until(b'\n', line).ok().filter(|&count| count > 0);
    read(&mut line)?;
    let mut rest = Vec::new();
    let mut is_whole = line.len() < LONGEST_LINE as usize || line.ends_with(b"\n");
    while !is_whole {
        rest.clear();
        is_whole = read(&mut rest).is_none() || rest.ends_with(b"\n");
    }
    Some(line)
}

/// Whether a process has ended. It stays a zombie, so that its number belongs to it until [`Child::wait`].
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    group(child).is_none_or(|group| !matches!(waitid(WaitId::Pid(group), options), Ok(None)))
}

/// Kills a process and all others of its group: an engine may be a script that has started the program that thinks.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn kill(child: &mut Child) {
    if let Some(group) = group(child) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// The number of a process, which is that of its group, too.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn group(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

/// A command for the thread that starts engines, and where the process goes.
type Request = (Command, Sender<std::io::Result<Child>>);

/// Starts a process from a thread that lives as long as this program. On Linux a process can be told to end with the
/// thread that started it (see [`super::Engines::guard`]), and other threads end earlier.
fn spawn(command: Command) -> std::io::Result<Child> {
    static STARTER: OnceLock<Mutex<Sender<Request>>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (sender, requests) = channel::<Request>();
        std::thread::spawn(move || {
            for (mut command, answer) in requests {
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(sender)
    });
    let (answer, child) = channel();
    let gone = || std::io::Error::other("the thread that starts engines is gone");
    let sender = starter.lock().map_err(|_| gone())?.clone();
    sender.send((command, answer)).map_err(|_| gone())?;
    child.recv().map_err(|_| gone())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        let text = format!("a\n{}b\nc", "x".repeat(3 * LONGEST_LINE as usize));
        let mut output = text.as_bytes();
        let lengths: Vec<usize> = std::iter::from_fn(|| read_line(&mut output)).map(|line| line.len()).collect();
        assert_eq!(lengths, [2, LONGEST_LINE as usize, 1]);
    }

    #[cfg(unix)]
    fn shell(script: &str) -> EngineProcess {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        EngineProcess::start(command).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_does_not_read_holds_nobody_up() {
        let mut engine = shell("sleep 100");
        let line = "x".repeat(1000);
        let sent = (0..10_000).find_map(|_| engine.say(&line).err());
        assert_eq!(sent.as_deref(), Some("it does not read its input"));
        let begun = Instant::now();
        drop(engine);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn processes_of_an_engine_end_with_it() {
        for script in ["sleep 100 & echo $!; exit", "sleep 100 & echo $!; wait"] {
            let mut engine = shell(script);
            let number: i32 = engine.hear(Duration::from_secs(20), |line| line.parse().ok()).unwrap();
            drop(engine);
            let begun = Instant::now();
            // A zombie has ended; the process that must notice it is none of ours.
            let lives = || {
                let text = read_text(Path::new(&format!("/proc/{number}/stat"))).unwrap_or_default();
                text.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
            };
            while lives() {
                assert!(begun.elapsed() < Duration::from_secs(10), "the process {number} lives");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}
