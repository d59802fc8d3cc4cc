//! Tests of the pages' files, of the choices that they load first, and of the protection against other sites.

use super::Page;
use crate::guard::Gate;
use axum::http::HeaderMap;
use serde_json::{Value, json};

#[test]
fn pages_are_inside_the_program_and_guarded() {
    let page = Page::new();
    let get = |path: &str, headers: &[(&str, &str)]| page.whole(page.send("GET", path, headers, None));
    for path in ["/", "/runs", "/play", "/new", "/games", "/exam", "/runs/anything"] {
        let (status, headers, answer) = get(path, &[]);
        assert!(status == 200 && answer.contains("<title>Gamete</title>"), "{path}: {status} {answer}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert!(!answer.contains("http-equiv"), "{answer}");
    }
    let (_, _, index) = get("/", &[]);
    let script = index.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
    let (status, headers, _) = get(script, &[("accept-encoding", "gzip")]);
    let immutable = |headers: &HeaderMap| headers["cache-control"].to_str().unwrap().contains("immutable");
    assert!(status == 200 && headers["content-encoding"] == "gzip" && immutable(&headers), "{headers:?}");
    assert_eq!(get("/nowhere", &[]).0, 404);
    assert_eq!(get("/assets/../../Cargo.toml", &[]).0, 404);
    assert_eq!(get("/assets/none.js", &[]).0, 404);
    // Requests from other sites.
    for (path, header, why) in [
        ("/", ("host", "evil.example"), "the host `evil.example` is not this server"),
        ("/api/about", ("origin", "http://evil.example"), "pages of `http://evil.example` may not ask"),
        ("/api/about", ("sec-fetch-site", "cross-site"), "only pages of this server may ask"),
    ] {
        let (status, _, answer) = get(path, &[header]);
        assert!(status == 403 && answer.contains(why), "{status} {answer}");
    }
}

#[test]
fn a_token_is_asked_for_and_kept_as_a_cookie() {
    let page = Page::new();
    let gate = Gate::new(([127, 0, 0, 1], 4263).into(), Some("0123456789abcdef".to_string()));
    let page = Page { router: crate::router(page.app.clone(), gate), ..page };
    let get = |path: &str, headers: &[(&str, &str)]| page.whole(page.send("GET", path, headers, None));
    let (status, _, answer) = get("/api/matches", &[]);
    assert!(status == 401 && answer.contains("asks for a token"), "{answer}");
    assert_eq!(get("/?token=0123456789abcdee", &[]).0, 401);
    let (status, headers, _) = get("/play?token=0123456789abcdef", &[]);
    assert_eq!((status, headers["location"].to_str().unwrap()), (303, "/play"));
    let cookie = headers["set-cookie"].to_str().unwrap().split(';').next().unwrap();
    assert_eq!(get("/api/matches", &[("cookie", cookie)]).0, 200);
}

#[test]
fn all_choices_are_listed() {
    let page = Page::new();
    let about: Value = page.get("/api/about");
    let names = |what: &str| -> Vec<String> {
        about[what].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names("games"), games::names());
    assert_eq!(about["champions"].as_array().unwrap().len(), players::shipped_champions().len());
    assert_eq!(about["champions"][0]["player"], "champion:nim");
    assert!(about["champions"][0]["text"].is_null());
    assert!(names("experiments").len() > 50 && names("strategies").contains(&"neat".to_string()));
    assert_eq!(about["runs_folder"], page.runs().display().to_string());
    // An experiment, checked, changed in one place, and refused.
    let nim: Value = page.get("/api/experiments/nim-2x4");
    assert_eq!((&nim["name"], &about["games"][0]["setup"].is_object()), (&json!("nim-2x4"), &true));
    let parameter = |of: &Value, key: &str| {
        of["parameters"].as_array().unwrap().iter().find(|found| found["key"] == key).cloned().unwrap()
    };
    let population = parameter(&nim, "strategy.enn.population");
    assert_eq!((&population["kind"], &population["choices"]), (&json!("whole"), &json!([])));
    assert!(population["min"].is_number() && population["value"].is_u64(), "{population}");
    assert_eq!(page.post::<Value>("/api/experiments/check", &json!({ "name": "nim-2x4", "toml": nim["toml"] })), nim);
    let change = |value: Value| {
        json!({ "name": "x", "toml": nim["toml"], "key": "strategy.enn.population", "value": value }).to_string()
    };
    let (status, changed) = page.ask("POST", "/api/experiments/set", Some(&change(json!(78))));
    assert_eq!((status, &parameter(&changed, "strategy.enn.population")["value"]), (200, &json!(78)));
    page.refused("POST", "/api/experiments/set", Some(&change(json!("many"))), 400, "population");
}
