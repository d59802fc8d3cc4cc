//! Checks requests to the web app: the whole router, called without a socket.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, COOKIE, HOST};
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use lab::{TrainOptions, Unwatched};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// A request that takes longer is dropped, as when a page is closed.
const PATIENCE: Duration = Duration::from_millis(100);
/// The largest number of bytes of an answer that are read.
const MOST_READ: usize = 4 << 20;

/// The token of the server that asks for one.
const TOKEN: &str = "0123456789abcdef";
/// How long a server may take for a simple request while it searches for another.
const MOST_BUSY: Duration = Duration::from_secs(10);

/// A server with two small runs, without and with a token.
struct Server {
    router: Router,
    guarded: Router,
    runtime: Runtime,
    _folder: TempDir,
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let runs = folder.path().join("runs");
        for (name, shipped) in [("a", "nim-2x4"), ("b", "nim-2x4-neat")] {
            let mut experiment = runs::open_experiment(shipped).expect("it is shipped");
            let sets = ["stop.generations=3", "record.past_games=2", "record.final_games=2", "record.growth_games=2"];
            experiment.set(&sets).expect("it has these parameters");
            let options = TrainOptions { runs: runs.clone(), name: Some(name.to_string()), ..TrainOptions::default() };
            lab::train(experiment, &options, &mut Unwatched, &AtomicBool::new(false)).expect("a small run is trained");
        }
        let router = web::fuzzing::all_routes(runs.clone(), folder.path().join("tables"), None);
        let guarded = web::fuzzing::all_routes(runs, folder.path().join("tables"), Some(TOKEN));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(8)
            .enable_all()
            .build()
            .expect("there is room for threads");
        Server { router, guarded, runtime, _folder: folder }
    })
}

/// Reads a request: method and address on the first line, then headers, an empty line and the body.
fn read(bytes: &[u8]) -> Option<Request<Vec<u8>>> {
    let head_end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len());
    let body = bytes.get(head_end + 2..).unwrap_or_default();
    let mut lines = bytes[..head_end].split(|byte| *byte == b'\n');
    let first = std::str::from_utf8(lines.next()?).ok()?;
    let (method, address) = first.split_once(' ')?;
    let uri: Uri = address.trim().parse().ok()?;
    let mut request = Request::new(body.to_vec());
    *request.method_mut() = Method::from_bytes(method.as_bytes()).ok()?;
    *request.uri_mut() = uri;
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
        request.headers_mut().append(name, value);
    }
    // Add the headers that every request of the pages has.
    for (name, value) in [(HOST, web::fuzzing::HOST), (CONTENT_TYPE, "application/json")] {
        request.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    Some(request)
}

/// Changes a request that would start a training, so that it is read completely and then refused. Returns `None` for
/// requests that would change or remove the runs.
fn tamed(mut request: Request<Vec<u8>>) -> Option<Request<Vec<u8>>> {
    let path = request.uri().path().trim_end_matches('/').to_string();
    let of_run = path.strip_prefix("/api/runs").unwrap_or_default();
    match *request.method() {
        // A run of this name exists, so the training is refused.
        Method::POST if path == "/api/runs" => {
            if let Ok(serde_json::Value::Object(mut asked)) = serde_json::from_slice(request.body()) {
                asked.insert("name".to_string(), "a".into());
                *request.body_mut() = serde_json::to_vec(&asked).expect("JSON can be written");
            }
        }
        // Requests that change the existing runs, also if their names are percent-encoded.
        Method::POST | Method::DELETE
            if of_run.contains('%') || ["/a", "/b"].iter().any(|run| of_run.starts_with(run)) =>
        {
            return None;
        }
        _ => {}
    }
    Some(request)
}

/// The status and the body of an answer.
type Answer = (StatusCode, Vec<u8>);

async fn ask(router: &Router, request: Request<Vec<u8>>) -> Answer {
    let response = router.clone().oneshot(request.map(Body::from)).await.unwrap_or_else(|never| match never {});
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec()).unwrap_or_default();
    let is_packed = response.headers().contains_key(CONTENT_ENCODING);
    let body = match kind == b"text/event-stream" || is_packed {
        true => Vec::new(),
        false => to_bytes(response.into_body(), MOST_READ).await.map(Vec::from).unwrap_or_default(),
    };
    (status, body)
}

/// A request without a body.
fn plain(method: Method, path: &str) -> Request<Vec<u8>> {
    let host = HeaderValue::from_static(web::fuzzing::HOST);
    let built = Request::builder().method(method).uri(path).header(HOST, host);
    built.body(Vec::new()).expect("this is a request")
}

/// Cancels and removes a match that has just begun.
async fn end_match(router: &Router, body: &[u8]) {
    let id = serde_json::from_slice::<serde_json::Value>(body).ok().map(|answer| answer["id"].to_string());
    let path = format!("/api/matches/{}", id.unwrap_or_default().trim_matches('"'));
    for _ in 0..200 {
        let (status, _) = ask(router, plain(Method::DELETE, &path)).await;
        if status == StatusCode::NOT_FOUND {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{path} does not end");
}

pub fn check(bytes: &[u8]) {
    let Some(request) = read(bytes).and_then(tamed) else { return };
    let server = server();
    // The address `/api/` itself is not a part of the API.
    let of_api = request.uri().path().strip_prefix("/api/").is_some_and(|rest| !rest.is_empty());
    let begins_match = request.method() == Method::POST && request.uri().path() == "/api/matches";
    let answered = server.runtime.block_on(async {
        let answered = tokio::time::timeout(PATIENCE, ask(&server.router, request)).await;
        match &answered {
            Ok((StatusCode::CREATED, body)) if begins_match => end_match(&server.router, body).await,
            Ok(_) => {}
            // A long search must not block simple requests.
            Err(_) => {
                let about = ask(&server.router, plain(Method::GET, "/api/about"));
                let (status, _) =
                    tokio::time::timeout(MOST_BUSY, about).await.expect("a simple request is answered in time");
                assert_eq!(status, StatusCode::OK);
            }
        }
        answered
    });
    let Ok((status, body)) = answered else { return };
    check_answer(of_api, status, &body);
}

fn check_answer(of_api: bool, status: StatusCode, body: &[u8]) {
    assert!(!status.is_server_error(), "{status}: {}", String::from_utf8_lossy(body));
    // Every refusal has a sentence; only answers to HEAD have no body.
    if of_api && status.is_client_error() && !body.is_empty() {
        let answer: serde_json::Value = serde_json::from_slice(body).expect("a refusal is JSON");
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{status}: {answer}");
    }
}

/// Checks that no request is allowed without the token in a cookie or in the address.
pub fn gate(bytes: &[u8]) {
    // Only GET: `check` tests what lies behind the gate.
    let Some(mut request) = read(bytes) else { return };
    *request.method_mut() = Method::GET;
    request.body_mut().clear();
    let of_api = request.uri().path().strip_prefix("/api/").is_some_and(|rest| !rest.is_empty());
    let query = request.uri().query().unwrap_or_default();
    let cookies: Vec<&[u8]> = request.headers().get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect();
    let cookie = format!("gamete_token={TOKEN}");
    let knows = query.contains(&format!("token={TOKEN}"))
        || cookies.iter().any(|cookies| cookies.windows(cookie.len()).any(|part| part == cookie.as_bytes()));
    let server = server();
    let answered = server
        .runtime
        .block_on(async { tokio::time::timeout(PATIENCE, ask(&server.guarded, request)).await.map_err(|_| knows) });
    match answered {
        Ok((status, body)) => {
            let is_refused = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
            assert!(knows || is_refused, "{status} without the token");
            check_answer(of_api, status, &body);
        }
        Err(knows) => assert!(knows, "a request without the token started a search"),
    }
}
