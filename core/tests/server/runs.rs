//! The ways in which runs end: one table of scripts for all servers (`tests/fixtures/server/server_runs.json`), with
//! the writer alone and over sockets.

use crate::support;
use crate::until::until;

use std::io::{Read, Write};
use std::mem::forget;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ag_ui_native::bindings::server::{Entity, OwnEnd, RunWriter};
use ag_ui_native::server::axum::{RunOptions, Shutdown, agent_with, flush};
use ag_ui_native::server::{Cause, Ending, OpenEntry, Run, StateFlush, WireFormat};
use ag_ui_native::stream::EventDecoder;
use ag_ui_native::types::*;
use ag_ui_native::{Code, Error, Event, Limits, Object, Profile, Value, to_json};
use axum::Router;
use serde::Deserialize;
use serde_json::Value as Json;
use tracing::span::{Attributes, Id, Record};
use tracing::{Level, Metadata, Subscriber};

#[derive(Clone, Deserialize)]
struct Script {
    name: String,
    agent: Vec<String>,
    #[serde(default)]
    options: Settings,
    stop: Option<String>,
    client: Option<String>,
    expect: Expected,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Settings {
    time_limit: Option<u64>,
    max_waiting: Option<usize>,
    state_flush: Option<String>,
    show_errors: bool,
}

#[derive(Clone, Deserialize)]
struct Expected {
    wire: Option<Vec<Json>>,
    told: Vec<String>,
    #[serde(default)]
    agent: String,
}

fn scripts() -> Vec<Script> {
    let scripts: Vec<Script> = support::fixture("server_runs");
    assert!(scripts.len() > 90);
    scripts
}

fn started_text() -> Event {
    TextMessageStartEvent::new("m").with_role(TextMessageRole::Assistant).into()
}

fn flood(length: usize) -> Event {
    CustomEvent::new("flood", "x".repeat(length)).into()
}

fn subagent() -> Event {
    SubagentStartedEvent::new("s", "helper").into()
}

impl Settings {
    fn flush(&self) -> StateFlush {
        match self.state_flush.as_deref() {
            Some("manual") => StateFlush::Manual,
            Some("end") => StateFlush::End,
            _ => StateFlush::Await,
        }
    }
}

/// More than a connection buffers while its client does not read, and less than the limit of the queue.
const FILLING: usize = 5_000_000;

/// A part of that.
const PIECE: usize = 50_000;

/// An end of the agent's own.
fn ending(step: &str) -> Option<Ending> {
    match step {
        "finish" | "await finish" => Some(Ending::Success(Some("own".into()))),
        "cancel" => Some(Ending::Cancelled),
        "fail" => Some(Ending::Error { message: "own".into(), code: Some("mine".into()) }),
        "ask" => Some(Ending::Interrupt(vec![Interrupt::new("i", "why")])),
        _ => None,
    }
}

fn own_event(step: &str) -> Option<Event> {
    match step {
        "finished event" => Some(RunFinishedEvent::new("t", "r").into()),
        "cancelled event" => {
            let finished = RunFinishedEvent::new("t", "r");
            Some(finished.with_outcome(RunFinishedCancelledOutcome::new()).into())
        }
        "error event" => Some(RunErrorEvent::new("own").into()),
        _ => None,
    }
}

fn state(number: f64) -> Value {
    Object::from_iter([("at", Value::from(number))]).into()
}

/// Returns the events of a text stream, without those that only fill the buffers.
fn events(bytes: &[u8]) -> Vec<Json> {
    let mut decoder = EventDecoder::new().with_profile(Profile::Strict);
    let events: Vec<Event> = decoder.feed(bytes).chain(decoder.close()).map(Result::unwrap).collect();
    let read = events.iter().map(|event| serde_json::from_str(&to_json(event)).unwrap());
    read.filter(|event: &Json| {
        event["name"] != "flood" && !event["delta"].as_str().is_some_and(|delta| delta.starts_with('x'))
    })
    .collect()
}

/// The host of a writer without a server: it has the state, gives the cause of the end, and records the reports.
struct Host {
    run: RunWriter,
    max_waiting: usize,
    open: Option<Entity>,
    has_state: bool,
    is_bad: bool,
    fate: String,
    told: Vec<&'static str>,
}

impl Host {
    fn new(settings: &Settings) -> Self {
        let run = RunWriter::new(WireFormat::Text, Limits::default());
        let mut run = run.with_state_flush(settings.flush()).with_shown_errors(settings.show_errors);
        run.start(&RunAgentInput::new("t", "r", vec![]), false).unwrap();
        let max_waiting = settings.max_waiting.unwrap_or(usize::MAX);
        Self {
            run,
            max_waiting,
            open: None,
            has_state: false,
            is_bad: false,
            fate: String::new(),
            told: vec![],
        }
    }

    fn send_state(&mut self) -> Result<(), &'static str> {
        if !self.run.wants_state() || !std::mem::take(&mut self.has_state) {
            return if self.is_bad && self.run.wants_state() { Err("the state") } else { Ok(()) };
        }
        let snapshot = StateSnapshotEvent::new(Object::from_iter([("at", 1)]));
        self.run.send(snapshot.into(), None).map_err(|_| "the state")
    }

    fn write(&mut self, text: &str) -> Result<(), Error> {
        self.run.check_room(self.max_waiting)?;
        match self.open {
            Some(open) => self.run.write(open, text),
            None => self.run.send(flood(text.len()), None),
        }
    }

    /// Ends the run as an agent does. Returns true if the run goes on.
    fn end(
        &mut self,
        end: impl FnOnce(&mut RunWriter, Result<(), &'static str>) -> OwnEnd<&'static str>,
    ) -> bool {
        let state = self.send_state();
        let ended = end(&mut self.run, state);
        self.told.extend(ended.as_ref().is_ok_and(Option::is_some).then_some("warning"));
        ended.is_err()
    }

    /// Takes a step. Returns true if the agent fails at it.
    fn take(&mut self, step: &str) -> bool {
        if let Some(ending) = ending(step) {
            return self.end(|run, state| run.end_behind(state, ending));
        }
        if let Some(event) = own_event(step) {
            return self.end(|run, state| run.send_behind(state, event));
        }
        match step {
            "text" => {
                self.open = Some(self.run.open(started_text(), None).unwrap());
                self.write("Hello").unwrap();
            }
            "call" => {
                self.open = Some(self.run.open(ToolCallStartEvent::new("c", "look").into(), None).unwrap());
                self.write("{").unwrap();
            }
            "state" => self.has_state = true,
            "bad state" => self.is_bad = true,
            "big" | "big custom" => self.write(&"x".repeat(2000)).unwrap(),
            "fill" | "part" => self.write(&"x".repeat(FILLING)).unwrap(),
            "done" => step.clone_into(&mut self.fate),
            "subagent fails" => {
                let opened = self.run.open(subagent(), None).unwrap();
                self.run.end_by(opened, Cause::Raised(Some("boom".into()))).unwrap();
                return true;
            }
            "subagent waits" => self.open = Some(self.run.open(subagent(), None).unwrap()),
            "flood" => {
                let refused = (0..).find_map(|_| self.write(&"x".repeat(1000)).err()).unwrap();
                refused.code().as_str().clone_into(&mut self.fate);
            }
            _ => {}
        }
        false
    }

    /// Ends as a waiting agent does when it is asked to stop.
    fn stop(&mut self, step: &str) {
        match step {
            "wait and finish" => drop(self.take("finish")),
            "wait and send finished" => drop(self.take("finished event")),
            "subagent waits" => {
                let subagent = self.open.take().unwrap();
                self.run.end_by(subagent, Cause::Raised(Some("late".into()))).unwrap();
            }
            _ => {}
        }
    }

    fn conclude(&mut self, cause: Cause) {
        if matches!(cause, Cause::Raised(_)) {
            self.told.push("failure");
        }
        let state = self.send_state();
        let note = self.run.conclude(cause, state).note;
        self.told.extend(note.map(|note| if note.is_failure() { "failure" } else { "warning" }));
    }
}

/// Returns the cause of the end of an agent whose last step is this.
fn cause(step: &str) -> Cause {
    match step {
        "return" => Cause::Returned(Some("done".into())),
        "return NaN" => Cause::Returned(Some(f64::NAN.into())),
        "raise" => Cause::Raised(Some("boom".into())),
        "wait" => Cause::CalledOff,
        "wait and return" => Cause::Returned(Some("late".into())),
        "wait and raise" | "subagent waits" => Cause::Raised(Some("late".into())),
        _ => Cause::Returned(None),
    }
}

#[test]
fn the_writer_ends_runs_by_their_first_cause() {
    for Script { name, agent, options, stop, expect, .. } in scripts() {
        let mut host = Host::new(&options);
        let has_failed = agent.iter().any(|step| host.take(step));
        match stop.as_deref() {
            Some("time_limit") => host.run.decide(Cause::TimedOut),
            Some("shutdown") => host.run.decide(Cause::Stopped),
            Some("client") => host.run.drop_frames(),
            _ => {}
        }
        let last = if has_failed { "raise" } else { agent.last().unwrap() };
        host.stop(last);
        host.conclude(cause(last));
        assert!(!host.run.is_running(), "{name}");
        assert_eq!(host.told, expect.told, "{name}");
        assert_eq!(
            host.run.grace().is_some(),
            matches!(stop.as_deref(), Some("time_limit" | "shutdown")),
            "{name}"
        );
        if let Some(wire) = expect.wire {
            assert_eq!(events(host.run.waiting()), wire, "{name}");
        }
        if stop.is_none() {
            assert_eq!(host.fate, expect.agent, "{name}");
        }
    }
}

/// The fate of an agent behind a socket.
#[derive(Default)]
struct Fate {
    waits: bool,
    is: String,
}

/// Records that a waiting agent is dropped.
struct Waiting(Arc<Mutex<Fate>>);

impl Drop for Waiting {
    fn drop(&mut self) {
        "cancelled".clone_into(&mut self.0.lock().unwrap().is);
    }
}

struct Agent {
    run: Run,
    open: Option<OpenEntry>,
    fate: Arc<Mutex<Fate>>,
}

impl Agent {
    fn write(&self, text: &str) -> Result<(), Error> {
        self.open.as_ref().map_or_else(|| self.run.send(flood(text.len())), |open| open.write(text))
    }

    fn take(&mut self, step: &str) -> Result<(), Error> {
        if let Some(ending) = ending(step) {
            return self.run.end(ending);
        }
        if let Some(event) = own_event(step) {
            return self.run.send(event);
        }
        match step {
            "text" => {
                self.open = Some(self.run.open(started_text())?);
                self.write("Hello")?;
            }
            "call" => {
                self.open = Some(self.run.open(ToolCallStartEvent::new("c", "look"))?);
                self.write("{")?;
            }
            "state" => self.run.set_state(Object::from_iter([("at", 1)])),
            "bad state" => self.run.set_state(state(f64::NAN)),
            "big" | "big custom" => self.write(&"x".repeat(2000))?,
            "fill" => self.write(&"x".repeat(FILLING))?,
            "done" => step.clone_into(&mut self.fate.lock().unwrap().is),
            "subagent fails" => {
                self.run.open(subagent())?.end_by(Cause::Raised(Some("boom".into())))?;
                return Err(Error::new(Code::AgentFailed, "boom"));
            }
            "subagent waits" => self.open = Some(self.run.open(subagent())?),
            "flood" => {
                let refused = (0..).find_map(|_| self.write(&"x".repeat(1000)).err());
                refused.unwrap().code().as_str().clone_into(&mut self.fate.lock().unwrap().is);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Waits for the client until another thread ends the run by a step. That thread takes the step when this one waits.
async fn wait_beside(agent: &Agent, step: String) {
    let sent = Arc::<AtomicUsize>::default();
    let (seen, fate, run) = (Arc::clone(&sent), Arc::clone(&agent.fate), agent.run.clone());
    let beside = std::thread::spawn(move || {
        let mut before = None;
        while seen.load(SeqCst) == 0 || before.replace(seen.load(SeqCst)) != Some(seen.load(SeqCst)) {
            std::thread::sleep(Duration::from_millis(100)); // Nothing more is sent in this time.
        }
        Agent { run, open: None, fate }.take(&step).unwrap();
    });
    while agent.run.send(flood(PIECE)).is_ok() {
        sent.fetch_add(1, SeqCst);
        flush().await;
    }
    beside.join().unwrap();
}

/// The time is up as soon as the agent waits: the clock is the test's.
async fn act(
    run: Run,
    steps: Vec<String>,
    fate: Arc<Mutex<Fate>>,
    limit: Option<u64>,
) -> Result<Option<Value>, String> {
    let mut agent = Agent { run, open: None, fate: Arc::clone(&fate) };
    if let Some((other, _)) = steps.strip_prefix(&["part".to_owned()]).and_then(<[String]>::split_first) {
        wait_beside(&agent, other.clone()).await;
    }
    let own = steps.iter().skip_while(|step| *step != "await part");
    let own = if steps[0] == "part" { own.collect() } else { steps.iter().collect::<Vec<_>>() };
    let taken = own.into_iter().try_for_each(|step| agent.take(step));
    // The entity must stay open: dropping it would close it.
    forget(agent.open.take());
    taken.map_err(
        |error| if error.code() == Code::AgentFailed { "boom".to_owned() } else { error.to_string() },
    )?;
    let last = steps.last().unwrap();
    if last.contains("wait") {
        let _waiting = Waiting(fate);
        _waiting.0.lock().unwrap().waits = true;
        if let Some(limit) = limit {
            tokio::spawn(tokio::time::advance(Duration::from_secs(limit)));
        }
        std::future::pending::<()>().await;
    }
    match cause(last) {
        Cause::Returned(result) => Ok(result),
        _ => Err("boom".to_owned()),
    }
}

/// Records the warnings and errors that are logged.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<&'static str>>>);

impl Subscriber for Told {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "ag_ui_native::server"
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        let is_failure = *event.metadata().level() == Level::ERROR;
        self.0.lock().unwrap().push(if is_failure { "failure" } else { "warning" });
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Returns the body of the answer without the chunked encoding; nothing for a client that disconnects.
fn ask(address: SocketAddr, script: &Script, fate: &Mutex<Fate>, shutdown: &Shutdown) -> Option<Vec<u8>> {
    let body = r#"{"threadId":"t","runId":"r","messages":[]}"#;
    let head = "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json";
    let mut client = TcpStream::connect(address).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(client, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    if let Some("shutdown" | "client") = script.stop.as_deref() {
        until("the agent waits", || fate.lock().unwrap().waits);
    }
    match script.stop.as_deref() {
        Some("client") => return None,
        Some("shutdown") => shutdown.begin(),
        _ => {}
    }
    if script.client.as_deref() == Some("late") {
        until("the agent is done", || fate.lock().unwrap().is == script.expect.agent);
    }
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).unwrap();
    let begin = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    Some(unchunked(&answer[begin..]))
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = rest.windows(2).position(|window| window == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        body.extend_from_slice(&rest[line + 2..line + 2 + length]);
        rest = &rest[line + 4 + length..];
    }
    body
}

fn options(settings: &Settings, shutdown: &Shutdown) -> RunOptions {
    let mut options = RunOptions::default().with_shutdown(shutdown.clone());
    options.time_limit = settings.time_limit.map(Duration::from_secs);
    options.max_waiting = settings.max_waiting.unwrap_or(options.max_waiting);
    options.show_errors = settings.show_errors;
    options.state_flush = settings.flush();
    options
}

#[tokio::test(flavor = "current_thread", start_paused = true)]
async fn the_server_ends_runs_by_their_first_cause() {
    let mut failed = Vec::new();
    for script in scripts() {
        let (told, fate, shutdown) = (Told::default(), Arc::<Mutex<Fate>>::default(), Shutdown::new());
        let _guard = tracing::subscriber::set_default(told.clone());
        let (steps, own) = (script.agent.clone(), Arc::clone(&fate));
        let limit = script.options.time_limit;
        let agent = move |run| act(run, steps.clone(), Arc::clone(&own), limit);
        let app = Router::new().route("/", agent_with(agent, options(&script.options, &shutdown)));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(async { axum::serve(listener, app).await });
        let (asked, theirs) = (script.clone(), Arc::clone(&fate));
        let expected = script.expect.clone();
        // An agent that waits is dropped: it raises nothing more.
        let is_dropped = matches!(script.agent.last().unwrap().as_str(), "wait and raise" | "subagent waits");
        let wanted = if is_dropped { Vec::new() } else { expected.told.clone() };
        let read = tokio::task::spawn_blocking(move || {
            let read = ask(address, &asked, &theirs, &shutdown);
            until("the agent is done", || theirs.lock().unwrap().is == expected.agent);
            assert_eq!(read.map(|bytes| events(&bytes)), expected.wire, "{}", asked.name);
        });
        let is_right = read.await.is_ok();
        if !is_right || *told.0.lock().unwrap() != wanted {
            failed.push((script.name, told.0.lock().unwrap().clone()));
        }
        serving.abort();
    }
    assert!(failed.is_empty(), "{failed:?}");
}
