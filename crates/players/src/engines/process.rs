//! The process of an engine: lines to it, lines from it, and its end.

use runs::read_text;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A running engine. It is killed when this value is dropped.
pub struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// A longer line than this is cut.
const LONGEST_LINE: u64 = 1 << 16;
/// The number of lines that may wait until they are read. An engine that says more must wait.
const MOST_LINES: usize = 10_000;
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
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (tell, lines) = std::sync::mpsc::sync_channel(MOST_LINES);
        std::thread::spawn(move || {
            let Some(output) = output else { return };
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                if tell.send(String::from_utf8_lossy(&line).trim().to_string()).is_err() {
                    return;
                }
            }
        });
        Ok(EngineProcess { child, input, lines })
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) -> Result<(), String> {
        let sent = self.input.as_mut().map(|input| writeln!(input, "{line}").and_then(|()| input.flush()));
        if matches!(sent, Some(Ok(()))) { Ok(()) } else { Err("it has ended".to_string()) }
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
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
