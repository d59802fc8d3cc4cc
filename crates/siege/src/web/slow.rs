//! Slow clients, which send their headers or bodies one byte a second. Each takes one of the server's connections, and
//! the server must close it within 20 seconds.

use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest time that a slow client may keep its connection: 20 seconds, and 4 more for a busy machine.
pub const MOST: Duration = Duration::from_secs(24);

/// Connects `clients` slow clients and sends a byte a second for each. Returns how long each kept its connection;
/// `None` for those that still had it at the end.
pub fn visit(host: &str, clients: usize) -> Result<Vec<Option<Duration>>, String> {
    let to_message = |error: std::io::Error| format!("siege: slow client: {error}");
    let mut open = Vec::new();
    for number in 0..clients {
        let mut stream = TcpStream::connect(host).map_err(to_message)?;
        stream.set_nonblocking(true).map_err(to_message)?;
        let begun = match number % 2 {
            0 => "GET /api/about HTTP/1.1\r\nhost: ".to_string(),
            _ => format!(
                "POST /api/play/answer HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
                 content-length: 1000\r\n\r\n"
            ),
        };
        stream.write_all(begun.as_bytes()).map_err(to_message)?;
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

/// Whether the server has answered or closed the connection.
fn is_over(stream: &TcpStream) -> bool {
    match stream.peek(&mut [0; 1]) {
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}
