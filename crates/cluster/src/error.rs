//! What can go wrong between machines: one sentence each.

/// Why work could not be shared.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address of the server is not valid.
    #[error("`{address}` is not the address of a NATS server: {what}; an example is nats://127.0.0.1:4222")]
    Address {
        /// The address as it was given, without a password.
        address: String,
        /// What is wrong with it.
        what: String,
    },
    /// The credentials could not be read.
    #[error("the credentials cannot be used: {0}")]
    Credentials(String),
    /// Nothing answers at the address.
    #[error("cannot reach a NATS server at {address}: {what}")]
    Unreachable {
        /// The address.
        address: String,
        /// What happened.
        what: String,
    },
    /// The server refuses the credentials, or asks for some.
    #[error(
        "the NATS server at {address} refuses this user; give a file of credentials, or the environment variables GAMETE_NATS_USER and GAMETE_NATS_PASSWORD, or GAMETE_NATS_TOKEN"
    )]
    Denied {
        /// The address.
        address: String,
    },
    /// The server has no JetStream.
    #[error("the NATS server at {address} has no JetStream; start it as `nats-server -js`")]
    NoJetStream {
        /// The address.
        address: String,
    },
    /// A stream or bucket has another form than that of this program.
    #[error("the stream {stream} on the server belongs to another program: it has the subjects {found}")]
    ForeignStream {
        /// The stream's name.
        stream: String,
        /// Its subjects.
        found: String,
    },
    /// The server refuses a request.
    #[error("the NATS server refuses {what}: {why}")]
    Server {
        /// What was asked for.
        what: String,
        /// The answer.
        why: String,
    },
    /// The other side is a program that computes differently.
    #[error("{0}")]
    OtherProgram(String),
    /// Another coordinator runs the same work.
    #[error("{what} is being run by another coordinator on this server; wait for it, or stop it first")]
    Busy {
        /// The training or lab.
        what: String,
    },
    /// Two workers computed different results for the same task.
    #[error(
        "the workers {one} and {other} computed different results for the task {task}: one of the two machines computes wrongly, so the work was stopped"
    )]
    Different {
        /// The task.
        task: String,
        /// The worker whose result came first.
        one: String,
        /// The worker whose result came later.
        other: String,
    },
    /// A task failed.
    #[error("the task {task} failed: {why}")]
    Task {
        /// The task.
        task: String,
        /// Why it failed.
        why: String,
    },
    /// The user stopped the work while no worker was there to finish it.
    #[error("stopped while the work waited for workers")]
    Stopped,
    /// This machine has a problem.
    #[error("{0}")]
    Here(String),
}

impl Error {
    pub(crate) fn server(what: &str, why: impl std::fmt::Display) -> Error {
        Error::Server { what: what.to_string(), why: why.to_string() }
    }
}

impl From<Error> for lab::Error {
    fn from(error: Error) -> lab::Error {
        lab::Error::refused(error.to_string())
    }
}
