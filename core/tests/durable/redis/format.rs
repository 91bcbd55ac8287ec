//! The format of logs in Redis.

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::{Connection, Server};
use crate::engine::{TestEngine, check_others};
use crate::store::{create, frames};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/durable/format-1.redis.json");

fn kept() -> Map<String, Value> {
    serde_json::from_slice(&std::fs::read(KEPT).unwrap()).unwrap()
}

fn of_kept(run: &str) -> LogKey {
    LogKey::new("kept", "thread", run).unwrap()
}

fn append(run: &str, first: u64, frames: Vec<Frame>, end: Option<RunEnd>) -> Operation {
    Operation::Append(Append { key: of_kept(run), epoch: 1, first, frames, end })
}

/// Writes two logs: one that has ended, with a snapshot, and one without an end.
fn write(connection: &mut Connection) {
    let text = |frame: &Value| Frame::from(frame.as_str().unwrap());
    let all: Vec<_> = kept()["steps"][0][2]["frames"].as_array().unwrap().iter().map(text).collect();
    let create = |run: &str| Create { run_id: run.into(), ..create(of_kept(run)) };
    connection.execute(Operation::Create(create("ended").into()));
    connection.execute(append("ended", 1, all[..3].to_vec(), None));
    let end = RunEnd { snapshot: Some("{\"state\":1}".into()) };
    connection.execute(append("ended", 4, all[3..].to_vec(), Some(end)));
    connection.execute(Operation::Create(create("open").into()));
    connection.execute(append("open", 1, frames(&["a"]), None));
}

fn keys(connection: &mut Connection) -> Vec<String> {
    let RedisReply::List(keys) = connection.send(&["KEYS", "agui:*"]) else { panic!("a list of keys") };
    let mut names: Vec<_> = keys.iter().map(|key| String::from_utf8(bytes(key)).unwrap()).collect();
    names.sort();
    names
}

fn bytes(reply: &RedisReply) -> Vec<u8> {
    let RedisReply::Bytes(bytes) = reply else { panic!("{reply:?}") };
    bytes.clone()
}

/// All keys, each as Redis dumps it.
fn dump(connection: &mut Connection) -> Vec<(String, Vec<u8>)> {
    let mut dumped = vec![];
    for key in keys(connection) {
        let value = bytes(&connection.send(&["DUMP", &key]));
        dumped.push((key, value));
    }
    dumped
}

/// Format 1 is never written anew: what was written once stays readable.
#[test]
#[ignore = "it writes the file that is kept"]
fn write_the_kept_dump() {
    let server = Server::start("kept", &[]);
    let mut connection = server.connect();
    write(&mut connection);
    let dumped = dump(&mut connection).into_iter().map(|(key, bytes)| (key, json!(STANDARD.encode(bytes))));
    let mut file = kept();
    file.insert("keys".into(), dumped.collect::<Map<_, _>>().into());
    std::fs::write(KEPT, serde_json::to_string_pretty(&file).unwrap() + "\n").unwrap();
}

#[test]
fn a_kept_dump_of_format_1_is_read() {
    let server = Server::start("format", &[]);
    let mut connection = server.connect();
    let file = kept();
    for (key, bytes) in file["keys"].as_object().unwrap() {
        let bytes = STANDARD.decode(bytes.as_str().unwrap()).unwrap();
        let restore: [&[u8]; 4] = [b"RESTORE", key.as_bytes(), b"0", &bytes];
        assert_eq!(connection.send(&restore), RedisReply::Bytes(b"OK".into()));
    }
    check_others("redis", &mut connection, "kept", &file["steps"]);
}

/// Every operation on a log, or on the thread.
fn operations(run: &str) -> Vec<Operation> {
    let key = of_kept(run);
    let (owner, lease) = ("one".to_owned(), std::time::Duration::from_secs(1));
    vec![
        Operation::Create(Create { run_id: run.into(), ..create(key.clone()) }.into()),
        Operation::Claim { key: key.clone(), owner, lease },
        append(run, 2, frames(&["b"]), None),
        append(run, 2, frames(&["b"]), Some(RunEnd::default())),
        Operation::Renew { key: key.clone(), epoch: 1, lease },
        Operation::Attend { key: key.clone() },
        Operation::Read(Read { key: key.clone(), after: None, max_bytes: 1_000 }),
        Operation::Cancel { key: key.clone() },
        Operation::Info { key: key.clone() },
        Operation::Delete { key },
    ]
}

fn check_refused(connection: &mut Connection, operations: Vec<Operation>) {
    let before = dump(connection);
    for operation in operations {
        let named = format!("{operation:?}");
        let error = connection.try_execute(operation).expect_err(&named);
        assert_eq!(error.code(), Code::LogUnreadable, "{named}");
        assert!(error.to_string().contains("format 2"), "{error}");
    }
    assert_eq!(dump(connection), before, "all is left as it is");
}

#[test]
fn a_log_of_a_newer_format_is_refused_and_stays() {
    let server = Server::start("newer", &[]);
    let mut connection = server.connect();
    write(&mut connection);
    let log = RedisKeyspace::default().channel(&of_kept("open"));
    assert_eq!(connection.send(&["HGET", &log, "format"]), RedisReply::Bytes(b"1".into()));
    connection.send(&["HSET", &log, "format", "2"]);
    let thread = of_kept("open").thread().clone();
    let mut all = operations("open");
    // The active run has to be looked at.
    all.push(Operation::ReadThread { thread });
    all.push(Operation::Create(Create { run_id: "later".into(), ..create(of_kept("later")) }.into()));
    check_refused(&mut connection, all);
    let read = Read { key: of_kept("ended"), after: None, max_bytes: 1_000 };
    let reply = connection.execute(Operation::Read(read));
    assert!(matches!(reply, Reply::Page(page) if page.next == 6), "an older log beside it is read");
}

#[test]
fn a_thread_of_a_newer_format_is_refused_and_stays() {
    let server = Server::start("newer-thread", &[]);
    let mut connection = server.connect();
    write(&mut connection);
    let log = RedisKeyspace::default().channel(&of_kept("open"));
    let (thread, _) = log.rsplit_once(':').unwrap();
    connection.send(&["HSET", thread, "format", "2"]);
    let mut all = [operations("open"), operations("ended"), operations("later")].concat();
    let thread = of_kept("open").thread().clone();
    all.extend([Operation::ReadThread { thread: thread.clone() }, Operation::DeleteThread { thread }]);
    check_refused(&mut connection, all);
}

#[test]
fn a_server_that_evicts_is_warned_of_once() {
    for (policy, limit, is_warned) in [
        ("allkeys-lru", "100mb", true),
        ("volatile-ttl", "100mb", true),
        ("noeviction", "100mb", false),
        ("allkeys-lru", "0", false),
    ] {
        let server = Server::start("eviction", &["--maxmemory-policy", policy, "--maxmemory", limit]);
        let (mut connection, keyspace) = (server.connect(), RedisKeyspace::default());
        let mut warnings = vec![];
        for run in ["a", "a", "b"] {
            let create = Create { key: LogKey::new("", run, run).unwrap(), ..create(of_kept(run)) };
            let mut operation = keyspace.begin(Operation::Create(create.into()));
            let mut step = operation.start();
            while let RedisStep::Send(words) = step {
                step = operation.reply(Ok(connection.send(&words)));
            }
            assert!(matches!(step, RedisStep::Done(Ok(Reply::Created { .. }))), "{step:?}");
            warnings.extend(operation.warning().map(str::to_owned));
        }
        assert_eq!(warnings.len(), usize::from(is_warned), "{policy}, {limit}: {warnings:?}");
        assert!(warnings.iter().all(|warning| warning.contains(policy) && warning.contains("noeviction")));
    }
}

/// What Redis says is told, since it may be a wrong permission or a full memory.
#[test]
fn errors_of_redis_are_told() {
    let server = Server::start("errors", &[]);
    let mut connection = server.connect();
    let log = RedisKeyspace::default().channel(&of_kept("open"));
    connection.send(&["SET", &log, "a text"]);
    let error = connection.try_execute(Operation::Info { key: of_kept("open") }).unwrap_err();
    assert_eq!(error.code(), Code::LogUnavailable);
    assert!(error.to_string().contains("WRONGTYPE"), "{error}");
}
