//! The error answer of the server: a status and one sentence that says what was found and what is allowed.

use crate::connections::Patience;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a request is refused.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refusal {
    #[serde(skip)]
    status: StatusCode,
    /// One sentence that says what is wrong.
    #[serde(rename = "error")]
    what: String,
}

impl Refusal {
    pub fn new(status: StatusCode, what: impl Into<String>) -> Refusal {
        Refusal { status, what: what.into() }
    }

    /// The sentence that says what is wrong.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The request is invalid (status 400).
    pub fn bad(what: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, what)
    }

    /// A panic in Gamete (status 500).
    pub fn fault() -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "this request failed because of a bug in Gamete")
    }

    /// The request is valid, but not possible in the current state (status 409).
    pub fn conflict(what: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, what)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}

impl From<trainer::Error> for Refusal {
    fn from(error: trainer::Error) -> Refusal {
        lab::Error::from(error).into()
    }
}

impl From<lab::Error> for Refusal {
    fn from(error: lab::Error) -> Refusal {
        use lab::Error::{ALab, Busy, Database, DiskFull, Held, NoRoom, NoRuns, RunExists, Trainer};
        let status = match &error {
            ALab { .. } | NoRuns { .. } | Trainer(trainer::Error::Unknown { kind: "run" | "experiment", .. }) => {
                StatusCode::NOT_FOUND
            }
            Busy { .. } | Held { .. } | RunExists { .. } => StatusCode::CONFLICT,
            DiskFull { .. } | NoRoom { .. } => StatusCode::INSUFFICIENT_STORAGE,
            Database { .. } => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        Refusal::new(status, in_words(&error))
    }
}

/// The text of an error as pages show it. Names a command only where pages have no way to help.
pub fn in_words(error: &lab::Error) -> String {
    match error {
        lab::Error::Damaged { .. } => format!("{error}; `gamete check` says what of the run is intact"),
        _ => error.to_string(),
    }
}

/// Reads the variable parts of an address; invalid ones are refused with one sentence.
pub struct PathParts<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathParts<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParts<T>, Refusal> {
        let named = Path::<T>::from_request_parts(parts, state).await;
        named.map(|Path(named)| PathParts(named)).map_err(|rejection| {
            Refusal::bad(format!("the address `{}` is not valid: {}", parts.uri.path(), rejection.body_text()))
        })
    }
}

/// Reads the query of an address, after the question mark; an invalid one is refused with one sentence.
pub struct QueryParts<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParts<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryParts<T>, Refusal> {
        let queried = Query::<T>::from_request_parts(parts, state).await;
        queried.map(|Query(queried)| QueryParts(queried)).map_err(|rejection| {
            Refusal::bad(format!("the query after the question mark is not valid: {}", rejection.body_text()))
        })
    }
}

/// Reads a body in JSON; anything else is refused with one sentence.
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, Refusal> {
        let patience = request.extensions().get().copied().unwrap_or(Patience::USUAL).body;
        let Ok(read) = tokio::time::timeout(patience, Json::<T>::from_request(request, state)).await else {
            let what = format!("the body did not arrive within {} seconds", patience.as_secs_f64());
            return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, what));
        };
        match read {
            Ok(Json(asked)) => Ok(JsonBody(asked)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be JSON, with the header content-type: application/json",
            )),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(Refusal::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the body is too long; at most {} bytes are read", crate::MOST_BODY),
            )),
            Err(rejection) => Err(Refusal::bad(format!("the body is not valid: {}", rejection.body_text()))),
        }
    }
}
