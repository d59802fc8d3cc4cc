//! Requests that nobody should send: each drawn from what pages send, and then broken in one of many ways.

use chance::Rng;

/// A request, and what its answer may be.
pub struct Request {
    /// The bytes to send.
    pub bytes: Vec<u8>,
    /// What its answer must be.
    pub due: Due,
    /// How it is called in reports.
    pub name: String,
}

/// What the answer to a request must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Due {
    /// What was asked for.
    Success,
    /// A refusal with a sentence: what it asks for cannot be had, or it comes from elsewhere.
    Refusal,
    /// Anything but a fault of the server; it may also hang up on whoever sends no request.
    NoFault,
}

impl Due {
    /// What is wrong with an answer of this status; 0 where there was none.
    pub fn check(self, status: u16) -> Result<(), String> {
        match (self, status) {
            (Due::Success, 200..400) | (Due::Refusal, 400..500) | (Due::NoFault, 0..=499) => Ok(()),
            // What a server cannot do, and versions of HTTP that do not exist, are told by these two.
            (Due::NoFault, 501 | 505) => Ok(()),
            (Due::Refusal, 200..400) => Err(format!("let in: status {status}")),
            (Due::Success, 400..500) => Err(format!("refused: status {status}")),
            (_, 0) => Err("no answer: the server hung up".to_string()),
            _ => Err(format!("status {status}")),
        }
    }
}

/// What pages ask for.
const GETS: [(&str, Due); 22] = [
    ("/", Due::Success),
    ("/play", Due::Success),
    ("/runs/a", Due::Success),
    ("/api/about", Due::Success),
    ("/api/experiments/nim-2x4", Due::Success),
    ("/api/runs/a/curves?from=1&to=20", Due::Success),
    ("/api/runs/a/champions/3", Due::Success),
    ("/api/runs/a/champions/3/network", Due::Success),
    ("/api/runs/a/ancestry?generation=3", Due::Success),
    ("/api/runs/a/games", Due::Success),
    ("/api/runs/a/games?generation=2", Due::Success),
    ("/api/network?player=run:a@2", Due::Success),
    ("/api/network?player=champion:nim", Due::Success),
    ("/api/labs", Due::Success),
    ("/api/labs/none", Due::Refusal),
    ("/api/matches", Due::Success),
    ("/api/runs/a/curves?from=18446744073709551615&to=18446744073709551615", Due::Success),
    ("/api/runs/a/champions/18446744073709551615", Due::Refusal),
    ("/api/runs/%2e%2e%2f%2e%2e%2fetc%2fpasswd/games", Due::Refusal),
    ("/api/network?player=file:/etc/passwd", Due::Refusal),
    ("/api/network?player=run:..%2fa", Due::Refusal),
    ("/assets/..%2f..%2fCargo.toml", Due::Refusal),
];

/// What pages send, with bodies.
const POSTS: [(&str, &str, Due); 16] = [
    ("/api/play/position", r#"{"game":"nim","start":"3,4","moves":["1:1"]}"#, Due::Success),
    (
        "/api/play/answer",
        r#"{"game":"nim","start":"3,4","against":"run:a@3","person":"second","seed":1}"#,
        Due::Success,
    ),
    ("/api/play/view", r#"{"game":"nim","start":"3,4","against":"champion:nim","seed":1}"#, Due::Success),
    ("/api/play/hint", r#"{"game":"tic-tac-toe","against":"perfect"}"#, Due::Success),
    ("/api/experiments/check", r#"{"name":"x","toml":"game = \"nim\""}"#, Due::Refusal),
    ("/api/experiments/set", r#"{"name":"x","toml":"game = \"nim\"","key":"seed","value":"2"}"#, Due::Refusal),
    ("/api/runs", r#"{"experiment":"x","toml":"game = \"nim\"","name":"../x"}"#, Due::Refusal),
    ("/api/runs", r#"{"experiment":"x","toml":"[[[["}"#, Due::Refusal),
    ("/api/runs/none/resume", r#"{"generations":5}"#, Due::Refusal),
    ("/api/runs/none/growth", r#"{"games":2,"champions":2}"#, Due::Refusal),
    ("/api/network/values", r#"{"player":"run:a@1","game":"nim","position":"3,4"}"#, Due::Success),
    ("/api/games/read", r#"{"text":"[Event \"x\"]\n\n1. a3 a4 *","game":"minichess"}"#, Due::Success),
    ("/api/games/values", r#"{"game":"nim","start":"3,4","moves":["1:1"],"player":"champion:nim"}"#, Due::Success),
    ("/api/exam", r#"{"player":"run:a"}"#, Due::Success),
    ("/api/matches", r#"{"game":"nim","players":["random","first"],"games":-2}"#, Due::Refusal),
    (
        "/api/play/answer",
        r#"{"game":"nim","start":"65535,65535,65535,65535,65535,65535,65535,65535","against":"first"}"#,
        Due::Success,
    ),
];

/// Values that take the place of a number or text in a body.
const ODD: [&str; 14] = [
    "null",
    "-1",
    "1e999",
    "18446744073709551616",
    "99999999999999999999999",
    "0.5",
    "[]",
    "{}",
    "\"\"",
    "\"\\u0000\"",
    "true",
    "\"run:../../etc/passwd\"",
    "\"file:/dev/zero\"",
    "\"mcts:4000000000\"",
];

/// Draws a request for this host.
pub fn draw(host: &str, rng: &mut Rng) -> Request {
    let (method, path, body, due) = match rng.below(2) {
        0 => {
            let (path, due) = GETS[rng.below(GETS.len())];
            ("GET", path, String::new(), due)
        }
        _ => {
            let (path, body, due) = POSTS[rng.below(POSTS.len())];
            ("POST", path, body.to_string(), due)
        }
    };
    let name = format!("{method} {path}");
    let plain = |body: &str, extra: &str| {
        let kind = if body.is_empty() {
            String::new()
        } else {
            format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len())
        };
        format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{extra}{kind}\r\n{body}").into_bytes()
    };
    let (bytes, due, how) = match rng.below(14) {
        0..=3 => (plain(&body, ""), due, "as pages send it"),
        4 => (plain(&odd_body(&body, rng), ""), Due::NoFault, "odd values"),
        5 => (mutated(plain(&body, ""), rng), Due::NoFault, "bytes changed"),
        6 => (plain(&"[".repeat(1 + rng.below(200_000)), ""), Due::NoFault, "deep"),
        7 => (plain(&huge(&body, rng), ""), Due::NoFault, "huge body"),
        8 => (plain(&body, &format!("x: {}\r\n", "b".repeat(rng.below(150_000)))), Due::NoFault, "huge head"),
        9 => (cut(plain(&body, ""), rng), Due::NoFault, "cut"),
        10 => (foreign_headers(plain(&body, ""), host, rng), Due::Refusal, "foreign"),
        11 => ((0..rng.below(2000)).map(|_| rng.below(256) as u8).collect(), Due::NoFault, "noise"),
        12 => (plain(&body, "transfer-encoding: chunked\r\n"), Due::NoFault, "two lengths"),
        _ => {
            let odd = ["BREW", "PATCH", "PUT", "OPTIONS", "TRACE", "HEAD", "CONNECT"];
            let other = odd[rng.below(odd.len())];
            let text = String::from_utf8_lossy(&plain(&body, "")).replacen(method, other, 1);
            (text.into_bytes(), Due::NoFault, "another method")
        }
    };
    Request { bytes, due, name: format!("{name} ({how})") }
}

/// A request that a page of another server, or under another name, would send.
fn foreign_headers(bytes: Vec<u8>, host: &str, rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // Pages may be reached from elsewhere by a link; only the interface may not.
    let text = if text.contains(" /api/") { text } else { text.replacen(" /", " /api/about?", 1) };
    let own = format!("host: {host}\r\n");
    let other = match rng.below(6) {
        0 => "host: evil.example\r\n".to_string(),
        1 => format!("host: evil.example:{}\r\n", host.rsplit(':').next().unwrap_or_default()),
        2 => format!("{own}origin: http://evil.example\r\n"),
        3 => format!("{own}origin: null\r\n"),
        4 => format!("{own}sec-fetch-site: cross-site\r\n"),
        _ => format!("{own}{own}"),
    };
    text.replacen(&own, &other, 1).into_bytes()
}

fn odd_body(body: &str, rng: &mut Rng) -> String {
    let fields: Vec<&str> = body.split(':').collect();
    if fields.len() < 2 {
        return ODD[rng.below(ODD.len())].to_string();
    }
    // The value behind one of the colons.
    let chosen = 1 + rng.below(fields.len() - 1);
    let odd = ODD[rng.below(ODD.len())];
    let rest = fields[chosen].find([',', '}']).map_or("", |end| &fields[chosen][end..]);
    let changed = format!("{odd}{rest}");
    let parts: Vec<&str> = fields
        .iter()
        .enumerate()
        .map(|(place, field)| if place == chosen { changed.as_str() } else { field })
        .collect();
    parts.join(":")
}

fn mutated(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..1 + rng.below(6) {
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, rng.below(256) as u8),
        }
    }
    bytes
}

fn huge(body: &str, rng: &mut Rng) -> String {
    let filler = "x".repeat(200_000 + rng.below(200_000));
    body.replacen(":\"", &format!(":\"{filler}"), 1)
}

fn cut(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    bytes.truncate(rng.below(bytes.len()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    #[test]
    fn requests_are_repeatable_and_foreign_ones_are_foreign() {
        let all = |seed| {
            let rng = &mut rng_for(seed, &[]);
            (0..300).map(|_| draw("127.0.0.1:80", rng)).collect::<Vec<_>>()
        };
        assert!(all(1).iter().zip(&all(1)).all(|(one, two)| one.bytes == two.bytes));
        for request in all(2).iter().filter(|request| request.name.ends_with("(foreign)")) {
            assert_eq!(request.due, Due::Refusal);
            let text = String::from_utf8_lossy(&request.bytes).into_owned();
            let signs = ["evil.example", "origin: null", "cross-site"];
            let doubled = text.matches("host: 127.0.0.1:80\r\n").count() == 2;
            assert!(text.contains(" /api/") && (doubled || signs.iter().any(|sign| text.contains(sign))), "{text}");
        }
    }

    #[test]
    fn an_answer_must_be_what_is_due() {
        assert_eq!(Due::Success.check(200), Ok(()));
        assert_eq!(Due::Refusal.check(404), Ok(()));
        assert_eq!([0, 200, 404, 501].map(|status| Due::NoFault.check(status)), [const { Ok(()) }; 4]);
        for (due, status) in
            [(Due::Success, 0), (Due::Success, 404), (Due::Refusal, 0), (Due::Refusal, 200), (Due::NoFault, 500)]
        {
            assert!(due.check(status).is_err(), "{due:?} {status}");
        }
    }
}
