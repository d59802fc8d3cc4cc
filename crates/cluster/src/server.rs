//! The address of a NATS server, and the credentials for it.

use crate::Error;
use async_nats::{ConnectErrorKind, ConnectOptions, ServerAddr};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A NATS server, and how to log in there. Passwords and tokens are never part of its text.
#[derive(Clone)]
pub struct Server {
    address: String,
    login: Login,
}

#[derive(Clone)]
enum Login {
    None,
    File(PathBuf),
    User(String, String),
    Token(String),
}

/// The environment variables that hold credentials.
const USER: &str = "GAMETE_NATS_USER";
const PASSWORD: &str = "GAMETE_NATS_PASSWORD";
const TOKEN: &str = "GAMETE_NATS_TOKEN";

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

impl Server {
    /// The server at an address such as `nats://127.0.0.1:4222`. Credentials are those of the file, if there is one, or
    /// those in the environment variables `GAMETE_NATS_USER` and `GAMETE_NATS_PASSWORD`, or `GAMETE_NATS_TOKEN`.
    pub fn from_environment(address: &str, credentials: Option<&Path>) -> Result<Server, Error> {
        // A password in the address would be shown in lists of processes, and in messages.
        let shown = match address.rsplit_once('@') {
            Some((_, host)) => host.to_string(),
            None => address.to_string(),
        };
        let refuse = |what: &str| Error::Address { address: shown.clone(), what: what.to_string() };
        if address.contains('@') {
            return Err(refuse("names and passwords do not belong in the address, but in the environment"));
        }
        let has_scheme = ["nats://", "tls://"].iter().any(|scheme| address.starts_with(scheme));
        let parsed = address.parse::<ServerAddr>();
        if !has_scheme || parsed.is_err() || parsed.is_ok_and(|parsed| parsed.host().is_empty()) {
            return Err(refuse("it must be nats://HOST:PORT or tls://HOST:PORT"));
        }
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let login = match (credentials, variable(USER), variable(PASSWORD), variable(TOKEN)) {
            (Some(file), ..) => Login::File(file.to_path_buf()),
            (None, Some(user), Some(password), _) => Login::User(user, password),
            (None, Some(_), None, _) => {
                return Err(Error::Credentials(format!("{USER} is set, but {PASSWORD} is not")));
            }
            (None, None, _, Some(token)) => Login::Token(token),
            _ => Login::None,
        };
        Ok(Server { address: address.to_string(), login })
    }

    /// The address, without credentials.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Connects. The connection is restored by itself whenever it is lost.
    pub(crate) async fn connect(&self, name: &str) -> Result<async_nats::Client, Error> {
        let options = ConnectOptions::new().name(name).connection_timeout(CONNECT);
        let options = match &self.login {
            Login::None => options,
            Login::User(user, password) => options.user_and_password(user.clone(), password.clone()),
            Login::Token(token) => options.token(token.clone()),
            Login::File(file) => {
                let text = runs::read_text(file).map_err(|error| Error::Credentials(error.to_string()))?;
                let broken = |_| Error::Credentials(format!("{} is not a file of NATS credentials", file.display()));
                options.credentials(&text).map_err(broken)?
            }
        };
        options.connect(&self.address).await.map_err(|error| {
            let address = self.address.clone();
            match error.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    Error::Denied { address }
                }
                ConnectErrorKind::ServerParse => Error::Address { address, what: error.to_string() },
                ConnectErrorKind::TimedOut => {
                    Error::Unreachable { address, what: format!("no answer in {} seconds", CONNECT.as_secs()) }
                }
                _ => Error::Unreachable { address, what: innermost(&error) },
            }
        })
    }
}

/// The sentence of the first cause of an error.
fn innermost(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => innermost(source),
        None => error.to_string(),
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_addresses_are_refused() {
        let check = |address: &str, sentence: &str| {
            let error = Server::from_environment(address, None).unwrap_err().to_string();
            assert!(error.contains(sentence) && !error.contains("secret"), "{address}: {error}");
        };
        check("127.0.0.1:4222", "it must be nats://HOST:PORT");
        check("http://127.0.0.1", "it must be nats://HOST:PORT");
        check("nats://", "it must be nats://HOST:PORT");
        check("nats://me:secret@127.0.0.1", "do not belong in the address");
        assert!(Server::from_environment("nats://localhost:4222", None).is_ok());
    }
}
