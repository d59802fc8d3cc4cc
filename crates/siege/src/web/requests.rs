//! Draws hostile requests: each begins as a request that a web page sends, and is then broken in one of many ways.

use chance::Rng;

/// A request and its expected answer.
pub struct Request {
    /// The bytes to send.
    pub bytes: Vec<u8>,
    /// The expected answer.
    pub expected: Expected,
    /// The name in reports.
    pub name: String,
}

/// The expected answer to a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A success.
    Success,
    /// A refusal with an error message: the request asks for something that does not exist, or comes from another site.
    Refusal,
    /// Anything except a fault of the server. It may also close the connection if the bytes are not a request.
    NoFault,
}

impl Expected {
    /// Checks the status of an answer; 0 means no answer.
    pub fn check(self, status: u16) -> Result<(), String> {
        match (self, status) {
            (Expected::Success, 200..400) | (Expected::Refusal, 400..500) | (Expected::NoFault, 0..=499) => Ok(()),
            // Not implemented, and HTTP version not supported: correct answers to some broken requests.
            (Expected::NoFault, 501 | 505) => Ok(()),
            (Expected::Refusal, 200..400) => Err(format!("not refused: status {status}")),
            (Expected::Success, 400..500) => Err(format!("refused: status {status}")),
            (_, 0) => Err("no answer: the server closed the connection".to_string()),
            _ => Err(format!("status {status}")),
        }
    }
}

/// GET requests of web pages, and some for things that do not exist or are forbidden.
const GETS: [(&str, Expected); 22] = [
    ("/", Expected::Success),
    ("/play", Expected::Success),
    ("/runs/a", Expected::Success),
    ("/api/about", Expected::Success),
    ("/api/experiments/nim-2x4", Expected::Success),
    ("/api/runs/a/curves?from=1&to=20", Expected::Success),
    ("/api/runs/a/champions/3", Expected::Success),
    ("/api/runs/a/champions/3/network", Expected::Success),
    ("/api/runs/a/ancestry?generation=3", Expected::Success),
    ("/api/runs/a/games", Expected::Success),
    ("/api/runs/a/games?generation=2", Expected::Success),
    ("/api/network?player=run:a@2", Expected::Success),
    ("/api/network?player=champion:nim", Expected::Success),
    ("/api/labs", Expected::Success),
    ("/api/labs/none", Expected::Refusal),
    ("/api/matches", Expected::Success),
    ("/api/runs/a/curves?from=18446744073709551615&to=18446744073709551615", Expected::Success),
    ("/api/runs/a/champions/18446744073709551615", Expected::Refusal),
    ("/api/runs/%2e%2e%2f%2e%2e%2fetc%2fpasswd/games", Expected::Refusal),
    ("/api/network?player=file:/etc/passwd", Expected::Refusal),
    ("/api/network?player=run:..%2fa", Expected::Refusal),
    ("/assets/..%2f..%2fCargo.toml", Expected::Refusal),
];

/// POST requests of web pages, and some with invalid values: path, body and expected answer.
const POSTS: [(&str, &str, Expected); 16] = [
    ("/api/play/position", r#"{"game":"nim","start":"3,4","moves":["1:1"]}"#, Expected::Success),
    (
        "/api/play/answer",
        r#"{"game":"nim","start":"3,4","against":"run:a@3","person":"second","seed":1}"#,
        Expected::Success,
    ),
    ("/api/play/view", r#"{"game":"nim","start":"3,4","against":"champion:nim","seed":1}"#, Expected::Success),
    ("/api/play/hint", r#"{"game":"tic-tac-toe","against":"perfect"}"#, Expected::Success),
    ("/api/experiments/check", r#"{"name":"x","toml":"game = \"nim\""}"#, Expected::Refusal),
    ("/api/experiments/set", r#"{"name":"x","toml":"game = \"nim\"","key":"seed","value":"2"}"#, Expected::Refusal),
    ("/api/runs", r#"{"experiment":"x","toml":"game = \"nim\"","name":"../x"}"#, Expected::Refusal),
    ("/api/runs", r#"{"experiment":"x","toml":"[[[["}"#, Expected::Refusal),
    ("/api/runs/none/resume", r#"{"generations":5}"#, Expected::Refusal),
    ("/api/runs/none/growth", r#"{"games":2,"champions":2}"#, Expected::Refusal),
    ("/api/network/values", r#"{"player":"run:a@1","game":"nim","position":"3,4"}"#, Expected::Success),
    ("/api/games/read", r#"{"text":"[Event \"x\"]\n\n1. a3 a4 *","game":"minichess"}"#, Expected::Success),
    ("/api/games/values", r#"{"game":"nim","start":"3,4","moves":["1:1"],"player":"champion:nim"}"#, Expected::Success),
    ("/api/exam", r#"{"player":"run:a"}"#, Expected::Success),
    ("/api/matches", r#"{"game":"nim","players":["random","first"],"games":-2}"#, Expected::Refusal),
    (
        "/api/play/answer",
        r#"{"game":"nim","start":"65535,65535,65535,65535,65535,65535,65535,65535","against":"first"}"#,
        Expected::Success,
    ),
];

/// Unusual values that replace a value in a body.
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
    let (method, path, body, expected) = match rng.below(2) {
        0 => {
            let (path, expected) = GETS[rng.below(GETS.len())];
            ("GET", path, String::new(), expected)
        }
        _ => {
            let (path, body, expected) = POSTS[rng.below(POSTS.len())];
            ("POST", path, body.to_string(), expected)
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
    let (bytes, expected, how) = match rng.below(14) {
        0..=3 => (plain(&body, ""), expected, "as pages send it"),
        4 => (plain(&odd_body(&body, rng), ""), Expected::NoFault, "odd values"),
        5 => (mutated(plain(&body, ""), rng), Expected::NoFault, "bytes changed"),
        6 => (plain(&"[".repeat(1 + rng.below(200_000)), ""), Expected::NoFault, "deep"),
        7 => (plain(&huge(&body, rng), ""), Expected::NoFault, "huge body"),
        8 => (plain(&body, &format!("x: {}\r\n", "b".repeat(rng.below(150_000)))), Expected::NoFault, "huge head"),
        9 => (cut(plain(&body, ""), rng), Expected::NoFault, "cut"),
        10 => (foreign_headers(plain(&body, ""), host, rng), Expected::Refusal, "foreign"),
        11 => ((0..rng.below(2000)).map(|_| rng.below(256) as u8).collect(), Expected::NoFault, "noise"),
        12 => (plain(&body, "transfer-encoding: chunked\r\n"), Expected::NoFault, "two lengths"),
        _ => {
            let odd = ["BREW", "PATCH", "PUT", "OPTIONS", "TRACE", "HEAD", "CONNECT"];
            let other = odd[rng.below(odd.len())];
            let text = String::from_utf8_lossy(&plain(&body, "")).replacen(method, other, 1);
            (text.into_bytes(), Expected::NoFault, "another method")
        }
    };
    Request { bytes, expected, name: format!("{name} ({how})") }
}

/// Changes a request into one that a page of another site would send.
fn foreign_headers(bytes: Vec<u8>, host: &str, rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // Other sites may link to pages, but may not use the API.
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
    // The value after one of the colons.
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
            assert_eq!(request.expected, Expected::Refusal);
            let text = String::from_utf8_lossy(&request.bytes).into_owned();
            let signs = ["evil.example", "origin: null", "cross-site"];
            let doubled = text.matches("host: 127.0.0.1:80\r\n").count() == 2;
            assert!(text.contains(" /api/") && (doubled || signs.iter().any(|sign| text.contains(sign))), "{text}");
        }
    }

    #[test]
    fn answers_are_compared_with_the_expected_ones() {
        assert_eq!(Expected::Success.check(200), Ok(()));
        assert_eq!(Expected::Refusal.check(404), Ok(()));
        assert_eq!([0, 200, 404, 501].map(|status| Expected::NoFault.check(status)), [const { Ok(()) }; 4]);
        for (expected, status) in [
            (Expected::Success, 0),
            (Expected::Success, 404),
            (Expected::Refusal, 0),
            (Expected::Refusal, 200),
            (Expected::NoFault, 500),
        ] {
            assert!(expected.check(status).is_err(), "{expected:?} {status}");
        }
    }
}
