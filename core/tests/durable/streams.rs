//! The response to a client that reads a log: its headers, the bytes of each channel, silence, and its end.

use std::time::Duration;

use ag_ui_native::bindings::durable::*;
use ag_ui_native::server::WireFormat;

use crate::store::{SECOND, create, frames, key};

const HEARTBEAT: Duration = Duration::from_secs(4);
const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;

struct Bench {
    store: MemoryStore,
    stream: LogStream,
    occupancy: Occupancy,
    prefixes: PrefixCache,
    now: Duration,
}

impl Bench {
    fn new(channel: Channel, after: Option<u64>) -> Self {
        let mut store = MemoryStore::default();
        store.execute(SECOND, Operation::Create(Create { lease: 3600 * SECOND, ..create(key("r")) }.into()));
        let after = after.map(|number| Cursor { incarnation: Incarnation::from_bytes([7; 16]), number });
        let head = LogStreamHead {
            key: key("r"),
            thread_id: "t".into(),
            run_id: "r".into(),
            address: "/agent".into(),
            wire_format: WireFormat::Text,
            channel,
            heartbeat: HEARTBEAT,
            after,
            is_new: false,
        };
        let options = LogOptions { on_disconnect: OnDisconnect::Continue, ..LogOptions::default() };
        let (occupancy, prefixes) = (Occupancy::default(), PrefixCache::default());
        let stream = LogStream::new(head, occupancy.reader("", None).unwrap(), &options, &prefixes);
        Self { store, stream, occupancy, prefixes, now: SECOND }
    }

    fn append(&mut self, first: u64, text: &str, end: Option<RunEnd>) {
        let append = Append { key: key("r"), epoch: 1, first, frames: frames(&[text]), end };
        self.store.execute(self.now, Operation::Append(append));
        self.stream.hint(Hint::Appended { next: first + 1 });
    }

    /// The commands until there are none, besides the operations.
    fn commands(&mut self) -> Vec<LogStreamCommand> {
        let mut commands = Vec::new();
        while let Some(command) = self.stream.poll(self.now) {
            match command {
                LogStreamCommand::Send { ticket, operation } => {
                    let reply = self.store.execute(self.now, operation).reply;
                    self.stream.reply(self.now, ticket, Ok(reply));
                }
                command => commands.push(command),
            }
        }
        commands
    }

    /// The commands of the time until then, with their times in seconds.
    fn until(&mut self, end: Duration) -> Vec<(u64, LogStreamCommand)> {
        let mut commands = Vec::new();
        while let Some(deadline) = self.stream.deadline().filter(|deadline| *deadline <= end) {
            self.now = deadline.max(self.now);
            commands.extend(self.commands().into_iter().map(|command| (self.now.as_secs(), command)));
        }
        commands
    }
}

fn bytes(text: &str) -> LogStreamCommand {
    LogStreamCommand::Bytes(text.into())
}

#[test]
fn a_response_has_headers_ids_and_an_end() {
    let mut bench = Bench::new(Channel::Http, Some(0));
    let opened = bench.commands();
    let [LogStreamCommand::Opened(headers)] = opened.as_slice() else { panic!("{opened:?}") };
    for (name, value) in [("content-type", "text/event-stream"), ("ag-ui-run", "r"), ("ag-ui-heartbeat", "4")]
    {
        assert!(headers.contains(&(name, value.to_owned())), "{headers:?}");
    }
    let log = Incarnation::from_bytes([7; 16]);
    bench.append(1, STARTED, None);
    assert_eq!(bench.commands(), [bytes(&format!("id: {log}-1\ndata: {STARTED}\n\n"))]);
    bench.append(2, FINISHED, Some(RunEnd::default()));
    let end = bytes(&format!("id: {log}-2\ndata: {FINISHED}\n\n"));
    assert_eq!(bench.commands(), [end, LogStreamCommand::End(1000)]);
    assert_eq!((bench.stream.poll(bench.now), bench.stream.deadline()), (None, None));
}

#[test]
fn a_websocket_gets_plain_frames() {
    let mut bench = Bench::new(Channel::WebSocket { has_pings: true }, Some(0));
    bench.append(1, STARTED, None);
    bench.append(2, FINISHED, Some(RunEnd::default()));
    let commands = bench.commands();
    let frames = bytes(&format!("data: {STARTED}\n\ndata: {FINISHED}\n\n"));
    assert_eq!(commands[1..], [frames, LogStreamCommand::End(1000)]);
}

#[test]
fn silence_is_filled_as_the_channel_allows() {
    let mut bench = Bench::new(Channel::Http, Some(0));
    bench.commands();
    assert_eq!(bench.until(10 * SECOND), [(5, bytes(": \n\n")), (9, bytes(": \n\n"))]);

    let mut bench = Bench::new(Channel::WebSocket { has_pings: true }, Some(0));
    bench.commands();
    let ping = |at| (at, LogStreamCommand::Ping);
    assert_eq!(bench.until(10 * SECOND), [ping(5), ping(9)]);
    bench.stream.heard();
    let unanswered = [ping(13), ping(17), ping(21), ping(25), (29, LogStreamCommand::GiveUp)];
    assert_eq!(bench.until(60 * SECOND), unanswered);
    assert_eq!(bench.stream.deadline(), None);

    let mut bench = Bench::new(Channel::WebSocket { has_pings: false }, Some(0));
    bench.commands();
    assert_eq!(bench.until(60 * SECOND), []);
}

#[test]
fn a_connection_ends_after_its_longest_duration() {
    let mut bench = Bench::new(Channel::WebSocket { has_pings: false }, Some(0));
    bench.commands();
    assert_eq!(bench.until(3600 * SECOND), [(901, LogStreamCommand::End(1001))]);
}

#[test]
fn a_log_that_cannot_be_read_refuses_the_request() {
    let refused = |after: u64| {
        let mut bench = Bench::new(Channel::Http, Some(after));
        bench.append(1, FINISHED, Some(RunEnd::default()));
        match bench.commands().as_slice() {
            [LogStreamCommand::Refused(refusal)] => refusal.as_ref().map(|refusal| refusal.code().as_str()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!([refused(1), refused(5)], [None, Some("cursor_ahead")]);

    let mut bench = Bench::new(Channel::WebSocket { has_pings: false }, Some(1));
    bench.append(1, FINISHED, Some(RunEnd::default()));
    assert_eq!(bench.commands(), [LogStreamCommand::End(1000)], "a WebSocket has no status");
}

#[test]
fn a_connection_without_room_only_ends() {
    let mut bench = Bench::new(Channel::Http, Some(0));
    bench.commands();
    bench.stream.set_room(false);
    bench.append(1, STARTED, None);
    assert_eq!(bench.until(800 * SECOND), []);
    bench.stream.set_room(true);
    let log = Incarnation::from_bytes([7; 16]);
    assert_eq!(bench.commands()[0], bytes(&format!("id: {log}-1\ndata: {STARTED}\n\n")));
    bench.stream.set_room(false);
    assert_eq!(bench.until(3600 * SECOND), [(901, LogStreamCommand::End(1001))]);
}

#[test]
fn a_client_counts_until_its_stream_is_over() {
    let mut bench = Bench::new(Channel::Http, Some(0));
    bench.append(1, FINISHED, Some(RunEnd::default()));
    assert!(bench.occupancy.reader("", Some(1)).is_err());
    bench.commands();
    assert!(bench.occupancy.reader("", Some(1)).is_ok());

    let mut bench = Bench::new(Channel::Http, Some(0));
    bench.stream.close();
    assert!(bench.occupancy.reader("", Some(1)).is_ok(), "a client that has gone");
}

#[test]
fn a_prefix_that_is_joined_is_kept() {
    let mut bench = Bench::new(Channel::Http, None);
    bench.append(1, STARTED, None);
    assert!(bench.prefixes.get(&key("r")).is_none());
    bench.commands();
    assert_eq!(bench.prefixes.get(&key("r")).map(|prefix| prefix.through().number), Some(1));
}
