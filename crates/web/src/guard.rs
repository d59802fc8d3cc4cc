//! Keeps strangers out: only pages of this server, in a browser on this machine, may ask anything.

use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Everything a page may do: load our own files, and talk to us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Says what is right in every answer, and refuses who asks from elsewhere.
pub async fn guard(State(port): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match check(port, request.headers(), request.uri().path()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A page elsewhere that has its own name point to this machine sends that name as the host; one that merely asks us sends
/// its origin. Neither may.
fn check(port: u16, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
    let forbidden = |what: String| Err(Refusal::new(StatusCode::FORBIDDEN, what));
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
    let host = headers.get(HOST).map(text).unwrap_or_default();
    if !hosts.contains(&host) {
        return forbidden(format!("the host `{host}` is not this server's; right would be 127.0.0.1:{port}"));
    }
    if let Some(origin) = headers.get(ORIGIN).map(text)
        && origin != format!("http://{host}")
    {
        return forbidden(format!("pages of `{origin}` may not ask; only those of http://{host} may"));
    }
    // Browsers say where a request comes from; links from elsewhere may lead to pages, and to nothing else.
    let site = headers.get("sec-fetch-site").map(text);
    if path.starts_with("/api/") && site.as_deref().is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return forbidden("only pages of this server may ask".to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn asks(path: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        check(4263, &headers.collect(), path).is_ok()
    }

    #[test]
    fn only_our_own_pages_may_ask() {
        assert!(asks("/api/about", &[("host", "127.0.0.1:4263")]));
        assert!(asks("/api/about", &[("host", "localhost:4263"), ("origin", "http://localhost:4263")]));
        assert!(asks("/api/about", &[("host", "[::1]:4263"), ("sec-fetch-site", "same-origin")]));
        assert!(asks("/play", &[("host", "127.0.0.1:4263"), ("sec-fetch-site", "cross-site")]));
        for headers in [
            &[][..],
            &[("host", "evil.example:4263")],
            &[("host", "127.0.0.1")],
            &[("host", "127.0.0.1:80")],
            &[("host", "127.0.0.1:4263"), ("origin", "http://evil.example")],
            &[("host", "127.0.0.1:4263"), ("origin", "http://localhost:4263")],
            &[("host", "127.0.0.1:4263"), ("origin", "https://127.0.0.1:4263")],
            &[("host", "127.0.0.1:4263"), ("origin", "null")],
            &[("host", "127.0.0.1:4263"), ("sec-fetch-site", "cross-site")],
            &[("host", "127.0.0.1:4263"), ("sec-fetch-site", "same-site")],
        ] {
            assert!(!asks("/api/about", headers), "{headers:?}");
        }
    }
}
