//! Slow visitors: heads and bodies of one byte a second. Each holds a place, and must lose it within 20 seconds in all.

use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a slow visitor may hold its place, with a little for a busy machine.
pub const MOST: Duration = Duration::from_secs(24);

/// Connects so many visitors, sends a byte a second for each, and returns how long each held its place; `None` for those
/// who still did in the end.
pub fn visit(host: &str, visitors: usize) -> Result<Vec<Option<Duration>>, String> {
    let told = |error: std::io::Error| format!("siege: a slow visitor: {error}");
    let mut open = Vec::new();
    for number in 0..visitors {
        let mut stream = TcpStream::connect(host).map_err(told)?;
        stream.set_nonblocking(true).map_err(told)?;
        let begun = match number % 2 {
            0 => "GET /api/about HTTP/1.1\r\nhost: ".to_string(),
            _ => format!(
                "POST /api/play/answer HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
                 content-length: 1000\r\n\r\n"
            ),
        };
        stream.write_all(begun.as_bytes()).map_err(told)?;
        open.push((stream, Instant::now(), None));
    }
    let begun = Instant::now();
    while begun.elapsed() < MOST && open.iter().any(|(.., held)| held.is_none()) {
        for (stream, since, held) in open.iter_mut().filter(|(.., held)| held.is_none()) {
            if stream.write_all(b" ").is_err() || is_over(stream) {
                *held = Some(since.elapsed());
            }
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    Ok(open.into_iter().map(|(.., held)| held).collect())
}

/// Whether the server has answered or hung up.
fn is_over(stream: &TcpStream) -> bool {
    match stream.peek(&mut [0; 1]) {
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}
