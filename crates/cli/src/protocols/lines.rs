//! Reads the lines of a program.

use super::Event;
use std::io::{BufRead, Read};
use std::sync::mpsc::{Sender, SyncSender};

/// A longer line than this is not a command.
const LONGEST_LINE: u64 = 1 << 16;

/// Where the lines go.
pub struct Lines {
    pub(super) events: Sender<Event>,
    /// Has room for the lines that may wait.
    pub(super) room: SyncSender<()>,
}

impl Lines {
    /// Sends a line as soon as there is room for it. Returns whether somebody still wants lines.
    fn send(&self, line: &str) -> bool {
        self.room.send(()).is_ok() && self.events.send(Event::Line(line.to_string())).is_ok()
    }
}

/// Reads lines until the input ends. Lines that are too long or not text are skipped.
pub fn read_lines(mut input: impl BufRead, lines: &Lines) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') => {
                // Skip the rest of the line.
                let mut rest = Vec::new();
                while input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest).is_ok_and(|count| count > 0) {
                    if rest.last() == Some(&b'\n') {
                        break;
                    }
                    rest.clear();
                }
                continue;
            }
            Ok(_) => {}
        }
        let Ok(line) = String::from_utf8(line) else { continue };
        if !lines.send(line.trim()) {
            return;
        }
    }
    let _ = lines.events.send(Event::End);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocols::Mailbox;
    use std::time::Duration;

    /// The next line; `None` if there is no line for a moment.
    fn line(mailbox: &Mailbox) -> Option<String> {
        match mailbox.events.recv_timeout(Duration::from_millis(100)) {
            Ok(Event::Line(line)) => Some(line),
            _ => None,
        }
    }

    #[test]
    fn long_lines_and_bytes_that_are_no_text_are_skipped() {
        let long = "x".repeat(3 * LONGEST_LINE as usize);
        let input = [b"uci\n".to_vec(), long.into_bytes(), b"\n\xff\xfe\nquit".to_vec()].concat();
        let mailbox = Mailbox::new();
        read_lines(std::io::Cursor::new(input), &mailbox.lines());
        assert_eq!(std::iter::from_fn(|| line(&mailbox)).collect::<Vec<_>>(), ["uci", "quit"]);
    }

    #[test]
    fn a_program_that_does_not_read_the_answers_must_wait() {
        let mailbox = Mailbox::new();
        let lines = mailbox.lines();
        let reader = std::thread::spawn(move || read_lines(std::io::Cursor::new("ping\n".repeat(1000)), &lines));
        let unanswered = std::iter::from_fn(|| line(&mailbox)).count();
        assert!(unanswered < 200, "{unanswered} lines wait");
        drop(mailbox);
        reader.join().unwrap();
    }
}
