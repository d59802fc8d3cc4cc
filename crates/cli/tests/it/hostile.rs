//! The web app under attack: malformed and endless requests, slow connections, and other machines.

use super::Gamete;
use super::serve::Served;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Sends bytes unchanged, and reads until the answer ends or nothing more arrives. Returns the status.
fn send(served: &Served, bytes: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(&served.host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(bytes).ok()?;
    stream.shutdown(std::net::Shutdown::Write).ok()?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
}

/// A thousand different malformed requests.
fn malformed(host: &str) -> Vec<Vec<u8>> {
    let request = |method: &str, path: &str, kind: &str, body: &[u8], length: usize| {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        );
        [head.as_bytes(), body].concat()
    };
    let json =
        |method: &str, path: &str, body: &str| request(method, path, "application/json", body.as_bytes(), body.len());
    let posts = [
        "/api/play/position",
        "/api/play/answer",
        "/api/play/view",
        "/api/play/hint",
        "/api/runs",
        "/api/experiments/check",
        "/api/experiments/set",
        "/api/runs/none/resume",
        "/api/runs/none/growth",
    ];
    let mut bodies: Vec<String> = [
        "",
        "{",
        "}",
        "null",
        "[]",
        "7",
        "\"x\"",
        "{}",
        "{\"game\":null}",
        "{\"game\":[]}",
        "{\"game\":\"\"}",
        "\u{0}",
        "{\"game\":\"nim\",\"seed\":1e999}",
        "{\"game\":\"nim\",\"seed\":99999999999999999999999}",
        "{\"game\":\"nim\",\"seed\":-1}",
        "{\"game\":\"nim\",\"moves\":\"1:1\"}",
        "{\"game\":\"nim\",\"moves\":[1,2]}",
        "{\"game\":\"nim\",\"moves\":[\"9:9\"]}",
        "{\"game\":\"nim\",\"start\":\"99999999999999,1\"}",
        "{\"game\":\"nim\",\"start\":\"-1,1\"}",
        "{\"game\":\"nim\",\"setup\":[\"stacks=[0]\"]}",
        "{\"game\":\"nim\",\"setup\":[\"stacks=[65536]\"]}",
        "{\"game\":\"nim\",\"setup\":[\"=\"]}",
        "{\"game\":\"nim\",\"setup\":[\"stacks\"]}",
        "{\"game\":\"go\"}",
        "{\"game\":\"../nim\"}",
        "{\"game\":\"nim\",\"against\":\"run:../../etc/passwd\"}",
        "{\"game\":\"nim\",\"against\":\"run:/etc/passwd\"}",
        "{\"game\":\"nim\",\"against\":\"run:a.db\"}",
        "{\"game\":\"nim\",\"against\":\"file:/dev/zero\"}",
        "{\"game\":\"nim\",\"against\":\"mcts:-1\"}",
        "{\"game\":\"nim\",\"against\":\"mcts:999999999\"}",
        "{\"game\":\"draughts\",\"start\":\"W:W:B\",\"against\":\"nobody\"}",
        "{\"game\":\"draughts\",\"start\":\"W:W99:B1\"}",
        "{\"game\":\"minichess\",\"start\":\"////// w\"}",
        "{\"game\":\"minichess\",\"start\":\"k5/6/6/6/6/K6 w\"}",
        "{\"experiment\":1}",
        "{\"experiment\":\"../x\",\"toml\":\"a\"}",
        "{\"experiment\":\"x\",\"toml\":\"\\u0000\"}",
        "{\"name\":\"x\",\"toml\":\"[[[[\"}",
        "{\"name\":\"x\",\"toml\":\"game = 1e9999\"}",
        "{\"generations\":-5}",
        "{\"games\":4294967296,\"champions\":1}",
    ]
    .map(str::to_string)
    .to_vec();
    for player in ["", ":", "run:", "champion:", "material:x", "mcts:1,ept=1", "random,depth=2"] {
        bodies.push(format!("{{\"game\":\"nim\",\"against\":\"{player}\"}}"));
    }
    bodies.push("[".repeat(100_000));
    bodies.push(format!("{{\"game\":\"{}\"}}", "x".repeat(300_000)));
    bodies.push(format!("{{\"game\":\"nim\",\"moves\":[{}]}}", vec!["\"1:1\""; 20_000].join(",")));
    let mut all: Vec<Vec<u8>> = Vec::new();
    for path in posts {
        for body in &bodies {
            all.push(json("POST", path, body));
            // Only half of the request: the rest never arrives.
            all.push(request("POST", path, "application/json", &body.as_bytes()[..body.len() / 2], body.len() + 10));
        }
        all.push(request("POST", path, "text/plain", b"{}", 2));
        all.push(json("PATCH", path, "{}"));
    }
    for path in [
        "/api/runs/../../etc/passwd",
        "/api/runs/%2e%2e%2fx",
        "/api/runs/..%5cx",
        "/api/runs/%00",
        "/api/runs/a%0d%0ab",
        "/api/runs/.hidden",
        "/api/runs/%ff%fe",
        "/api/experiments/%2e%2e%2f%2e%2e%2fCargo.toml",
        "/api/runs/none/champions/99999999999999999999",
        "/api/runs/none/champions/-1",
        "/api/runs/none/curves?from=1",
        "/api/runs/none/curves?from=x&to=y",
        "/api/runs/none/curves?from=5&to=1",
        "/api/runs/none/champions/1/network",
        "/assets/../../../etc/passwd",
        "/assets/%2e%2e/index.html",
        "/api",
        "/api/",
        "//",
        "/api/play/position",
    ] {
        for method in ["GET", "DELETE", "PUT", "OPTIONS", "BREW"] {
            all.push(json(method, path, ""));
        }
    }
    for raw in [
        "",
        "\r\n\r\n",
        "GET",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/9.9\r\nhost: x\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}",
        "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
    ] {
        all.push(raw.as_bytes().to_vec());
    }
    all.push(format!("GET /{} HTTP/1.1\r\nhost: {host}\r\n\r\n", "a".repeat(200_000)).into_bytes());
    all.push(format!("GET / HTTP/1.1\r\nhost: {host}\r\nx: {}\r\n\r\n", "b".repeat(200_000)).into_bytes());
    all.push(
        format!("POST /api/runs HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n").into_bytes(),
    );
    all
}

/// The memory of a process, in megabytes.
#[cfg(target_os = "linux")]
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().split(' ').next().unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
#[cfg(target_os = "linux")]
fn a_thousand_malformed_requests_change_nothing() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 3 --name a");
    let served = Served::new(&gamete);
    // Meanwhile, slow connections never finish their requests.
    let slow: Vec<TcpStream> = (0..100)
        .map(|number| {
            let mut stream = TcpStream::connect(&served.host).unwrap();
            let begun = if number % 2 == 0 { "GET / HTTP/1.1\r\nhost:" } else { "POST /api/runs HTTP/1.1\r\n" };
            stream.write_all(begun.as_bytes()).unwrap();
            stream
        })
        .collect();
    served.get("/api/about");
    let requests = malformed(&served.host);
    assert!(requests.len() >= 1000, "{}", requests.len());
    for request in &requests {
        send(&served, request);
    }
    let before = memory(served.child.id());
    for request in &requests {
        let text = String::from_utf8_lossy(&request[..request.len().min(300)]).into_owned();
        match send(&served, request) {
            // Connections without a valid request are closed; requests for pages are answered.
            None => {}
            Some(200 | 404) if text.starts_with("GET /") => {}
            // A request with a valid position is answered.
            Some(200) if text.contains("/api/play/") => {}
            Some(status) => assert!((400..500).contains(&status) || status == 501, "{status}: {text}"),
        }
    }
    let after = memory(served.child.id());
    assert!(after < before + 30, "{before} MB became {after} MB");
    drop(slow);
    assert_eq!(served.get("/api/runs/a/champions/3")["player"], "run:a@3");
    let runs = std::fs::read_dir(gamete.folder().join("runs")).unwrap().count();
    assert_eq!(runs, 1, "nothing was made, and nothing deleted");
}

#[test]
fn other_machines_need_a_token() {
    let gamete = Gamete::new();
    for (words, why) in [
        ("serve --no-open --host 0.0.0.0", "add --token SECRET, which browsers must then know"),
        ("serve --no-open --host 0.0.0.0 --token short", "the token has 5 characters, but it must have at least 16"),
        ("serve --no-open --host nowhere", "invalid value 'nowhere'"),
        ("serve --no-open --host ::1", "leave --host out"),
    ] {
        let output = gamete.run(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{words}: {said}");
    }
    let token = "0123456789abcdef-_";
    let served = Served::start(&gamete, &format!("serve --no-open --port 0 --host 0.0.0.0 --token {token}"));
    let port = served.host.rsplit(':').next().unwrap().to_string();
    let ask = |path: &str, headers: &str| {
        served.send(&format!("GET {path} HTTP/1.1\r\nhost: laptop.local:{port}\r\nconnection: close\r\n{headers}\r\n"))
    };
    // Without the token, nothing is answered, not even pages.
    for (path, headers) in [
        ("/", ""),
        ("/api/about", ""),
        ("/?token=0123456789abcdef-x", ""),
        ("/api/about", "cookie: gamete_token=wrong\r\n"),
        ("/api/about", "cookie: other=0123456789abcdef-_\r\n"),
    ] {
        let (status, answer) = ask(path, headers);
        assert!(status == 401 && answer.contains("a token is needed"), "{path} {headers}: {answer}");
    }
    let (status, answer) = ask(&format!("/play?token={token}"), "");
    assert_eq!(status, 303, "{answer}");
    assert!(answer.contains("location: /play\r\n"), "{answer}");
    let cookie = "set-cookie: gamete_token=0123456789abcdef-_; Path=/; HttpOnly; SameSite=Strict";
    assert!(answer.contains(cookie), "{answer}");
    assert_eq!(ask("/api/about", &format!("cookie: a=b; gamete_token={token}\r\n")).0, 200);
    // The token does not help pages of other hosts.
    let foreign = format!("cookie: gamete_token={token}\r\norigin: http://evil.example\r\n");
    assert_eq!(ask("/api/about", &foreign).0, 403);
}

#[test]
fn slow_bodies_do_not_keep_others_waiting() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let mut slow = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(&served.host).unwrap();
        let head = format!("POST /api/play/answer HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json", served.host);
        write!(stream, "{head}\r\ncontent-length: 1000\r\n\r\n{{\"game\":").unwrap();
        slow.push(stream);
    }
    let begun = Instant::now();
    served.post("/api/play/answer", &json!({ "game": "nim", "start": "3,4", "against": "champion:nim" }));
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}
