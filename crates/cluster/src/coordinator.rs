//! A coordinator: it asks for tasks, and puts their results together. It computes nothing itself.

use crate::crew::Crew;
use crate::link::{Link, runtime};
use crate::program::Program;
use crate::protocol::{Answer, HELLO, HERE, Hello};
use crate::{Error, Server, WorkerState};
use futures_util::StreamExt;
use std::fmt;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// How work is shared.
pub struct CoordinatorOptions {
    /// The share of tasks that a second worker repeats, from 0 to 1. Both results must be equal.
    pub verify: f64,
    /// Whether messages and objects of finished work stay on the server.
    pub keep: bool,
    /// Receives sentences for the user.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
    /// Whether the user has asked to stop.
    pub stopped: Box<dyn Fn() -> bool + Send + Sync>,
}

/// A connection to a server on which workers wait for tasks. Copies are the same coordinator.
#[derive(Clone)]
pub struct Coordinator(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub link: Link,
    /// The kind of programs whose results are taken.
    pub kind: String,
    pub crew: Crew,
    pub options: CoordinatorOptions,
    // The last field: everything above is used by its threads.
    pub runtime: Runtime,
}

impl Coordinator {
    /// Connects to a server, prepares its streams, and answers workers from now on.
    pub fn connect(server: &Server, options: CoordinatorOptions) -> Result<Coordinator, Error> {
        let (runtime, program) = (runtime()?, Program::this());
        let (kind, crew) = (program.kind(), Crew::default());
        let link = runtime.block_on(async {
            let tell = Arc::clone(&options.tell);
            let link = Link::connect(server, "gamete coordinator").await?.telling(move |sentence| tell(sentence));
            link.prepare(&kind).await?;
            Ok::<Link, Error>(link)
        })?;
        runtime.spawn(crew.clone().listen(link.clone()));
        let inner = Arc::new(Inner { link, kind, crew, options, runtime });
        let answering = Arc::downgrade(&inner);
        let link = inner.link.clone();
        inner.runtime.spawn(async move {
            let Ok(mut hellos) = link.client.subscribe(HELLO).await else { return };
            // Workers that were there before ask again now.
            let _ = link.client.publish(HERE, Vec::new().into()).await;
            while let Some(message) = hellos.next().await {
                let (Some(reply), Ok(hello)) = (message.reply, serde_json::from_slice::<Hello>(&message.payload))
                else {
                    continue;
                };
                let refused = program.why_not(&hello.program, &hello.name);
                if let (Some(sentence), Some(inner)) = (&refused, answering.upgrade()) {
                    (inner.options.tell)(sentence);
                }
                let answer = serde_json::to_vec(&Answer { refused }).expect("an answer can be written");
                let _ = link.client.publish(reply, answer.into()).await;
            }
        });
        Ok(Coordinator(inner))
    }

    /// The workers that are there, by name.
    pub fn workers(&self) -> Vec<WorkerState> {
        self.0.crew.all()
    }
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Coordinator")
    }
}
