//! Keeps strangers out: only pages of this server, in a browser on this machine or one that knows the token, may ask anything.

use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, COOKIE as COOKIE_HEADER, HOST, HeaderName, HeaderValue, LOCATION, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// Everything a page may do: load our own files, and talk to us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Tokens must be at least so long.
pub const LEAST_TOKEN: usize = 16;
/// What the browser keeps the token in.
const COOKIE: &str = "gamete_token";

/// Who may come in.
#[derive(Clone)]
pub struct Gate {
    port: u16,
    /// What whoever comes must know, where that is asked for.
    token: Option<Arc<str>>,
    /// Whether other machines can come; they may know this one by any name.
    any_name: bool,
}

impl Gate {
    /// For a server that listens there; other machines come in by a token alone.
    pub fn new(address: SocketAddr, token: Option<String>) -> Gate {
        let ours = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        let any_name = token.is_some() && !ours.contains(&address.ip());
        Gate { port: address.port(), token: token.map(Into::into), any_name }
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether a request knows the token, by its cookie.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(token) = self.token() else { return true };
        let cookies = headers.get_all(COOKIE_HEADER).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == COOKIE && same(value, token))
    }

    /// A visitor who brings the token in the address gets it as a cookie, and an address without it.
    fn welcome(&self, request: &Request) -> Option<Response> {
        let token = self.token()?;
        let query = request.uri().query()?;
        let brought = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        if !same(brought, token) {
            return None;
        }
        let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
        let path = request.uri().path().to_string();
        Some((StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, path)]).into_response())
    }
}

/// Whether two texts are the same, in a time that does not tell how far they are.
fn same(one: &str, two: &str) -> bool {
    one.len() == two.len() && one.bytes().zip(two.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Says what is right in every answer, and refuses who asks from elsewhere.
pub async fn guard(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let mut response = match check(&gate, request.headers(), request.uri().path()) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match gate.welcome(&request) {
            Some(welcome) => welcome,
            None if gate.knows(request.headers()) => next.run(request).await,
            None => {
                let what = "this Gamete asks for a token, so that a token is needed: open the address that `gamete serve` \
                            printed, with ?token= behind it";
                Refusal::new(StatusCode::UNAUTHORIZED, what).into_response()
            }
        },
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
fn check(gate: &Gate, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
    let forbidden = |what: String| Err(Refusal::new(StatusCode::FORBIDDEN, what));
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let port = gate.port;
    if [HOST, ORIGIN].iter().any(|name| headers.get_all(name).iter().count() > 1) {
        return forbidden("a request has one host and one origin".to_string());
    }
    let host = headers.get(HOST).map(text).unwrap_or_default();
    // Browsers leave the usual port out.
    let name = host.strip_suffix(&format!(":{port}")).or((port == 80).then_some(host.as_str()));
    // Behind a door this machine may have any name: there the token, which is bound to the name, keeps strangers out.
    let known = name.is_some_and(|name| gate.any_name || ["127.0.0.1", "localhost", "[::1]"].contains(&name));
    if !known {
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

    fn gate(token: Option<&str>) -> Gate {
        Gate::new(([127, 0, 0, 1], 4263).into(), token.map(str::to_string))
    }

    #[track_caller]
    fn asks(path: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
        check(&gate(None), &headers.collect(), path).is_ok()
    }

    #[test]
    fn only_our_own_pages_may_ask() {
        assert!(asks("/api/about", &[("host", "127.0.0.1:4263")]));
        assert!(asks("/api/about", &[("host", "localhost:4263"), ("origin", "http://localhost:4263")]));
        assert!(asks("/api/about", &[("host", "[::1]:4263"), ("sec-fetch-site", "same-origin")]));
        assert!(asks("/play", &[("host", "127.0.0.1:4263"), ("sec-fetch-site", "cross-site")]));
        let mut headers = HeaderMap::new();
        for _ in 0..2 {
            headers.append(HOST, HeaderValue::from_static("127.0.0.1:4263"));
        }
        assert!(check(&gate(None), &headers, "/").is_err());
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

    /// A token makes up for a name that only other machines need.
    #[test]
    fn names_are_free_behind_a_door_alone() {
        let headers: HeaderMap = [(HOST, HeaderValue::from_static("laptop.local:4263"))].into_iter().collect();
        assert!(check(&gate(Some("secret")), &headers, "/").is_err());
        let open = Gate::new(([0, 0, 0, 0], 4263).into(), Some("secret".to_string()));
        assert!(check(&open, &headers, "/").is_ok());
    }
}
