//! Tests of the whole router, called without a socket and without a process: what it answers and what it refuses.

mod exam;
mod games;
mod labs;
mod matches;
mod networks;
mod pages;
mod play;
mod runs;

use crate::guard::Gate;
use crate::jobs::Jobs;
use crate::{App, PORT, router};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, Response};
use futures_util::StreamExt;
use lab::{TrainOptions, Unwatched};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;
use trainer::Experiment;

/// The host header of the requests.
const HOST: &str = "127.0.0.1:4263";

/// A client of a server that has a folder of its own.
struct Page {
    folder: TempDir,
    app: App,
    router: Router,
    runtime: Runtime,
}

impl Page {
    fn new() -> Page {
        let folder = tempfile::tempdir().unwrap();
        let jobs = Jobs::new(folder.path().join("runs"), folder.path().join("tables"), lab::Machine::default());
        let app = App::new(jobs);
        let router = router(app.clone(), Gate::new((Ipv4Addr::LOCALHOST, PORT).into(), None));
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        Page { folder, app, router, runtime }
    }

    fn runs(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    /// Trains a shipped experiment with some parameters set, to a run of this name.
    fn train(&self, name: &str, shipped: &str, sets: &[&str]) {
        let mut experiment = Experiment::shipped(shipped).unwrap();
        experiment.set(sets).unwrap();
        let options = TrainOptions { runs: self.runs(), name: Some(name.to_string()), ..TrainOptions::default() };
        lab::train(experiment, &options, &mut Unwatched, &AtomicBool::new(false)).unwrap();
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&str>) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", HOST);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = request.body(Body::from(body.unwrap_or_default().to_string())).unwrap();
        self.runtime.block_on(self.router.clone().oneshot(request)).unwrap_or_else(|never| match never {})
    }

    /// The status, the headers and the text of an answer.
    fn whole(&self, response: Response<Body>) -> (u16, HeaderMap, String) {
        let (parts, body) = response.into_parts();
        let bytes = self.runtime.block_on(to_bytes(body, usize::MAX)).unwrap();
        (parts.status.as_u16(), parts.headers, String::from_utf8_lossy(&bytes).into_owned())
    }

    fn ask(&self, method: &str, path: &str, body: Option<&str>) -> (u16, Value) {
        let (status, _, text) = self.whole(self.send(method, path, &[], body));
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    #[track_caller]
    fn get<T: DeserializeOwned>(&self, path: &str) -> T {
        let (status, answer) = self.ask("GET", path, None);
        assert_eq!(status, 200, "{path}: {answer}");
        serde_json::from_value(answer).unwrap()
    }

    #[track_caller]
    fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> T {
        let (status, answer) = self.ask("POST", path, Some(&body.to_string()));
        assert!(status < 300, "{path}: {status} {answer}");
        serde_json::from_value(answer).unwrap()
    }

    /// Checks that the request is refused with this status, by a sentence that contains `why`.
    #[track_caller]
    fn refused(&self, method: &str, path: &str, body: Option<&str>, status: u16, why: &str) {
        let (found, answer) = self.ask(method, path, body);
        let said = answer["error"].as_str().unwrap_or_default();
        assert!(found == status && said.contains(why), "{method} {path} {body:?}: {found} {answer}");
    }

    /// Reads events until one satisfies `is_right`; returns its data.
    #[track_caller]
    fn hear<T: DeserializeOwned>(&self, path: &str, mut is_right: impl FnMut(&str, &Value) -> bool) -> T {
        let mut body = self.send("GET", path, &[], None).into_body().into_data_stream();
        let heard = async {
            let (mut text, mut name) = (String::new(), String::new());
            while let Some(part) = body.next().await {
                text += std::str::from_utf8(&part.unwrap()).unwrap();
                while let Some((line, rest)) = text.split_once('\n') {
                    if let Some(event) = line.strip_prefix("event: ") {
                        name = event.to_string();
                    } else if let Some(data) = line.strip_prefix("data: ") {
                        let data: Value = serde_json::from_str(data).unwrap();
                        if is_right(&name, &data) {
                            return Some(data);
                        }
                    }
                    text = rest.to_string();
                }
            }
            None
        };
        let heard = self.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), heard).await });
        serde_json::from_value(heard.expect("it is heard in time").unwrap_or_else(|| panic!("{path} ended"))).unwrap()
    }
}
