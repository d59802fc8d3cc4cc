//! Starts the web app on a free port of this machine, sends it requests over plain sockets, and measures its memory,
//! descriptors and threads through /proc.

use crate::gamete::Gamete;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// The longest time that an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running server. It is killed when this value is dropped.
pub struct Server {
    child: Child,
    /// Its address and port.
    pub host: String,
}

/// An answer of the server.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status; 0 if the server closed the connection without one.
    pub status: u16,
    /// The text after the headers.
    pub body: String,
}

impl Reply {
    /// The body as JSON, or `null` if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

impl Server {
    /// Starts a server for the runs of this folder. Its standard error goes to the file `serve.log` there.
    pub fn start(gamete: &Gamete, folder: &Path) -> Result<Server, String> {
        let to_message = |error: std::io::Error| format!("siege: cannot start a server: {error}");
        let log =
            std::fs::File::options().create(true).append(true).open(folder.join("serve.log")).map_err(to_message)?;
        let mut command = gamete.command(folder, "serve --no-open --port 0");
        let mut child = command.stderr(Stdio::from(log)).spawn().map_err(to_message)?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("siege: the server has no standard output")?;
        let mut reader = BufReader::new(stdout);
        reader.read_line(&mut line).map_err(to_message)?;
        let host = line.trim().strip_prefix("http://").and_then(|rest| rest.split('/').next());
        let host = host
            .ok_or_else(|| format!("server does not start: it printed {line:?} instead of its address"))?
            .to_string();
        std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
        Ok(Server { child, host })
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Checks that the server still runs and has not reported a panic.
    pub fn check_alive(&mut self, folder: &Path) -> Result<(), String> {
        if let Ok(Some(status)) = self.child.try_wait() {
            return Err(format!("server ended: {status}: {}", last_line(&folder.join("serve.log"))));
        }
        let log = std::fs::read_to_string(folder.join("serve.log")).unwrap_or_default();
        match log.lines().find(|line| line.contains("panicked at")) {
            Some(line) => Err(format!("panic in the server: {line}")),
            None => Ok(()),
        }
    }

    /// Kills the server with SIGKILL.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends the server a signal and waits for its end; returns how long that took. It is an error if it takes longer
    /// than `patience`.
    pub fn end(mut self, signal: Signal, patience: Duration) -> Result<Duration, String> {
        let begun = Instant::now();
        let pid = Pid::from_raw(self.child.id() as i32).ok_or("siege: the server has no process id")?;
        kill_process(pid, signal).map_err(|error| format!("siege: {error}"))?;
        while begun.elapsed() < patience {
            if let Ok(Some(_)) = self.child.try_wait() {
                return Ok(begun.elapsed());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(format!("server does not end: {signal:?} was sent {} s ago", patience.as_secs()))
    }

    /// Sends a GET request.
    pub fn get(&self, path: &str) -> Result<Reply, String> {
        ask(&self.host, "GET", path, None)
    }

    /// The first event that the server sends to pages that show a run.
    pub fn detail(&self, run: &str) -> Result<Value, String> {
        self.first_event(&format!("/api/runs/{run}/events"))
    }

    /// The first event of a stream of events.
    pub fn first_event(&self, path: &str) -> Result<Value, String> {
        let to_message = |error: std::io::Error| format!("no events: {path}: {error}");
        let mut stream = TcpStream::connect(&self.host).map_err(to_message)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(to_message)?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.host).map_err(to_message)?;
        for line in BufReader::new(stream).lines() {
            let line = line.map_err(to_message)?;
            // If a run cannot be read, the server answers with an error as plain JSON instead of events.
            if let Some(data) =
                line.strip_prefix("data: ").or(Some(&line).filter(|line| line.starts_with('{')).map(String::as_str))
            {
                return serde_json::from_str(data).map_err(|error| format!("no events: {path}: {error}"));
            }
        }
        Err(format!("no events: {path}: the stream ended"))
    }

    /// Sends a POST request.
    pub fn post(&self, path: &str, body: &Value) -> Result<Reply, String> {
        ask(&self.host, "POST", path, Some(&body.to_string()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn last_line(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().last().unwrap_or_default().to_string()
}

/// Sends a correct request and returns the answer. No answer in time is an error.
pub fn ask(host: &str, method: &str, path: &str, body: Option<&str>) -> Result<Reply, String> {
    let content = body.map_or(String::new(), |body| {
        format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    });
    let end = if content.is_empty() { "\r\n" } else { "" };
    let request = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{content}{end}");
    send(host, request.as_bytes())
}

/// Sends bytes unchanged and returns the answer.
pub fn send(host: &str, bytes: &[u8]) -> Result<Reply, String> {
    exchange(host, bytes, false)
}

/// Sends part of a request, closes the writing side, and returns the answer.
pub fn send_half(host: &str, bytes: &[u8]) -> Result<Reply, String> {
    exchange(host, bytes, true)
}

fn exchange(host: &str, bytes: &[u8], close: bool) -> Result<Reply, String> {
    let to_message = |error: std::io::Error| format!("no connection: {error}");
    let mut stream = TcpStream::connect(host).map_err(to_message)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(to_message)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(to_message)?;
    // The server may stop reading early and still send an answer, so an error here does not matter.
    let _ = stream.write_all(bytes);
    if close {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer)
        && matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
    {
        let what = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]).into_owned();
        return Err(format!("no answer: after {} s to {what:?}", PATIENCE.as_secs()));
    }
    Ok(reply(&answer))
}

fn reply(answer: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(answer);
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_string();
    Reply { status, body }
}

/// The resources that a process uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Resident memory in kilobytes.
    pub memory: u64,
    /// The number of open file descriptors.
    pub descriptors: u64,
    /// The number of threads.
    pub threads: u64,
}

/// The resources that a process uses now, or `None` if it has ended.
pub fn usage(process: u32) -> Option<Usage> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?.count() as u64;
    Some(Usage { memory: number("VmRSS:")?, descriptors, threads: number("Threads:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_parsed() {
        let found = reply(b"HTTP/1.1 404 Not Found\r\na: b\r\n\r\n{\"error\":\"none\"}");
        assert_eq!((found.status, &found.json()["error"]), (404, &"none".into()));
        assert_eq!(reply(b"").status, 0);
    }

    #[test]
    fn usage_of_this_process_can_be_read() {
        let found = usage(std::process::id()).unwrap();
        assert!(found.memory > 100 && found.descriptors >= 3 && found.threads >= 1, "{found:?}");
    }
}
