//! The pages themselves, which are inside the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// What `npm run build` made of `ui/`.
#[derive(RustEmbed)]
#[folder = "dist/"]
struct Dist;

// A missing folder would be embedded as nothing, without a word; this does not compile then.
const _: &[u8] = include_bytes!("../dist/index.html");

/// A file of the pages; every other address is a page, and the page itself knows which.
pub async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let (name, status) = match path {
        // What is named after its content never changes.
        _ if path.starts_with("assets/") || path == "icon.svg" => (path, StatusCode::OK),
        "" | "new" | "play" | "games" | "exam" | "compare" | "tour" => ("index.html", StatusCode::OK),
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
