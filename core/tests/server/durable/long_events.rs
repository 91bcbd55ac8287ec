//! Events of more than 16 MiB: the log limits their lengths, and nothing else does.

use ag_ui_native::Limits;
use ag_ui_native::durable::StoreLimits;

use super::*;

const LENGTH: usize = 17 << 20;

/// Writes a text of the length that is the id of the run.
async fn agent(run: Run) -> Result<Option<Value>, Error> {
    let length = run.input().run_id.parse().unwrap();
    run.text_message()?.write(&"x".repeat(length))?;
    Ok(None)
}

fn serve(log: RunLog, max_bytes: usize) -> Servers {
    let log = log.with_options(LogOptions { max_bytes, ..LogOptions::default() });
    let limits = Limits::default().with_event_bytes(1_000);
    let options = RunOptions::default().with_log(log).with_limits(limits);
    Servers::serving(agent, [options.clone(), options])
}

fn begin(servers: &Servers, length: usize) -> Response {
    servers.ask("POST", "", &[("ag-ui-resume", "1")], &input("t", &length.to_string()))
}

/// A run with a long event is sent and resumed. Returns a place in it.
fn check_sent(name: &str, servers: &Servers) -> String {
    let mut response = begin(servers, LENGTH);
    let begun = response.until("TEXT_MESSAGE_START").unwrap();
    let whole = response.rest();
    assert!(whole.len() > LENGTH && whole.contains("RUN_FINISHED"), "{name}: {}", whole.len());
    let resumed = servers.ask("GET", &format!("?thread=t&run={LENGTH}"), &[("last-event-id", &begun)], "");
    assert!(resumed.rest() == whole.trim_start(), "{name}: resumed");
    begun
}

/// A run with an event that is longer than its log ends, and has its beginning.
fn check_too_long(name: &str, log: RunLog) {
    let servers = serve(log, 20_000);
    let mut response = begin(&servers, 100_000);
    assert_eq!(response.event().unwrap().1["type"], "RUN_STARTED", "{name}");
    let error = response.event().unwrap().1;
    assert_eq!((&error["type"], &error["code"]), (&"RUN_ERROR".into(), &"limit_exceeded".into()));
    assert!(error["message"].as_str().unwrap().contains("log_bytes"), "{error}");
    assert_eq!(response.event(), None);
}

#[test]
fn a_long_event_is_sent_resumed_joined_and_kept() {
    let servers = serve(RunLog::public(MemoryLog::default()), 64 << 20);
    let begun = check_sent("memory", &servers);
    let query = format!("?thread=t&run={LENGTH}");
    let joined = servers.ask("GET", &query, &[], "");
    assert!(joined.status == 200 && joined.headers.contains_key("ag-ui-prefix"), "{}", joined.status);
    assert!(joined.rest().len() > LENGTH);
    let binary = [("accept", "application/vnd.ag-ui.event+proto"), ("last-event-id", &begun)];
    let mut response = servers.ask("GET", &query, &binary, "");
    assert_eq!(response.headers["content-type"], binary[0].1);
    let mut bytes = Vec::new();
    response.stream.read_to_end(&mut bytes).unwrap();
    assert!(bytes.len() > LENGTH, "{}", bytes.len());
    let thread = servers.ask("GET", "?thread=t", &[], "").json();
    assert_eq!(thread["messages"][0]["content"].as_str().unwrap().len(), LENGTH);
    check_too_long("memory", RunLog::public(MemoryLog::default()));
    // One after the other, since each keeps its event loop busy.
    #[cfg(feature = "sqlite")]
    check_file();
    #[cfg(feature = "redis")]
    check_redis();
}

#[test]
fn the_memory_of_a_log_is_a_limit_too() {
    let limits = StoreLimits { max_bytes: 20_000, ..StoreLimits::default() };
    let servers = serve(RunLog::public(MemoryLog::new(limits)), 64 << 20);
    let rest = begin(&servers, 100_000).rest();
    assert!(rest.len() < 1_000 && rest.contains("limit_exceeded") && rest.contains("log_bytes"));
}

#[cfg(feature = "sqlite")]
fn check_file() {
    use ag_ui_native::durable::{SQLiteLog, SqliteOptions};

    let folder = std::env::temp_dir().join(format!("ag-ui-long-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let log = || RunLog::public(SQLiteLog::open(folder.join("runs.db"), SqliteOptions::default()).unwrap());
    check_sent("sqlite", &serve(log(), 64 << 20));
    check_too_long("sqlite", log());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(feature = "redis")]
fn check_redis() {
    use crate::redis_server::Server;
    use ag_ui_native::durable::RedisLog;

    let server = Server::start("long", &[]);
    let log = || RunLog::public(RedisLog::new(server.url()).unwrap());
    check_sent("redis", &serve(log(), 64 << 20));
    check_too_long("redis", log());
}
