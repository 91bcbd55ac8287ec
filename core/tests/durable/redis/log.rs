//! The engine on Redis as servers in Rust use it: its connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::RedisReply;
use ag_ui_native::durable::*;
use tokio::runtime::{Builder, Runtime};

use super::Server;
use crate::engine::{TestEngine, check_at_once};

use crate::store::{create, frames, key};

const PATIENCE: Duration = Duration::from_secs(30);

/// A log, and the runtime in which it is used.
struct Engine(Runtime, RedisLog);

impl Engine {
    fn new(server: &Server) -> Self {
        Self::with(RedisLog::new(server.url()).unwrap())
    }

    fn with(log: RedisLog) -> Self {
        Self(Builder::new_current_thread().enable_all().build().unwrap(), log)
    }

    fn try_run(&self, operation: Operation) -> Result<Reply, EngineFailure> {
        self.0.block_on(self.1.execute(operation))
    }

    fn run(&self, operation: Operation) -> Reply {
        self.try_run(operation).unwrap()
    }

    fn append(&self, first: u64) -> Reply {
        let append = Append { key: key("r"), epoch: 1, first, frames: frames(&["a"]), end: None };
        self.run(Operation::Append(append))
    }

    fn watch(&self) -> (Box<dyn Send + Sync>, Receiver<Hint>) {
        let (sender, receiver) = channel();
        let _inside = self.0.enter();
        (self.1.watch(&key("r"), Box::new(move |hint| sender.send(hint).unwrap_or_default())), receiver)
    }

    /// Lets the tasks of the log work for so long.
    fn rest(&self, time: Duration) {
        self.0.block_on(async { tokio::time::sleep(time).await });
    }

    /// Lets the tasks of the log work until that hint comes.
    fn wait_for(&self, hints: &Receiver<Hint>, wanted: Hint) {
        let begin = Instant::now();
        while !hints.try_iter().any(|hint| hint == wanted) {
            assert!(begin.elapsed() < PATIENCE, "no {wanted:?}");
            self.rest(Duration::from_millis(1));
        }
    }
}

impl TestEngine for Engine {
    fn execute(&mut self, operation: Operation) -> Reply {
        self.run(operation)
    }

    fn wait(&mut self, time: Duration) {
        self.rest(time);
    }
}

/// Three nodes: each thread is one of the node that has its slot.
#[cfg(feature = "redis-cluster")]
#[test]
fn suite_in_a_cluster() {
    use redis::cluster::ClusterClientBuilder;

    let cluster = crate::redis_server::Cluster::start("suite", 3);
    let make = || RedisLog::with_cluster(ClusterClientBuilder::new(cluster.urls())).unwrap();
    check_at_once("redis cluster", |_| Engine::with(make()));
    let used = |node: &Server| node.connect().send(&["DBSIZE"]) != RedisReply::Integer(0);
    assert!(cluster.nodes.iter().all(used), "logs are spread");

    let (writer, reader) = (Engine::with(make()), Engine::with(make()));
    writer.run(Operation::Create(create(key("r")).into()));
    let (_watch, hints) = reader.watch();
    reader.wait_for(&hints, BEGUN);
    writer.append(1);
    reader.wait_for(&hints, Hint::Appended { next: 2 });
    for node in &cluster.nodes {
        node.connect().send(&["SCRIPT", "FLUSH"]);
        node.connect().send(&["CLIENT", "KILL", "TYPE", "normal"]);
        node.connect().send(&["CLIENT", "KILL", "TYPE", "pubsub"]);
    }
    let read = || writer.try_run(Operation::Info { key: key("r") });
    assert!((0..3).any(|_| read().is_ok()), "connections and scripts are made again");
    reader.wait_for(&hints, BEGUN);
    writer.append(2);
    reader.wait_for(&hints, Hint::Appended { next: 3 });
}

/// What is told when hints begin to arrive.
const BEGUN: Hint = Hint::Appended { next: u64::MAX };

#[test]
fn suite() {
    let server = Server::start("log", &[]);
    check_at_once("redis log", |_| Engine::new(&server));
}

#[test]
fn a_function_that_panics_ends_neither_the_subscription_nor_other_hints() {
    let server = Server::start("panics", &[]);
    let engine = Engine::new(&server);
    engine.run(Operation::Create(create(key("r")).into()));
    let _panics: Vec<_> = {
        let _inside = engine.0.enter();
        (0..8).map(|_| engine.1.watch(&key("r"), Box::new(|_| panic!("asked for")))).collect()
    };
    let (_watch, hints) = engine.watch();
    engine.wait_for(&hints, BEGUN);
    for first in 1..4 {
        assert!(matches!(engine.append(first), Reply::Appended { .. }));
        engine.wait_for(&hints, Hint::Appended { next: first + 1 });
    }
}

/// The same in memory, where the thread that executes an operation calls the functions.
#[test]
fn a_function_that_panics_does_not_end_the_operation_that_tells_it() {
    let (log, hints) = (MemoryLog::default(), Arc::new(AtomicUsize::new(0)));
    let run = |operation| Builder::new_current_thread().build().unwrap().block_on(log.execute(operation));
    run(Operation::Create(create(key("r")).into())).unwrap();
    let _panics: Vec<_> = (0..8).map(|_| log.watch(&key("r"), Box::new(|_| panic!("asked for")))).collect();
    let told = Arc::clone(&hints);
    let _watch = log.watch(
        &key("r"),
        Box::new(move |_| {
            told.fetch_add(1, Relaxed);
        }),
    );
    let append = Append { key: key("r"), epoch: 1, first: 1, frames: frames(&["a"]), end: None };
    assert!(matches!(run(Operation::Append(append)).unwrap(), Reply::Appended { .. }));
    assert_eq!(hints.load(Relaxed), 1);
}

#[test]
fn a_client_of_the_application_and_a_prefix_are_used() {
    let server = Server::start("prefix", &[]);
    let client = redis::Client::open(server.url()).unwrap();
    let engine = Engine::with(RedisLog::with_client(client).with_prefix("app:"));
    engine.run(Operation::Create(create(key("r")).into()));
    let RedisReply::List(keys) = server.connect().send(&["KEYS", "*"]) else { panic!() };
    assert!(!keys.is_empty());
    for key in keys {
        assert!(matches!(&key, RedisReply::Bytes(name) if name.starts_with(b"app:{")), "{key:?}");
    }
    let (_watch, hints) = engine.watch();
    engine.wait_for(&hints, BEGUN);
    engine.append(1);
    engine.wait_for(&hints, Hint::Appended { next: 2 });
}

#[test]
fn an_address_that_cannot_be_read_is_an_error_without_its_password() {
    for address in ["http://u:secret@host", "redis://u:secret@host/x", "secret"] {
        let error = RedisLog::new(address).unwrap_err();
        assert_eq!(error.code(), Code::ConnectionFailed);
        assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
    }
}

#[test]
fn hints_of_other_processes_arrive_until_the_watch_ends() {
    let server = Server::start("hints", &[]);
    let (writer, reader) = (Engine::new(&server), Engine::new(&server));
    writer.run(Operation::Create(create(key("r")).into()));
    let (watch, hints) = reader.watch();
    reader.wait_for(&hints, BEGUN);
    writer.append(1);
    reader.wait_for(&hints, Hint::Appended { next: 2 });
    writer.run(Operation::Cancel { key: key("r") });
    reader.wait_for(&hints, Hint::Cancelled);
    let (second, others) = reader.watch();
    drop(watch);
    assert!(hints.recv().is_err(), "nothing keeps the function");
    writer.append(2);
    reader.wait_for(&others, Hint::Appended { next: 3 });
    drop(second);
    let begin = Instant::now();
    while server.connect().send(&["PUBSUB", "CHANNELS"]) != RedisReply::List(vec![]) {
        assert!(begin.elapsed() < PATIENCE, "the subscription ends");
        reader.rest(Duration::from_millis(1));
    }
}

#[test]
fn lost_connections_and_scripts_are_made_again() {
    let server = Server::start("lost", &[]);
    let engine = Engine::new(&server);
    engine.run(Operation::Create(create(key("r")).into()));
    let (_watch, hints) = engine.watch();
    engine.wait_for(&hints, BEGUN);
    for first in 1..4 {
        let mut other = server.connect();
        other.send(&["CLIENT", "KILL", "TYPE", "normal"]);
        other.send(&["CLIENT", "KILL", "TYPE", "pubsub"]);
        other.send(&["SCRIPT", "FLUSH"]);
        let read = || engine.try_run(Operation::Info { key: key("r") });
        assert!((0..3).any(|_| read().is_ok()), "at most the first command fails");
        engine.wait_for(&hints, BEGUN);
        assert_eq!(engine.append(first), Reply::Appended { next: first + 1 });
        engine.wait_for(&hints, Hint::Appended { next: first + 1 });
    }
}

#[test]
fn a_server_that_is_down_and_comes_back() {
    let mut server = Server::start("down", &["--appendonly", "yes", "--appendfsync", "always"]);
    let engine = Engine::new(&server);
    engine.run(Operation::Create(create(key("r")).into()));
    engine.append(1);
    let (_watch, hints) = engine.watch();
    engine.wait_for(&hints, BEGUN);
    server.kill();
    let read = || engine.try_run(Operation::Info { key: key("r") });
    assert_eq!(read(), Err(EngineFailure));
    assert_eq!(read(), Err(EngineFailure));
    server.start_again();
    let begin = Instant::now();
    let reply = loop {
        // A server that reads its file says so.
        match read() {
            Ok(reply) => break reply,
            Err(EngineFailure) => assert!(begin.elapsed() < PATIENCE, "it comes back"),
        }
    };
    assert!(
        matches!(reply, Reply::Info(LogInfo { next: 2, .. })),
        "what was acknowledged is there: {reply:?}"
    );
    engine.wait_for(&hints, BEGUN);
    engine.append(2);
    engine.wait_for(&hints, Hint::Appended { next: 3 });
}

/// A server that does not answer holds no operation for ever, and all of them fail together.
#[test]
fn a_server_that_is_silent() {
    let folder = std::env::temp_dir().join(format!("ag-ui-redis-{}-silent", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let socket = folder.join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let engine = Engine::with(RedisLog::new(format!("redis+unix://{}", socket.display())).unwrap());
    let begin = Instant::now();
    let info = || engine.1.execute(Operation::Info { key: key("r") });
    let replies = engine.0.block_on(futures_util::future::join_all((0..20).map(|_| info())));
    assert!(replies.iter().all(|reply| *reply == Err(EngineFailure)));
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    std::fs::remove_dir_all(&folder).unwrap();
}
