//! The replies of Redis.

mod format;
#[cfg(feature = "redis")]
mod log;
mod slots;

use std::thread;
use std::time::Duration;

use ag_ui_native::Error;
use ag_ui_native::bindings::durable::*;

use crate::differential;
use crate::engine::{TestEngine, check};
pub use crate::redis_server::{Connection, Server, connect};

impl Connection {
    pub fn try_execute(&mut self, operation: Operation) -> Result<Reply, Error> {
        let mut operation = RedisKeyspace::default().begin(operation);
        let mut step = operation.start();
        loop {
            match step {
                RedisStep::Send(words) => step = operation.reply(Ok(self.send(&words))),
                RedisStep::Done(reply) => return reply,
            }
        }
    }
}

impl TestEngine for Connection {
    fn execute(&mut self, operation: Operation) -> Reply {
        self.try_execute(operation).unwrap()
    }

    fn wait(&mut self, time: Duration) {
        thread::sleep(time);
    }
}

#[test]
fn redis() {
    let server = Server::start("engine", &[]);
    check("redis", |_| server.connect());
}

#[test]
fn redis_replies_as_memory() {
    let server = Server::start("differential", &[]);
    for seed in 1..=200 {
        differential::check(&mut server.connect(), &seed.to_string(), seed, 200);
    }
}

/// More of them than Lua returns as single values.
#[test]
fn a_thread_of_many_runs_is_deleted() {
    let server = Server::start("many", &[]);
    let mut connection = server.connect();
    let key = LogKey::new("scope", "t", "r").unwrap();
    connection.execute(Operation::Create(crate::store::create(key.clone()).into()));
    let channel = RedisKeyspace::default().channel(&key);
    let runs = format!("{}:runs", channel.rsplit_once(':').unwrap().0);
    let members = (0..9_000).flat_map(|run| ["1".to_owned(), format!("run{run}")]);
    let words = ["ZADD".to_owned(), runs].into_iter().chain(members);
    assert_eq!(connection.send(&words.collect::<Vec<_>>()), RedisReply::Integer(9_000));
    assert_eq!(connection.execute(Operation::DeleteThread { thread: key.thread().clone() }), Reply::Done);
    assert_eq!(connection.send(&["KEYS", "*"]), RedisReply::List(vec![]));
}

/// The commands that the page names are enough; without some of them operations fail.
#[test]
fn a_user_with_the_permissions_of_the_page() {
    let page = include_str!("../../../../docs/durable/engines.md");
    let words: Vec<_> =
        page.lines().find(|line| line.starts_with("ACL SETUSER")).unwrap().split(' ').collect();
    let server = Server::start("permissions", &[]);
    let ok = RedisReply::Bytes(b"OK".into());
    let connect = |words: &[&str]| {
        assert_eq!(server.connect().send(words), ok);
        let mut connection = server.connect();
        assert_eq!(connection.send(&["AUTH", "app", "password"]), ok);
        connection
    };
    check("redis with permissions", |_| connect(&words));
    let mut connection = connect(&words);
    let key = LogKey::new("scope", "t", "r").unwrap();
    let channel = RedisKeyspace::default().channel(&key);
    let subscribed = connection.send(&["SUBSCRIBE", &channel]);
    assert!(matches!(subscribed, RedisReply::List(_)), "{subscribed:?}");
    for word in
        words.iter().filter(|word| matches!(**word, "+publish" | "+xadd" | "+hset" | "+time" | "+eval"))
    {
        let mut fewer = words.clone();
        fewer.retain(|other| other != word);
        fewer.insert(3, "reset");
        server.connect().send(&["SCRIPT", "FLUSH"]);
        let create = crate::store::create(key.clone());
        let mut connection = connect(&fewer);
        let append = Append { key: key.clone(), epoch: 1, first: 1, frames: vec!["a".into()], end: None };
        let replies = [
            connection.try_execute(Operation::Create(create.into())),
            connection.try_execute(Operation::Append(append)),
        ];
        assert!(replies.iter().any(Result::is_err), "without {word}");
        server.connect().send(&["FLUSHALL"]);
    }
}
