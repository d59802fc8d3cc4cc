//! A connection to a NATS server with the streams and the bucket of Gamete.

use crate::protocol::{
    ACK_WAIT, BUCKET, MOST_AGE, MOST_OBJECT, MOST_OBJECTS, MOST_RESULTS, MOST_TASKS, ObjectName, Queue, RESULTS, TASKS,
};
use crate::{Error, Server};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::{self, GetErrorKind, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, RequestErrorKind};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use xxhash_rust::xxh3::xxh3_64;

/// A connection with JetStream.
#[derive(Clone)]
pub(crate) struct Link {
    pub client: Client,
    pub jetstream: Context,
    /// Tells the user that requests fail and are repeated.
    tell: Arc<dyn Fn(&str) + Send + Sync>,
}

/// How long a request is repeated while the server does not answer, for example because it is being restarted.
const PATIENCE: Duration = Duration::from_secs(120);
/// A request that fails for this time is worth a message to the user.
const WORTH_TELLING: Duration = Duration::from_secs(4);
/// How many servers of a cluster keep each stream.
const REPLICAS: usize = 3;
/// How long reading an object may take.
const READING: Duration = Duration::from_secs(60);
/// The pause before a request is repeated.
const PAUSE: Duration = Duration::from_millis(300);

impl Link {
    /// Connects, and checks that the server has JetStream.
    pub async fn connect(server: &Server, name: &str) -> Result<Link, Error> {
        let client = server.connect(name).await?;
        let jetstream = jetstream::new(client.clone());
        // The library cannot read what servers before version 2.10 say about an account, so the answer is read here.
        let no_jetstream = || Error::NoJetStream { address: server.address().to_string() };
        match client.request("$JS.API.INFO", Vec::new().into()).await {
            Ok(answer) => match serde_json::from_slice::<serde_json::Value>(&answer.payload) {
                Ok(answer) if answer.get("error").is_none() => Ok(Link { client, jetstream, tell: Arc::new(|_| ()) }),
                _ => Err(no_jetstream()),
            },
            Err(error) if error.kind() == RequestErrorKind::NoResponders => Err(no_jetstream()),
            Err(error) => Err(Error::server("the state of JetStream", error)),
        }
    }

    /// The connection, with a function that tells the user about requests that are repeated.
    pub fn telling(self, tell: impl Fn(&str) + Send + Sync + 'static) -> Link {
        Link { tell: Arc::new(tell), ..self }
    }

    /// Makes the streams, the consumers for programs of this kind, and the bucket, if they are not there yet.
    pub async fn prepare(&self, kind: &str) -> Result<(), Error> {
        // Servers that form a cluster keep everything three times, so that one of them may die. If there are fewer than
        // three, they refuse it.
        if self.client.server_info().cluster.is_some() && self.prepare_with(kind, REPLICAS).await.is_ok() {
            return Ok(());
        }
        self.prepare_with(kind, 1).await
    }

    async fn prepare_with(&self, kind: &str, num_replicas: usize) -> Result<(), Error> {
        let tasks = stream::Config {
            name: TASKS.to_string(),
            subjects: vec!["gamete.task.>".to_string()],
            max_bytes: MOST_TASKS,
            num_replicas,
            ..limits()
        };
        let results = stream::Config {
            name: RESULTS.to_string(),
            subjects: vec!["gamete.result.>".to_string()],
            max_bytes: MOST_RESULTS,
            num_replicas,
            ..limits()
        };
        for config in [tasks, results] {
            let (name, subjects) = (config.name.clone(), config.subjects.clone());
            let stream = self.jetstream.get_or_create_stream(config).await;
            let stream = stream.map_err(|error| Error::server(&format!("the stream {name}"), error))?;
            let found = &stream.cached_info().config.subjects;
            if *found != subjects {
                return Err(Error::ForeignStream { stream: name, found: found.join(", ") });
            }
        }
        for queue in [Queue::Games, Queue::Members] {
            let config = pull::Config {
                durable_name: Some(queue.consumer(kind)),
                filter_subject: queue.all(kind),
                ack_policy: AckPolicy::Explicit,
                ack_wait: ACK_WAIT,
                max_ack_pending: 20_000,
                max_waiting: 20_000,
                ..pull::Config::default()
            };
            let tasks = self.stream(TASKS).await?;
            let made = tasks.get_or_create_consumer(&queue.consumer(kind), config).await;
            made.map_err(|error| Error::server("the consumer of tasks", error))?;
        }
        if self.jetstream.get_object_store(BUCKET).await.is_err() {
            let config = object_store::Config {
                bucket: BUCKET.to_string(),
                max_bytes: MOST_OBJECTS,
                max_age: MOST_AGE,
                num_replicas,
                ..object_store::Config::default()
            };
            let made = self.jetstream.create_object_store(config).await;
            made.map_err(|error| Error::server("the bucket of objects", error))?;
        }
        Ok(())
    }

    pub async fn stream(&self, name: &str) -> Result<Stream, Error> {
        self.jetstream.get_stream(name).await.map_err(|error| Error::server(&format!("the stream {name}"), error))
    }

    pub async fn bucket(&self) -> Result<ObjectStore, Error> {
        let bucket = self.jetstream.get_object_store(BUCKET).await;
        bucket.map_err(|error| Error::server("the bucket of objects", error))
    }

    /// The queue of tasks for programs of this kind. An error if no coordinator has made it yet.
    pub async fn queue(&self, queue: Queue, kind: &str) -> Result<PullConsumer, Error> {
        let consumer = self.stream(TASKS).await?.get_consumer(&queue.consumer(kind)).await;
        consumer.map_err(|error| Error::server("the consumer of tasks", error))
    }

    /// A consumer of the results of a job. Results from before are delivered again.
    pub async fn results(&self, job: &str) -> Result<PullConsumer, Error> {
        let stream = self.stream(RESULTS).await?;
        let config = pull::Config {
            durable_name: Some(job.to_string()),
            filter_subject: crate::protocol::results_of(job),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_ack_pending: 20_000,
            inactive_threshold: MOST_AGE,
            ..pull::Config::default()
        };
        let consumer = stream.get_or_create_consumer(job, config).await;
        consumer.map_err(|error| Error::server("the consumer of results", error))
    }

    /// Publishes a message in a stream, and waits until the server has stored it. Returns its number in the stream. If an
    /// answer is lost, the message is stored twice; a coordinator compares two results of one task.
    pub async fn publish(&self, subject: &str, bytes: Vec<u8>) -> Result<u64, Error> {
        let publish = || async {
            let sent = self.jetstream.publish(subject.to_string(), bytes.clone().into()).await;
            let stored = sent.map_err(|error| Error::server("a message", error))?.await;
            stored.map(|stored| stored.sequence).map_err(|error| Error::server("a message", error))
        };
        self.patiently(publish).await
    }

    /// Repeats a request until it succeeds, for two minutes at most.
    pub async fn patiently<T, F: Future<Output = Result<T, Error>>>(
        &self,
        request: impl FnMut() -> F,
    ) -> Result<T, Error> {
        self.patiently_for(PATIENCE, request).await
    }

    async fn patiently_for<T, F: Future<Output = Result<T, Error>>>(
        &self,
        patience: Duration,
        mut request: impl FnMut() -> F,
    ) -> Result<T, Error> {
        let (begun, mut has_told) = (Instant::now(), false);
        loop {
            match request().await {
                Err(error @ Error::Server { .. }) if begun.elapsed() < patience => {
                    if begun.elapsed() > WORTH_TELLING && !std::mem::replace(&mut has_told, true) {
                        let most = patience.as_secs();
                        (self.tell)(&format!("{error}; trying again, for {most} seconds at most"));
                    }
                    tokio::time::sleep(PAUSE).await;
                }
                done => return done,
            }
        }
    }

    /// Deletes messages of a stream by their numbers.
    pub async fn delete_messages(&self, stream: &str, numbers: &[u64]) -> Result<(), Error> {
        let stream = self.stream(stream).await?;
        for number in numbers {
            // One that was acknowledged is not there any more.
            let _ = stream.delete_message(*number).await;
        }
        Ok(())
    }

    /// Stores an object.
    pub async fn put(&self, name: &str, bytes: &[u8]) -> Result<ObjectName, Error> {
        let put = || async {
            let stored = self.bucket().await?.put(name, &mut &bytes[..]).await;
            stored.map_err(|error| Error::server("an object", error))
        };
        self.patiently(put).await?;
        Ok(ObjectName { name: name.to_string(), hash: xxh3_64(bytes) })
    }

    /// Reads an object, and checks that it is the one that is meant.
    pub async fn get(&self, object: &ObjectName) -> Result<Vec<u8>, Error> {
        let get = || async {
            let found = self.bucket().await?.get(&object.name).await;
            let found = found.map_err(|error| match error.kind() {
                // Objects are stored before tasks name them, and deleted when no result is needed any more.
                GetErrorKind::NotFound => Error::Here(format!("the object {} is not there any more", object.name)),
                _ => Error::server(&format!("the object {}", object.name), error),
            })?;
            if found.info().size > MOST_OBJECT {
                let what = format!("the object {} has {} bytes", object.name, found.info().size);
                return Err(Error::Here(format!("{what}, but at most {MOST_OBJECT} are allowed")));
            }
            let mut bytes = Vec::with_capacity(found.info().size);
            // The chunks of an object that is being deleted never come.
            let read = tokio::time::timeout(READING, found.take(MOST_OBJECT as u64).read_to_end(&mut bytes)).await;
            read.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()))
                .map_err(|error| Error::server(&format!("the object {}", object.name), error))?;
            Ok(bytes)
        };
        let bytes = self.patiently_for(Duration::from_secs(20), get).await?;
        if xxh3_64(&bytes) != object.hash {
            return Err(Error::Here(format!("the object {} is not the one that was stored", object.name)));
        }
        Ok(bytes)
    }

    /// Deletes an object, without the marker that the library would leave in its place. It does no harm if the object
    /// stays.
    pub async fn delete(&self, name: &str) {
        let Ok(bucket) = self.bucket().await else { return };
        let (Ok(info), Ok(stream)) = (bucket.info(name).await, self.stream(&format!("OBJ_{BUCKET}")).await) else {
            return;
        };
        let _ = stream.purge().filter(format!("$O.{BUCKET}.C.{}", info.nuid)).await;
        let _ = stream.purge().filter(format!("$O.{BUCKET}.M.{}", URL_SAFE.encode(name))).await;
    }
}

/// What both streams have in common. A message that was acknowledged is deleted; a full stream refuses new messages.
fn limits() -> stream::Config {
    stream::Config {
        retention: RetentionPolicy::WorkQueue,
        max_age: MOST_AGE,
        discard: DiscardPolicy::New,
        ..stream::Config::default()
    }
}

/// The threads that send and receive messages.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    let made = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    made.map_err(|error| Error::Here(format!("the threads for messages could not be started: {error}")))
}
