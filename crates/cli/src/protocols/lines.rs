//! Reads the lines of a program.

use super::Event;
use std::io::{BufRead, Read};
use std::sync::mpsc::Sender;

/// A longer line than this is not a command.
const LONGEST_LINE: u64 = 1 << 16;

/// Reads lines until the input ends. Lines that are too long or not text are skipped.
pub fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
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
        if events.send(Event::Line(line.trim().to_string())).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn long_lines_and_bytes_that_are_no_text_are_skipped() {
        let long = "x".repeat(3 * LONGEST_LINE as usize);
        let input = [b"uci\n".to_vec(), long.into_bytes(), b"\n\xff\xfe\nquit".to_vec()].concat();
        let (tell, heard) = channel();
        read_lines(std::io::Cursor::new(input), &tell);
        drop(tell);
        let lines: Vec<String> = heard
            .iter()
            .filter_map(|event| match event {
                Event::Line(line) => Some(line),
                _ => None,
            })
            .collect();
        assert_eq!(lines, ["uci", "quit"]);
    }
}
