//! Serves the files of the web pages, which are embedded in the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// The files that `npm run build` makes from `ui/`.
#[derive(RustEmbed)]
#[folder = "dist/"]
struct Dist;

// An empty folder would be embedded without an error; this line then fails to compile.
const _: &[u8] = include_bytes!("../dist/index.html");

/// Answers with a file. All addresses of pages get `index.html`, whose script shows the right page.
pub async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let (name, status) = match path {
        // Files in `assets/` are named after a hash of their content.
        _ if path.starts_with("assets/") || path == "icon.svg" => (path, StatusCode::OK),
        "" | "runs" | "new" | "play" | "games" | "exam" | "compare" | "tour" | "glossary" => {
            ("index.html", StatusCode::OK)
        }
        _ if path.strip_prefix("runs/").is_some_and(|name| !name.is_empty() && !name.contains('/')) => {
            ("index.html", StatusCode::OK)
        }
        _ => ("index.html", StatusCode::NOT_FOUND),
    };
    let Some(file) = Dist::get(name) else {
        return (StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    (status, [(CONTENT_TYPE, kind), (CACHE_CONTROL, cache)], file.data).into_response()
}
