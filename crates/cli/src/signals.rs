//! Signals. The first Ctrl-C lets long work finish its generation or game and then stops it; the second ends the program.
//! SIGTERM and SIGHUP also ask the work to stop, and end the program after three seconds at the latest.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long work may continue after SIGTERM.
const PATIENCE: Duration = Duration::from_secs(3);
/// The exit code of an interrupted program.
pub const INTERRUPTED: u8 = 130;

/// Asks the work of a command to stop. The work reads it like an [`AtomicBool`].
#[derive(Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    /// When work was first asked to stop.
    asked: Option<Instant>,
    /// The message that is printed if the program ends before its work is done.
    last_words: String,
}

impl Deref for Stop {
    type Target = AtomicBool;

    fn deref(&self) -> &AtomicBool {
        &self.flag
    }
}

impl Stop {
    /// From now on, signals ask the work to stop.
    pub fn listen(&self) {
        let stop = self.clone();
        let heard = listen(move |signal| match signal {
            Signal::Interrupt if !stop.ask() => stop.end(),
            Signal::Interrupt => {
                tell!("\nstopping as soon as this generation or game is done; Ctrl-C again stops at once");
            }
            Signal::Terminate => stop.end_soon(),
        });
        if heard.is_err() {
            tell!("gamete: Ctrl-C cannot be caught here; it will end the program at once");
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the message that is printed if the program ends before its work is done.
    pub fn set_last_words(&self, words: String) {
        self.inner().last_words = words;
    }

    /// Asks work to stop. Returns whether this was the first time.
    pub fn ask(&self) -> bool {
        self.inner().asked.get_or_insert_with(Instant::now);
        !self.flag.swap(true, Ordering::SeqCst)
    }

    /// Asks work to stop, and ends the program three seconds after the first request.
    pub fn end_soon(&self) {
        self.ask();
        let asked = self.inner().asked.unwrap_or_else(Instant::now);
        let stop = self.clone();
        let wait = move || {
            std::thread::sleep((asked + PATIENCE).saturating_duration_since(Instant::now()));
            stop.end();
        };
        if std::thread::Builder::new().name("end".to_string()).spawn(wait).is_err() {
            self.end();
        }
    }

    /// Ends the program. This loses no saved generation: a run's file is complete at any moment.
    fn end(&self) -> ! {
        let words = std::mem::take(&mut self.inner().last_words);
        if !words.is_empty() {
            tell!("\n{words}");
        }
        std::process::exit(INTERRUPTED.into())
    }
}

/// A signal that asks the program to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C at the terminal.
    Interrupt,
    /// SIGTERM, or SIGHUP because the terminal was closed.
    Terminate,
}

/// Calls `hear` for every signal that asks the program to end, in a thread of its own.
#[cfg(unix)]
pub fn listen(mut hear: impl FnMut(Signal) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM].into_iter().chain((!is_hangup_ignored()).then_some(SIGHUP));
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let listen = move || {
        for signal in signals.forever() {
            hear(if signal == SIGINT { Signal::Interrupt } else { Signal::Terminate });
        }
    };
    std::thread::Builder::new().name("signals".to_string()).spawn(listen).map(|_| ())
}

/// Calls `hear` for every Ctrl-C, in a thread of its own.
#[cfg(not(unix))]
pub fn listen(mut hear: impl FnMut(Signal) + Send + 'static) -> std::io::Result<()> {
    ctrlc::set_handler(move || hear(Signal::Interrupt)).map_err(std::io::Error::other)
}

/// Whether the program was started by `nohup` and must continue when the terminal is closed. Only Linux has this
/// information; elsewhere the answer is `false`.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = runs::read_text("/proc/self/status".as_ref()).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal_hook::consts::SIGHUP - 1) & 1 == 1)
}

/// Makes writes beyond the allowed size of a file (`ulimit -f`) fail like those on a full disk. Without this, they would
/// end the program.
pub fn survive_file_limits() {
    // The handler need not do anything: the process stays alive because there is one.
    #[cfg(unix)]
    if signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).is_err() {
        tell!(
            "gamete: the signal of a file-size limit cannot be caught here; reaching the limit will end the program at once"
        );
    }
}
