//! Protects the server: only pages of this server may send requests, from a browser on this machine or with the token.

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

/// What pages may do: load files of this server, and send requests to it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The smallest number of characters of a token.
pub const LEAST_TOKEN: usize = 16;
/// The name of the cookie that holds the token.
const COOKIE: &str = "gamete_token";

/// Decides which requests are allowed.
#[derive(Clone)]
pub struct Gate {
    port: u16,
    /// The token that requests must bring; `None` if no token is needed.
    token: Option<Arc<str>>,
    /// Whether the server listens for other machines, which may call this machine by any name.
    any_name: bool,
}

impl Gate {
    /// The gate of a server that listens on this address. Other machines are let in only with a token.
    pub fn new(address: SocketAddr, token: Option<String>) -> Gate {
        let ours = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        let any_name = token.is_some() && !ours.contains(&address.ip());
        Gate { port: address.port(), token: token.map(Into::into), any_name }
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether the request has the token in its cookie, or no token is needed.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(token) = self.token() else { return true };
        let cookies = headers.get_all(COOKIE_HEADER).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == COOKIE && same(value, token))
    }

    /// If the address contains the token: sets it as a cookie, and redirects to the address without it.
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

/// Compares two texts in constant time, so that the time does not reveal how many characters are right.
fn same(one: &str, two: &str) -> bool {
    one.len() == two.len() && one.bytes().zip(two.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Refuses requests from other sites or without the token, and adds security headers to every answer.
pub async fn guard(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let mut response = match check(&gate, request.headers(), request.uri().path()) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => match gate.welcome(&request) {
            Some(welcome) => welcome,
            None if gate.knows(request.headers()) => next.run(request).await,
            None => {
                let what = "this Gamete asks for a token, so a token is needed: open the address that `gamete serve` \
                            printed, which ends with ?token= and the token";
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

/// Refuses requests from pages of other sites. Such a page sends its own name as the host (DNS rebinding) or as the
/// origin.
fn check(gate: &Gate, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
    let forbidden = |what: String| Err(Refusal::new(StatusCode::FORBIDDEN, what));
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let port = gate.port;
    if [HOST, ORIGIN].iter().any(|name| headers.get_all(name).iter().count() > 1) {
        return forbidden("the request has several hosts or origins, but only one of each is allowed".to_string());
    }
    let host = headers.get(HOST).map(text).unwrap_or_default();
    // Browsers leave out port 80.
    let name = host.strip_suffix(&format!(":{port}")).or((port == 80).then_some(host.as_str()));
    // For other machines this machine may have any name. The token protects it there: its cookie is bound to the name.
    let known = name.is_some_and(|name| gate.any_name || ["127.0.0.1", "localhost", "[::1]"].contains(&name));
    if !known {
        return forbidden(format!("the host `{host}` is not this server; open http://127.0.0.1:{port}"));
    }
    if let Some(origin) = headers.get(ORIGIN).map(text)
        && origin != format!("http://{host}")
    {
        return forbidden(format!("pages of `{origin}` may not ask; only those of http://{host} may"));
    }
    // Browsers say from which site a request comes. Links on other sites may open pages, but not call the API.
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

    /// Other host names are allowed only if the server has a token and listens for other machines.
    #[test]
    fn any_host_name_is_allowed_only_for_other_machines() {
        let headers: HeaderMap = [(HOST, HeaderValue::from_static("laptop.local:4263"))].into_iter().collect();
        assert!(check(&gate(Some("secret")), &headers, "/").is_err());
        let open = Gate::new(([0, 0, 0, 0], 4263).into(), Some("secret".to_string()));
        assert!(check(&open, &headers, "/").is_ok());
    }
}
