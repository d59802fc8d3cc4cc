//! The web app under attack: started on a free port of this machine, asked over plain sockets, and measured through /proc.

use crate::gamete::Gamete;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How long an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server that ends with whoever started it.
pub struct Server {
    child: Child,
    /// Its address and port.
    pub host: String,
}

/// What the server answered.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status; 0 where the connection was closed without one.
    pub status: u16,
    /// What came after the head.
    pub body: String,
}

impl Reply {
    /// The body as JSON, `null` where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

impl Server {
    /// Starts it for the runs of this folder. What it says of errors goes to the file `serve.log`.
    pub fn start(gamete: &Gamete, folder: &Path) -> Result<Server, String> {
        let told = |error: std::io::Error| format!("siege: cannot start a server: {error}");
        let log = std::fs::File::options().create(true).append(true).open(folder.join("serve.log")).map_err(told)?;
        let mut command = gamete.command(folder, "serve --no-open --port 0");
        let mut child = command.stderr(Stdio::from(log)).spawn().map_err(told)?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("siege: a server without output")?;
        let mut reader = BufReader::new(stdout);
        reader.read_line(&mut line).map_err(told)?;
        let host = line.trim().strip_prefix("http://").and_then(|rest| rest.split('/').next());
        let host = host.ok_or_else(|| format!("server does not start: it printed {line:?}"))?.to_string();
        std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
        Ok(Server { child, host })
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it is still there, and has said nothing of a panic.
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

    /// Kills it at once.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends it a signal to end, and waits; how long it took, or that it did not.
    pub fn end(mut self, signal: Signal, patience: Duration) -> Result<Duration, String> {
        let begun = Instant::now();
        let pid = Pid::from_raw(self.child.id() as i32).ok_or("siege: a process without a number")?;
        kill_process(pid, signal).map_err(|error| format!("siege: {error}"))?;
        while begun.elapsed() < patience {
            if let Ok(Some(_)) = self.child.try_wait() {
                return Ok(begun.elapsed());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(format!("server does not end: {signal:?} was sent {} s ago", patience.as_secs()))
    }

    /// Asks for something.
    pub fn get(&self, path: &str) -> Result<Reply, String> {
        ask(&self.host, "GET", path, None)
    }

    /// What the server tells pages that watch a run, at once.
    pub fn detail(&self, run: &str) -> Result<Value, String> {
        self.first_event(&format!("/api/runs/{run}/events"))
    }

    /// What the server tells pages that watch something, at once.
    pub fn first_event(&self, path: &str) -> Result<Value, String> {
        let told = |error: std::io::Error| format!("no events: {path}: {error}");
        let mut stream = TcpStream::connect(&self.host).map_err(told)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(told)?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.host).map_err(told)?;
        for line in BufReader::new(stream).lines() {
            let line = line.map_err(told)?;
            // A run that cannot be read is refused, as plain JSON.
            if let Some(data) =
                line.strip_prefix("data: ").or(Some(&line).filter(|line| line.starts_with('{')).map(String::as_str))
            {
                return serde_json::from_str(data).map_err(|error| format!("no events: {path}: {error}"));
            }
        }
        Err(format!("no events: {path}: the stream ended"))
    }

    /// Sends something.
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

/// A request as programs send it, and its answer. That the server did not answer in time is an error.
pub fn ask(host: &str, method: &str, path: &str, body: Option<&str>) -> Result<Reply, String> {
    let content = body.map_or(String::new(), |body| {
        format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    });
    let end = if content.is_empty() { "\r\n" } else { "" };
    let request = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{content}{end}");
    send(host, request.as_bytes())
}

/// Bytes as they are, and the answer to them.
pub fn send(host: &str, bytes: &[u8]) -> Result<Reply, String> {
    exchange(host, bytes, false)
}

/// A part of a request, behind which nothing more will come, and the answer to it.
pub fn send_half(host: &str, bytes: &[u8]) -> Result<Reply, String> {
    exchange(host, bytes, true)
}

fn exchange(host: &str, bytes: &[u8], close: bool) -> Result<Reply, String> {
    let told = |error: std::io::Error| format!("no connection: {error}");
    let mut stream = TcpStream::connect(host).map_err(told)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(told)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(told)?;
    // The server may hang up before it has read everything, and says why all the same.
    let _ = stream.write_all(bytes);
    if close {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer)
        && matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
    {
        let what = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]).into_owned();
        return Err(format!("no answer: within {} s to {what:?}", PATIENCE.as_secs()));
    }
    Ok(reply(&answer))
}

fn reply(answer: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(answer);
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_string();
    Reply { status, body }
}

/// What a process uses: memory in kilobytes, open descriptors, threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Resident memory in kilobytes.
    pub memory: u64,
    /// Open descriptors.
    pub descriptors: u64,
    /// Threads.
    pub threads: u64,
}

/// What this process uses now, or `None` if it is gone.
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
    fn replies_are_taken_apart() {
        let found = reply(b"HTTP/1.1 404 Not Found\r\na: b\r\n\r\n{\"error\":\"none\"}");
        assert_eq!((found.status, &found.json()["error"]), (404, &"none".into()));
        assert_eq!(reply(b"").status, 0);
    }

    #[test]
    fn our_own_usage_can_be_read() {
        let found = usage(std::process::id()).unwrap();
        assert!(found.memory > 100 && found.descriptors >= 3 && found.threads >= 1, "{found:?}");
    }
}
