//! The logs of many machines, in Redis.

mod client;
mod commands;
mod hints;

use std::fmt;

use ::redis::{Client, IntoConnectionInfo, RedisError};
#[cfg(feature = "redis-cluster")]
use ::redis::{ProtocolVersion, cluster::ClusterClientBuilder};

use self::client::RedisClient;
use self::commands::Commands;
use self::hints::Hints;
use super::{Log, OnHint, ReplyFuture};
use crate::durable::key::LogKey;
use crate::durable::operation::Operation;
use crate::durable::redis::RedisKeyspace;
use crate::error::{Code, Error};

/// Keeps logs in Redis 6.2 or newer, for all machines.
///
/// It is used within a runtime of tokio. Commands share one connection, hints have another one. Both are made when they
/// are needed, made again when they are lost, and end with the log.
///
/// ```
/// use ag_ui_native::durable::RedisLog;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = RedisLog::new("redis://127.0.0.1:6379/0")?.with_prefix("shop:");
/// # Ok(())
/// # }
/// ```
pub struct RedisLog {
    client: RedisClient,
    keyspace: RedisKeyspace,
    commands: Commands,
    hints: Hints,
}

impl RedisLog {
    /// Logs at an address such as `redis://host:6379`. For `rediss://` the crate `redis` needs one of its features for TLS.
    ///
    /// # Errors
    /// `connection_failed`: the address cannot be read. No connection is made yet.
    pub fn new(address: impl IntoConnectionInfo) -> Result<Self, Error> {
        Ok(Self::with_client(Client::open(address).map_err(|error| unreadable(&error))?))
    }

    /// Logs behind a client of the application, which has its settings: TLS, credentials, the settings of sockets.
    pub fn with_client(client: Client) -> Self {
        Self::in_keyspace(RedisClient::Server(client), RedisKeyspace::default())
    }

    /// Logs in a cluster, by a builder of the application, which has its settings: TLS, credentials, retries. The protocol of the
    /// client is RESP3, by which hints arrive.
    ///
    /// # Errors
    /// `connection_failed`: the builder makes no client. No connection is made yet.
    #[cfg(feature = "redis-cluster")]
    pub fn with_cluster(builder: ClusterClientBuilder) -> Result<Self, Error> {
        let client =
            builder.use_protocol(ProtocolVersion::RESP3).build().map_err(|error| unreadable(&error))?;
        Ok(Self::in_keyspace(RedisClient::Cluster(client.into()), RedisKeyspace::default()))
    }

    /// Names keys and channels with this prefix instead of `agui:`.
    #[must_use]
    pub fn with_prefix(self, prefix: &str) -> Self {
        Self::in_keyspace(self.client, RedisKeyspace::new(prefix))
    }

    fn in_keyspace(client: RedisClient, keyspace: RedisKeyspace) -> Self {
        let commands = Commands::new(client.clone());
        let hints = Hints::new(client.clone(), keyspace.clone());
        Self { client, keyspace, commands, hints }
    }
}

fn unreadable(error: &RedisError) -> Error {
    Error::new(Code::ConnectionFailed, format!("the address of Redis: {error}"))
}

impl fmt::Debug for RedisLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RedisLog")
    }
}

impl Log for RedisLog {
    fn execute(&self, operation: Operation) -> ReplyFuture<'_> {
        Box::pin(self.commands.execute(self.keyspace.begin(operation)))
    }

    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync> {
        Box::new(self.hints.watch(self.keyspace.channel(key), on_hint))
    }
}
