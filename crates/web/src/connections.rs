//! Accepts connections, with limits on their number and on the time in which a request must arrive.

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The largest number of connections at a time; further ones are closed. Each open page needs one.
const MOST_CONNECTIONS: usize = 512;

/// How long a request may take to arrive. A client that sends byte by byte is cut off after `head` + `body`.
#[derive(Clone, Copy)]
pub struct Patience {
    /// The time for the head, from the opening of the connection or from the answer to the request before.
    pub head: Duration,
    /// The time for the whole body.
    pub body: Duration,
}

impl Patience {
    pub const USUAL: Patience = Patience { head: Duration::from_secs(8), body: Duration::from_secs(12) };
}

/// Accepts and serves connections for ever.
pub async fn serve(listener: TcpListener, router: Router, patience: Patience) -> std::io::Result<()> {
    let router = router.layer(Extension(patience));
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let (stream, _) = match listener.accept().await {
            Ok(accepted) => accepted,
            // The client has disconnected, or the process has too many open files at the moment.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Beyond the limit the connection is closed at once.
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _place = place;
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(patience.head).max_buf_size(64 * 1024);
            // A client that disconnects or sends no valid request is not an error of the server.
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contained;
    use crate::refusal::{JsonBody, Refusal};
    use axum::Json;
    use axum::routing::{get, post};
    use serde_json::Value;
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::time::Instant;

    const HURRY: Patience = Patience { head: Duration::from_millis(600), body: Duration::from_millis(600) };

    /// Starts a server with some test requests; returns its address.
    fn serving(runtime: &tokio::runtime::Runtime) -> String {
        let echo = async |JsonBody(body): JsonBody<Value>| Json(body);
        let broken = async || -> Result<Json<Value>, Refusal> { panic!("a panic in a handler, for this test") };
        let router = Router::new().route("/echo", post(echo)).route("/broken", get(broken));
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        runtime.spawn(serve(listener, contained(router), HURRY));
        address
    }

    /// Sends some bytes at once and then one at a time, until the server disconnects. Returns the answer and the time.
    fn slowly(address: &str, at_once: &str, then: &str) -> (String, Duration) {
        let mut stream = TcpStream::connect(address).unwrap();
        let begun = Instant::now();
        stream.write_all(at_once.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(60))).unwrap();
        let mut heard = Vec::new();
        for byte in then.bytes().cycle() {
            // Writing fails after the server has disconnected.
            let _ = stream.write_all(&[byte]);
            let mut some = [0; 1000];
            match stream.read(&mut some) {
                Ok(0) => break,
                Ok(count) => heard.extend_from_slice(&some[..count]),
                Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                }
                Err(_) => break,
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "{at_once} {}", String::from_utf8_lossy(&heard));
        }
        (String::from_utf8_lossy(&heard).into_owned(), begun.elapsed())
    }

    #[test]
    fn slow_requests_are_cut_off() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let address = serving(&runtime);
        let post = "POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
        let (said, _) = slowly(&address, &format!("{post}connection: close\r\ncontent-length: 2\r\n\r\n{{}}"), " ");
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
        for (at_once, then, status) in [
            (format!("{post}content-length: 100000\r\n\r\n"), "{", "HTTP/1.1 408"),
            (format!("{post}transfer-encoding: chunked\r\n\r\n"), "1\r\n{\r\n", "HTTP/1.1 408"),
            // The server does not read these bodies, and must not wait for them.
            ("GET /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n".to_string(), "x", "HTTP/1.1 405"),
            ("POST /none HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n".to_string(), "x", "HTTP/1.1 404"),
            ("GET /".to_string(), "x", ""),
            ("GET / HTTP/1.1\r\nhost: x\r\nx-".to_string(), "y", ""),
        ] {
            let (said, took) = slowly(&address, &at_once, then);
            assert!(said.starts_with(status), "{at_once}: {said}");
            assert!(took < Duration::from_secs(3), "{at_once}: {took:?}");
        }
    }

    #[test]
    fn a_panic_in_a_handler_is_answered() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let address = serving(&runtime);
        for _ in 0..3 {
            let (said, _) = slowly(&address, "GET /broken HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", " ");
            assert!(said.starts_with("HTTP/1.1 500") && said.contains("because of a bug in Gamete"), "{said}");
        }
    }
}
