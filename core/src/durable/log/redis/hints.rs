//! The connection of hints.

use std::collections::HashSet;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ::redis::{Msg, RedisResult};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::client::{RedisClient, Subscriber};
use crate::defaults::{LOG_PATIENCE, SUBSCRIBE_PAUSE};
use crate::durable::log::OnHint;
use crate::durable::log::watchers::{Watch, Watchers};
use crate::durable::redis::RedisKeyspace;
use crate::durable::reply::Hint;

/// The time without a message after which the connection is tried.
const SILENCE: Duration = Duration::from_secs(10);

/// Subscribes to the channels of the logs that are watched, on one connection.
pub struct Hints {
    client: RedisClient,
    shared: Arc<Shared>,
    /// The task that owns the connection.
    task: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    keyspace: RedisKeyspace,
    watchers: Watchers<String>,
    /// What is watched has changed.
    change: Notify,
}

/// Ends the watch, and then the subscription.
struct Subscription {
    _watch: Watch<String>,
    _changed: Changed,
}

struct Changed(Arc<Shared>);

impl Drop for Changed {
    fn drop(&mut self) {
        self.0.change.notify_one();
    }
}

impl Hints {
    pub fn new(client: RedisClient, keyspace: RedisKeyspace) -> Self {
        let shared = Shared { keyspace, watchers: Watchers::default(), change: Notify::new() };
        Self { client, shared: Arc::new(shared), task: Mutex::default() }
    }

    /// Tells the function the hints of a channel, until the returned value is dropped.
    pub fn watch(&self, channel: String, on_hint: OnHint) -> impl Send + Sync + use<> {
        let watch = self.shared.watchers.add(channel, on_hint);
        self.shared.change.notify_one();
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        // A task ends with its runtime. Without one there are no hints, and the log is looked at each second.
        if task.as_ref().is_none_or(JoinHandle::is_finished)
            && let Ok(runtime) = Handle::try_current()
        {
            *task = Some(runtime.spawn(listen(self.client.clone(), Arc::clone(&self.shared))));
        }
        Subscription { _watch: watch, _changed: Changed(Arc::clone(&self.shared)) }
    }
}

impl Drop for Hints {
    fn drop(&mut self) {
        if let Some(task) = self.task.get_mut().unwrap_or_else(PoisonError::into_inner) {
            task.abort();
        }
    }
}

async fn listen(client: RedisClient, shared: Arc<Shared>) {
    loop {
        if let Err(error) = shared.subscribe(&client).await {
            tracing::debug!(target: "ag_ui_native::durable", %error, "the subscription to hints has failed: it is made again");
        }
        sleep(SUBSCRIBE_PAUSE).await;
    }
}

impl Shared {
    /// Tells hints until the connection is lost.
    async fn subscribe(&self, client: &RedisClient) -> RedisResult<()> {
        let (mut sink, mut messages) = within_patience(client.subscriber()).await?;
        let mut subscribed = HashSet::new();
        self.change_channels(&mut sink, &mut subscribed).await?;
        loop {
            let message = timeout(SILENCE, messages.next());
            match select(pin!(self.change.notified()), pin!(message)).await {
                Either::Left(_) => self.change_channels(&mut sink, &mut subscribed).await?,
                Either::Right((Ok(Some(message)), _)) => self.receive(&message),
                Either::Right((Ok(None), _)) => return Ok(()),
                Either::Right((Err(_), _)) => within_patience(sink.ping()).await?,
            }
        }
    }

    /// Subscribes to the channels that are watched, and to no others.
    async fn change_channels(
        &self,
        sink: &mut Subscriber,
        subscribed: &mut HashSet<String>,
    ) -> RedisResult<()> {
        let wanted = self.watchers.keys();
        let new: Vec<_> = wanted.difference(subscribed).collect();
        if !new.is_empty() {
            within_patience(sink.subscribe(&new)).await?;
        }
        for channel in new {
            // What was told before is lost, so the log is looked at once.
            self.watchers.tell(channel, Hint::Appended { next: u64::MAX });
        }
        let old: Vec<_> = subscribed.difference(&wanted).collect();
        if !old.is_empty() {
            within_patience(sink.unsubscribe(&old)).await?;
        }
        *subscribed = wanted;
        Ok(())
    }

    fn receive(&self, message: &Msg) {
        if let Some(hint) = self.keyspace.hint(message.get_payload_bytes()) {
            self.watchers.tell(message.get_channel_name(), hint);
        }
    }
}

async fn within_patience<T>(work: impl Future<Output = RedisResult<T>>) -> RedisResult<T> {
    timeout(LOG_PATIENCE, work).await.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
}
