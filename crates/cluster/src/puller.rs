//! Takes tasks from a queue, one after the other. One subscription receives all of them, and the message that
//! acknowledges a task asks for the next one.

use crate::Error;
use crate::link::Link;
use crate::protocol::{Queue, TASKS};
use async_nats::jetstream::{AckKind, Context, Message};
use async_nats::{Client, StatusCode, Subscriber};
use futures_util::{FutureExt, StreamExt};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long a request waits at the server before it must be repeated.
const REQUEST: Duration = Duration::from_secs(4);
/// An answer to a request that comes later was lost, for example because the server was started again.
const LATE: Duration = Duration::from_secs(2);

/// A queue of tasks, as one worker sees it.
pub(crate) struct Puller {
    client: Client,
    jetstream: Context,
    inbox: String,
    /// Where requests go.
    requests: String,
    tasks: Subscriber,
    /// When the request was sent that has no answer yet; `None` if there is no such request.
    asked: Option<Instant>,
}

fn request() -> String {
    format!("{{\"batch\":1,\"expires\":{}}}", REQUEST.as_nanos())
}

impl Puller {
    /// Opens a queue for programs of this kind. An error if no coordinator has made it yet.
    pub async fn open(link: &Link, queue: Queue, kind: &str) -> Result<Puller, Error> {
        link.queue(queue, kind).await?;
        let (client, jetstream) = (link.client.clone(), link.jetstream.clone());
        let inbox = client.new_inbox();
        let tasks = client.subscribe(inbox.clone()).await.map_err(|error| Error::server("a subscription", error))?;
        let requests = format!("$JS.API.CONSUMER.MSG.NEXT.{TASKS}.{}", queue.consumer(kind));
        Ok(Puller { client, jetstream, inbox, requests, tasks, asked: None })
    }

    /// The next task; `None` if there is none for some seconds.
    pub async fn next(&mut self) -> Result<Option<Message>, Error> {
        let asked = match self.asked {
            Some(asked) => asked,
            None => {
                let sent = self.client.publish_with_reply(self.requests.clone(), self.inbox.clone(), request().into());
                sent.await.map_err(|error| Error::server("a request for a task", error))?;
                *self.asked.insert(Instant::now())
            }
        };
        let Ok(message) = timeout_at(asked + REQUEST + LATE, self.tasks.next()).await else {
            self.asked = None;
            return Ok(None);
        };
        self.asked = None;
        let lost = || Error::Server { what: "a request for a task".to_string(), why: "the queue is lost".to_string() };
        let message = message.ok_or_else(lost)?;
        match message.status {
            None | Some(StatusCode::OK) => Ok(Some(Message { message, context: self.jetstream.clone() })),
            // The request has waited for too long, or there is no task.
            Some(StatusCode::TIMEOUT | StatusCode::NOT_FOUND) => Ok(None),
            Some(_) => Err(lost()),
        }
    }

    /// Whether a request has no answer yet.
    pub fn has_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Acknowledges a task, and asks for another one. A message that is lost only brings the task again.
    pub async fn acknowledge(&mut self, message: &Message) {
        if let Some(reply) = message.reply.clone() {
            let words = format!("+NXT {}", request());
            let sent = self.client.publish_with_reply(reply, self.inbox.clone(), words.into()).await;
            self.asked = sent.ok().map(|()| Instant::now());
        }
    }

    /// Stops taking tasks. One that has just come is handed back.
    pub async fn close(mut self) {
        let _ = self.tasks.unsubscribe().await;
        while let Some(Some(message)) = self.tasks.next().now_or_never() {
            if message.status.is_none() {
                let message = Message { message, context: self.jetstream.clone() };
                let _ = message.ack_with(AckKind::Nak(None)).await;
            }
        }
    }
}
