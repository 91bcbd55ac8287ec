//! The client of one server, or of a cluster.

#[cfg(feature = "redis-cluster")]
use std::sync::Arc;

use ::redis::aio::{ConnectionLike, MultiplexedConnection, PubSubSink};
#[cfg(feature = "redis-cluster")]
use ::redis::cluster::{ClusterClient, ClusterConfig};
#[cfg(feature = "redis-cluster")]
use ::redis::cluster_async::ClusterConnection;
use ::redis::{AsyncConnectionConfig, Client, Cmd, Msg, RedisResult, Value};
#[cfg(feature = "redis-cluster")]
use ::redis::{PushInfo, PushKind, cmd};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
#[cfg(feature = "redis-cluster")]
use futures_util::stream::unfold;
#[cfg(feature = "redis-cluster")]
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::defaults::LOG_PATIENCE;

/// Makes connections. Clones share what the application has set.
#[derive(Clone)]
pub enum RedisClient {
    Server(Client),
    #[cfg(feature = "redis-cluster")]
    Cluster(Arc<ClusterClient>),
}

/// A connection of commands. Clones share it.
#[derive(Clone)]
pub enum Connection {
    Server(MultiplexedConnection),
    #[cfg(feature = "redis-cluster")]
    Cluster(ClusterConnection),
}

/// A connection of subscriptions.
pub enum Subscriber {
    Server(PubSubSink),
    #[cfg(feature = "redis-cluster")]
    Cluster(ClusterConnection),
}

/// What comes on the channels that are subscribed to. It ends when messages may have been lost.
pub type Messages = BoxStream<'static, Msg>;

impl RedisClient {
    pub async fn connect(&self) -> RedisResult<Connection> {
        match self {
            Self::Server(client) => {
                let limits = AsyncConnectionConfig::new()
                    .set_connection_timeout(Some(LOG_PATIENCE))
                    .set_response_timeout(Some(LOG_PATIENCE));
                client.get_multiplexed_async_connection_with_config(&limits).await.map(Connection::Server)
            }
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(client) => {
                client.get_async_connection_with_config(limits()).await.map(Connection::Cluster)
            }
        }
    }

    pub async fn subscriber(&self) -> RedisResult<(Subscriber, Messages)> {
        match self {
            Self::Server(client) => {
                let (sink, messages) = client.get_async_pubsub().await?.split();
                Ok((Subscriber::Server(sink), messages.boxed()))
            }
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(client) => {
                let (sender, pushes) = unbounded_channel();
                let connection =
                    client.get_async_connection_with_config(limits().set_push_sender(sender)).await?;
                Ok((Subscriber::Cluster(connection), unfold(pushes, next_message).boxed()))
            }
        }
    }
}

#[cfg(feature = "redis-cluster")]
fn limits() -> ClusterConfig {
    ClusterConfig::new().set_connection_timeout(LOG_PATIENCE).set_response_timeout(LOG_PATIENCE)
}

/// The next message of a cluster; `None` when the connection to a node is lost.
#[cfg(feature = "redis-cluster")]
async fn next_message(mut pushes: UnboundedReceiver<PushInfo>) -> Option<(Msg, UnboundedReceiver<PushInfo>)> {
    loop {
        let push = pushes.recv().await?;
        if push.kind == PushKind::Disconnection {
            return None;
        }
        if let Some(message) = Msg::from_push_info(push) {
            return Some((message, pushes));
        }
    }
}

impl Connection {
    pub async fn send(&mut self, command: &Cmd) -> RedisResult<Value> {
        match self {
            Self::Server(connection) => connection.req_packed_command(command).await,
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(connection) => connection.req_packed_command(command).await,
        }
    }
}

impl Subscriber {
    pub async fn subscribe(&mut self, channels: &[&String]) -> RedisResult<()> {
        match self {
            Self::Server(sink) => sink.subscribe(channels).await,
            // Each channel is one of the node that has the keys of its log.
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(connection) => {
                for channel in channels {
                    connection.subscribe(channel).await?;
                }
                Ok(())
            }
        }
    }

    pub async fn unsubscribe(&mut self, channels: &[&String]) -> RedisResult<()> {
        match self {
            Self::Server(sink) => sink.unsubscribe(channels).await,
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(connection) => {
                for channel in channels {
                    connection.unsubscribe(channel).await?;
                }
                Ok(())
            }
        }
    }

    /// Fails if the connection is lost.
    pub async fn ping(&mut self) -> RedisResult<()> {
        match self {
            Self::Server(sink) => sink.ping().await,
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(connection) => cmd("PING").exec_async(connection).await,
        }
    }
}
