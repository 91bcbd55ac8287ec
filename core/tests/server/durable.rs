//! Runs with a log behind axum, over sockets: they go on without their clients, which resume, join and cancel them.

mod begins;
mod endings;
mod limits;
mod long_events;

use std::collections::HashMap;
use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ag_ui_native::durable::{LogOptions, MemoryLog, OnBusy, OnDisconnect};
use ag_ui_native::server::axum::{RunLog, RunOptions, agent_with};
use ag_ui_native::server::{Cors, Run};
use ag_ui_native::types::Interrupt;
use ag_ui_native::{Error, Value};
use axum::Router;
use serde_json::Value as Json;
use tokio::sync::Semaphore;

use crate::until::until;

/// An agent that writes a word for each permit, and counts its runs.
#[derive(Clone)]
pub struct Agent {
    permits: Arc<Semaphore>,
    words: usize,
    pub begun: Arc<AtomicUsize>,
    pub dropped: Arc<AtomicUsize>,
}

struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

impl Agent {
    pub fn new(words: usize) -> Self {
        let (begun, dropped) = (Arc::default(), Arc::default());
        Self { permits: Arc::new(Semaphore::new(0)), words, begun, dropped }
    }

    async fn run(self, run: Run) -> Result<Option<Value>, Error> {
        self.begun.fetch_add(1, SeqCst);
        let _dropped = Dropped(Arc::clone(&self.dropped));
        if run.input().run_id == "asks" {
            run.interrupt(vec![Interrupt::new("i", "tool_call")])?;
        }
        let message = run.text_message()?;
        for number in 0..self.words {
            self.permits.acquire().await.unwrap().forget();
            message.write(&format!("{number} "))?;
        }
        Ok(None)
    }

    pub fn go_on(&self, words: usize) {
        self.permits.add_permits(words);
    }
}

/// Two servers on one log, as the processes of an application are.
pub struct Servers {
    pub addresses: [SocketAddr; 2],
    /// Dropping it ends the servers.
    _end: tokio::sync::oneshot::Sender<()>,
}

impl Servers {
    pub fn start(agent: &Agent, options: &RunOptions) -> Self {
        Self::with(agent, [options.clone(), options.clone()])
    }

    fn with(agent: &Agent, options: [RunOptions; 2]) -> Self {
        let agent = agent.clone();
        Self::serving(move |run| agent.clone().run(run), options)
    }

    /// Serves any function.
    fn serving<A, F>(agent: A, options: [RunOptions; 2]) -> Self
    where
        A: Fn(Run) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = Result<Option<Value>, Error>> + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let addresses = options.map(|options| {
            let route = agent_with(agent.clone(), options);
            let app: Router = Router::new().route("/agent", route);
            let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
            let address = listener.local_addr().unwrap();
            runtime.spawn(async move { axum::serve(listener, app).await });
            address
        });
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        std::thread::spawn(move || runtime.block_on(ended));
        Self { addresses, _end: end }
    }

    pub fn ask(&self, method: &str, query: &str, headers: &[(&str, &str)], body: &str) -> Response {
        Response::of(self.addresses[0], method, query, headers, body)
    }

    fn post(&self, run: &str) -> Response {
        self.ask("POST", "", &[], &input("t", run))
    }
}

pub fn input(thread: &str, run: &str) -> String {
    format!(
        r#"{{"threadId":"{thread}","runId":"{run}","messages":[],"tools":[],"context":[],"state":{{}},"forwardedProps":{{}}}}"#
    )
}

pub struct Response {
    status: u16,
    headers: HashMap<String, String>,
    stream: BufReader<TcpStream>,
}

impl Response {
    fn of(address: SocketAddr, method: &str, query: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut head =
            format!("{method} /agent{query} HTTP/1.0\r\nhost: h\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in
            [("content-type", "application/json"), ("accept", "text/event-stream")].iter().chain(headers)
        {
            head.push_str(&[*name, ": ", *value, "\r\n"].concat());
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        let mut stream = BufReader::new(stream);
        let mut lines = std::iter::from_fn(|| {
            let mut line = String::new();
            stream.read_line(&mut line).unwrap();
            Some(line.trim_end().to_owned()).filter(|line| !line.is_empty())
        });
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())))
            .collect();
        Self { status, headers, stream }
    }

    /// The next event, with its id.
    fn event(&mut self) -> Option<(Option<String>, Json)> {
        let mut id = None;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(text) = line.strip_prefix("id: ") {
                id = Some(text.trim_end().to_owned());
            } else if let Some(json) = line.strip_prefix("data: ") {
                return Some((id, serde_json::from_str(json).unwrap()));
            }
        }
    }

    /// Reads events until one of this type has come. Returns the id of that one.
    pub fn until(&mut self, event_type: &str) -> Option<String> {
        loop {
            let (id, event) = self.event().unwrap_or_else(|| panic!("no {event_type}"));
            if event["type"] == event_type {
                return id;
            }
        }
    }

    fn rest(mut self) -> String {
        let mut text = String::new();
        self.stream.read_to_string(&mut text).unwrap();
        text
    }

    fn json(self) -> Json {
        serde_json::from_str(&self.rest()).unwrap()
    }
}

fn options() -> RunOptions {
    with_log(LogOptions::default())
}

fn with_log(options: LogOptions) -> RunOptions {
    RunOptions::default().with_log(RunLog::public(MemoryLog::default()).with_options(options))
}

#[test]
fn a_run_that_is_cut_behind_any_event_is_resumed_with_the_same_bytes() {
    let agent = Agent::new(3);
    agent.go_on(3);
    let servers = Servers::start(&agent, &options());
    let response = servers.post("r");
    assert_eq!(response.status, 200);
    assert_eq!(response.headers["ag-ui-run"], "r");
    assert_eq!(response.headers["ag-ui-heartbeat"], "15");
    assert_eq!(response.headers["content-location"], "?thread=t&run=r");
    let beginning = response.headers["ag-ui-cursor"].clone();
    let whole = response.rest();
    assert!(whole.contains("RUN_FINISHED"));
    let blocks: Vec<&str> = whole.split_inclusive("\n\n").collect();
    assert_eq!(blocks.len(), 7);
    for count in 0..blocks.len() {
        let cursor = match count {
            0 => beginning.clone(),
            count => blocks[count - 1].lines().next().unwrap()["id: ".len()..].to_owned(),
        };
        let wanted = blocks[count..].concat();
        let query = format!("?thread=t&run=r&after={cursor}");
        assert_eq!(servers.ask("GET", &query, &[], "").rest(), wanted);
        assert_eq!(servers.ask("GET", "?thread=t&run=r", &[("last-event-id", &cursor)], "").rest(), wanted);
        assert_eq!(servers.ask("POST", "", &[("last-event-id", &cursor)], &input("t", "r")).rest(), wanted);
    }
    let last = &blocks[6].lines().next().unwrap()["id: ".len()..];
    assert_eq!(servers.ask("GET", &format!("?thread=t&run=r&after={last}"), &[], "").status, 204);
    assert_eq!(agent.begun.load(SeqCst), 1);
}

#[test]
fn a_run_goes_on_without_its_client_and_another_one_joins() {
    join(|agent| Servers::start(agent, &options()));
}

#[cfg(feature = "sqlite")]
#[test]
fn a_run_in_a_file_goes_on_without_its_client_and_another_one_joins() {
    use ag_ui_native::durable::{SQLiteLog, SqliteOptions};

    let folder = std::env::temp_dir().join(format!("ag-ui-durable-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("runs.db");
    // Each server opens the file, as the processes of a machine do.
    let open = || SQLiteLog::open(&file, SqliteOptions::default()).unwrap();
    let options = || RunOptions::default().with_log(RunLog::public(open()));
    join(|agent| Servers::with(agent, [options(), options()]));
    std::fs::remove_dir_all(&folder).unwrap();
}

fn join(start: impl Fn(&Agent) -> Servers) {
    let agent = Agent::new(4);
    let servers = start(&agent);
    let mut first = servers.ask("POST", "", &[("ag-ui-resume", "1")], &input("t", "r"));
    agent.go_on(2);
    first.until("TEXT_MESSAGE_CONTENT");
    let cursor = first.until("TEXT_MESSAGE_CONTENT").unwrap();
    drop(first);
    let other = servers.addresses[1];
    let mut joined = Response::of(other, "GET", "?thread=t&run=r", &[], "");
    assert_eq!(joined.headers["ag-ui-prefix"], "3;through=4", "the two deltas are joined");
    let prefix: Vec<_> = (0..3).map(|_| joined.event().unwrap()).collect();
    assert_eq!(prefix[2].1["delta"], "0 1 ");
    assert_eq!([&prefix[0].0, &prefix[1].0, &prefix[2].0], [&None, &None, &Some(cursor.clone())]);
    let mut resumed = Response::of(other, "GET", "?thread=t&run=r", &[("last-event-id", &cursor)], "");
    agent.go_on(2);
    for reader in [&mut joined, &mut resumed] {
        assert_eq!(reader.event().unwrap().1["delta"], "2 ");
        reader.until("RUN_FINISHED");
        assert_eq!(reader.event(), None);
    }
    let thread = servers.ask("GET", "?thread=t", &[], "").json();
    assert_eq!((&thread["lastRunId"], &thread["version"]), (&"r".into(), &2.into()));
    assert_eq!(thread["messages"][0]["content"], "0 1 2 3 ");
    assert_eq!(agent.begun.load(SeqCst), 1);
}

#[test]
fn the_same_request_many_times_at_once_runs_the_agent_once() {
    let agent = Agent::new(2);
    let servers = Servers::start(&agent, &options());
    let texts = Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for number in 0..20 {
            let (texts, address) = (&texts, servers.addresses[number % 2]);
            scope.spawn(move || {
                let mut response = Response::of(address, "POST", "", &[], &input("t", "r"));
                assert_eq!(response.status, 200);
                let mut text = String::new();
                while let Some((_, event)) = response.event() {
                    text += event["delta"].as_str().unwrap_or_default();
                }
                texts.lock().unwrap().push(text);
            });
        }
        until("the agent runs", || agent.begun.load(SeqCst) == 1);
        agent.go_on(2);
    });
    assert_eq!(texts.into_inner().unwrap(), vec!["0 1 "; 20]);
    assert_eq!(agent.begun.load(SeqCst), 1);
    let other = input("t", "r").replace("\"state\":{}", "\"state\":{\"a\":1}");
    let refused = servers.ask("POST", "", &[], &other);
    assert_eq!((refused.status, refused.json()["code"].as_str()), (409, Some("run_conflict")));
}

#[test]
fn a_cancel_from_another_process_ends_the_run() {
    let agent = Agent::new(2);
    let servers = Servers::start(&agent, &options());
    let mut client = servers.ask("POST", "", &[("ag-ui-resume", "1")], &input("t", "r"));
    agent.go_on(1);
    client.until("TEXT_MESSAGE_CONTENT");
    let cancel = |address| Response::of(address, "POST", "?thread=t&cancel=r", &[], "");
    assert_eq!(cancel(servers.addresses[1]).status, 202);
    assert_eq!(cancel(servers.addresses[0]).status, 202);
    loop {
        let (_, event) = client.event().unwrap();
        if event["type"] == "RUN_FINISHED" {
            break assert_eq!(event["outcome"]["type"], "cancelled");
        }
    }
    assert_eq!(client.event(), None);
    assert_eq!(agent.dropped.load(SeqCst), 1);
    assert_eq!(cancel(servers.addresses[1]).status, 202, "also behind the end");
    assert_eq!(servers.ask("POST", "?thread=t&cancel=q", &[], "").status, 404);
}

#[test]
fn a_run_whose_client_does_not_resume_ends_after_its_grace_time() {
    let grace = Duration::from_millis(300);
    let agent = Agent::new(1);
    let servers = Servers::start(&agent, &with_log(LogOptions { grace, ..LogOptions::default() }));
    let mut client = servers.post("r");
    client.until("TEXT_MESSAGE_START");
    drop(client);
    until("the agent is cancelled", || agent.dropped.load(SeqCst) == 1);
    let mut joined = servers.ask("GET", "?thread=t&run=r", &[], "");
    joined.until("RUN_FINISHED");

    let options = LogOptions { grace, on_disconnect: OnDisconnect::Continue, ..LogOptions::default() };
    let agent = Agent::new(1);
    let servers = Servers::start(&agent, &with_log(options));
    drop(servers.post("r"));
    std::thread::sleep(3 * grace); // It does not end.
    assert_eq!(agent.dropped.load(SeqCst), 0);
    agent.go_on(1);
    servers.ask("GET", "?thread=t&run=r", &[], "").until("RUN_FINISHED");
}

#[test]
fn a_busy_thread_refuses_or_interrupts() {
    let agent = Agent::new(1);
    let servers = Servers::start(&agent, &options());
    let mut first = servers.post("r");
    first.until("TEXT_MESSAGE_START");
    let refused = servers.post("q").json();
    assert_eq!((&refused["code"], &refused["activeRunId"]), (&"thread_busy".into(), &"r".into()));
    agent.go_on(1);
    first.until("RUN_FINISHED");
    let stale = input("t", "q").replace("\"runId\"", "\"parentRunId\":\"p\",\"runId\"");
    let refused = servers.ask("POST", "", &[], &stale).json();
    assert_eq!((&refused["code"], &refused["lastRunId"]), (&"thread_stale".into(), &"r".into()));

    let agent = Agent::new(1);
    let servers =
        Servers::start(&agent, &with_log(LogOptions { on_busy: OnBusy::Interrupt, ..LogOptions::default() }));
    let mut first = servers.post("r");
    first.until("TEXT_MESSAGE_START");
    let mut second = servers.post("q");
    first.until("RUN_FINISHED");
    agent.go_on(1);
    second.until("RUN_FINISHED");
    assert_eq!((agent.begun.load(SeqCst), agent.dropped.load(SeqCst)), (2, 2));
}

#[test]
fn an_interrupt_is_answered_once_at_any_server() {
    let agent = Agent::new(0);
    let servers = Servers::start(&agent, &options());
    let ask = |server: usize, run: &str, answer: Option<&str>| {
        let answer = answer.map(|id| format!(r#"{{"interruptId":"{id}","status":"resolved"}}"#));
        let resume = format!(r#""resume":[{}],"messages""#, answer.unwrap_or_default());
        let body = input("t", run).replace(r#""messages""#, &resume);
        Response::of(servers.addresses[server], "POST", "", &[], &body)
    };
    let refused =
        |response: Response| (response.status, response.json()["code"].as_str().unwrap().to_owned());
    ask(0, "asks", None).until("RUN_FINISHED");
    assert_eq!(servers.ask("GET", "?thread=t", &[], "").json()["interrupts"][0]["id"], "i");
    assert_eq!(refused(ask(1, "none", None)), (422, "sequence_broken".into()));
    assert_eq!(refused(ask(1, "foreign", Some("j"))), (422, "sequence_broken".into()));
    ask(1, "answers", Some("i")).until("RUN_FINISHED");
    assert_eq!(refused(ask(0, "second", Some("i"))), (422, "unknown_interrupt".into()));
    ask(0, "answers", Some("i")).until("RUN_FINISHED");
    assert_eq!(agent.begun.load(SeqCst), 2, "the same request joins");

    let options = options().with_pending_interrupts(|_| async { Ok::<_, Error>(vec![]) });
    let servers = Servers::start(&agent, &options);
    servers.post("asks").until("RUN_FINISHED");
    servers.post("next").until("RUN_FINISHED");
}

#[test]
fn a_request_sees_only_the_runs_of_its_scope() {
    let agent = Agent::new(0);
    let log = RunLog::new(MemoryLog::default(), |request, action, thread, run| {
        let user = request.headers.get("x-user").map(|user| user.to_str().unwrap().to_owned());
        let names = (action.as_str(), thread.is_some(), run.is_some());
        async move { user.filter(|_| names.1 && (names.2 || names.0 == "read")) }
    });
    let servers = Servers::start(&agent, &RunOptions::default().with_log(log).with_cors(Cors::Any));
    let ask = |user: &str, method: &str, query: &str, body: &str| {
        servers.ask(method, query, &[("x-user", user), ("origin", "https://a.example")], body)
    };
    ask("ann", "POST", "", &input("t", "r")).until("RUN_FINISHED");
    let own = ask("ann", "GET", "?thread=t&run=r", "");
    assert_eq!(own.status, 200);
    assert!(own.headers["access-control-expose-headers"].contains("AG-UI-Cursor"));
    assert_eq!(ask("bob", "GET", "?thread=t&run=r", "").status, 404);
    assert_eq!(ask("bob", "POST", "?thread=t&cancel=r", "").status, 404);
    assert_eq!(ask("bob", "GET", "?thread=t", "").json()["version"], 0);
    assert_eq!(servers.ask("GET", "?thread=t&run=r", &[], "").status, 404);
    assert_eq!(servers.ask("POST", "", &[], &input("t", "q")).status, 404);
    let cases = [("GET", "?run=r", 404), ("PUT", "", 405), ("GET", "?thread=t&run=r&after=x", 400)];
    for (method, query, status) in cases {
        assert_eq!(ask("ann", method, query, "").status, status, "{method} {query}");
    }
    let thread_id = "x".repeat(257);
    assert_eq!(ask("ann", "POST", "", &input(&thread_id, "r")).status, 400);
    let preflight = servers.ask(
        "OPTIONS",
        "",
        &[("origin", "https://a.example"), ("access-control-request-method", "GET")],
        "",
    );
    assert_eq!(
        (preflight.status, preflight.headers["access-control-allow-methods"].as_str()),
        (204, "GET, POST")
    );
}

/// An engine that never replies.
struct Broken;

impl ag_ui_native::durable::Log for Broken {
    fn execute(&self, _: ag_ui_native::durable::Operation) -> ag_ui_native::durable::ReplyFuture<'_> {
        let failure: Box<dyn Future<Output = _> + Send> =
            Box::new(std::future::ready(Err(ag_ui_native::durable::EngineFailure)));
        Box::into_pin(failure)
    }

    fn watch(
        &self,
        _: &ag_ui_native::durable::LogKey,
        _: ag_ui_native::durable::OnHint,
    ) -> Box<dyn Send + Sync> {
        Box::new(())
    }
}

#[test]
fn an_engine_that_fails_is_unavailable() {
    let agent = Agent::new(0);
    let servers = Servers::start(&agent, &RunOptions::default().with_log(RunLog::public(Broken)));
    let refused = servers.post("r");
    assert_eq!((refused.status, refused.headers["retry-after"].as_str()), (503, "1"));
    assert_eq!(refused.json()["code"], "log_unavailable");
    assert_eq!(servers.ask("GET", "?thread=t", &[], "").status, 503);
    assert_eq!(agent.begun.load(SeqCst), 0);
}
