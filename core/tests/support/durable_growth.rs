//! Work on logs that must not grow faster than its input.

use std::time::Duration;

use ag_ui_native::Limits;
use ag_ui_native::bindings::client::{ResumableHead, ResumableStream};
use ag_ui_native::bindings::durable::{
    Append, Create, Cursor, Frame, Incarnation, InputDigest, LogKey, LogOptions, LogPolicy, MemoryStore,
    Occupancy, Operation, Prefix, PrefixCache, Producer, ProducerCommand, ProducerOptions, Read, Reader,
    ReaderCommand, ReaderOptions, Recorder, Reply, RunEnd, Snapshot, StoreLimits, encode_frames,
};
use ag_ui_native::server::WireFormat;
use ag_ui_native::types::{RunAgentInput, UserMessage};

use super::Work;

pub const ALL: &[Work] = &[
    ("a log that is read in pages", |n| {
        let mut store = store_with(n, token);
        let options = ReaderOptions { max_bytes: 1_000, ..ReaderOptions::default() };
        assert_eq!(read(&mut store, Reader::new(key(), None, options), &mut None), n);
    }),
    ("a run that is recorded", record),
    ("a message that is joined", |n| join(n, token)),
    ("messages that are joined", |n| {
        join(n, |at| {
            let (kind, more) =
                [("START", ""), ("CONTENT", r#","delta":"x""#), ("CONTENT", r#","delta":"x""#), ("END", "")]
                    [at % 4];
            frame(&format!(r#"{{"type":"TEXT_MESSAGE_{kind}","messageId":"m{}"{more}}}"#, at / 4))
        });
    }),
    // No more bytes than are compacted at once: what is compacted again is a step.
    ("a state that is joined", |n| {
        join(n / 2, |at| {
            frame(&format!(r#"{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"/k{at}","value":1}}]}}"#))
        });
    }),
    ("joins of a run that goes on", joins),
    ("readers of one run", |n| {
        let mut store = store_with(100, token);
        for _ in 0..n {
            let reader = Reader::new(key(), None, ReaderOptions::default());
            assert_eq!(read(&mut store, reader, &mut None), 100);
        }
    }),
    ("threads in a store", |n| {
        threads(n, StoreLimits { max_logs: n, max_threads: n, ..StoreLimits::default() });
    }),
    ("threads that make room", |n| {
        threads(n, StoreLimits { max_logs: 100, max_threads: 100, ..StoreLimits::default() });
    }),
    ("a log whose appends are repeated", |n| {
        let mut store = store_with(0, token);
        for first in (1..=n).step_by(16) {
            for _ in 0..2 {
                append(&mut store, &key(), first, (first..first + 16).map(token).collect(), None);
            }
        }
    }),
    ("a stream that is cut again and again", resume),
    ("runs and readers that are counted", occupy),
    ("a run that begins behind a long conversation", |n| converse(1, n)),
    ("runs of one thread", |n| converse(n / 10, 10)),
    #[cfg(feature = "sqlite")]
    ("a log in a file", log_in_a_file),
];

const NOW: Duration = Duration::from_secs(1);

fn key() -> LogKey {
    LogKey::new("", "t", "r").unwrap()
}

fn cursor(number: usize) -> Cursor {
    Cursor { incarnation: Incarnation::from_bytes([7; 16]), number: number as u64 }
}

fn frame(json: &str) -> Frame {
    json.into()
}

/// The events of a run of one message; the first begins it.
fn token(at: usize) -> Frame {
    frame(match at {
        0 => r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
        _ => r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"some text"}"#,
    })
}

fn create(key: LogKey) -> Operation {
    Operation::Create(Box::new(Create {
        key,
        incarnation: cursor(0).incarnation,
        run_id: "r".into(),
        parent: None,
        digest: InputDigest::of_canonical(b"{}"),
        owner: "one".into(),
        lease: Duration::from_secs(3_600),
        policy: LogPolicy { max_bytes: usize::MAX, ..LogPolicy::default() },
        snapshot: None,
    }))
}

fn append(store: &mut MemoryStore, key: &LogKey, first: usize, frames: Vec<Frame>, end: Option<RunEnd>) {
    let next = (first + frames.len()) as u64;
    let append = Append { key: key.clone(), epoch: 1, first: first as u64, frames, end };
    let reply = store.execute(NOW, Operation::Append(append)).reply;
    assert!(matches!(reply, Reply::Appended { next: stored } if stored >= next), "{reply:?}");
}

/// A log of RUN_STARTED and of as many frames as are missing to `n`. It is open.
fn store_with(n: usize, event: fn(usize) -> Frame) -> MemoryStore {
    let mut store = MemoryStore::new(StoreLimits { max_bytes: usize::MAX, ..StoreLimits::default() });
    store.execute(NOW, create(key()));
    let start = frame(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#);
    let frames: Vec<_> = [start].into_iter().chain((0..).map(event)).take(n).collect();
    if !frames.is_empty() {
        append(&mut store, &key(), 1, frames, None);
    }
    store
}

/// Reads what is stored. Returns the number of frames behind the prefix, which it keeps.
fn read(store: &mut MemoryStore, mut reader: Reader, prefix: &mut Option<Prefix>) -> usize {
    let mut count = 0;
    while let Some(command) = reader.poll(NOW) {
        match command {
            ReaderCommand::Send { ticket, operation } => {
                let reply = store.execute(NOW, operation).reply;
                reader.reply(NOW, ticket, Ok(reply));
            }
            ReaderCommand::Frames { after, frames } => {
                count += frames.len();
                encode_frames(WireFormat::Text, after, &frames).unwrap();
            }
            ReaderCommand::Prefix(made) => *prefix = Some(*made),
            ReaderCommand::Opened { .. } | ReaderCommand::End(_) => {}
        }
    }
    count
}

fn join(n: usize, event: fn(usize) -> Frame) {
    let mut prefix = None;
    let options = ReaderOptions { max_bytes: 10_000, ..ReaderOptions::default() };
    read(&mut store_with(n, event), Reader::join(key(), None, options), &mut prefix);
    assert_eq!(prefix.unwrap().through().number, n as u64);
}

/// A run whose state has one member that changes `n` times; a client joins after every 16 of them.
fn joins(n: usize) {
    let event = |at| match at {
        1 => frame(r#"{"type":"STATE_SNAPSHOT","snapshot":{"k":0}}"#),
        _ => frame(&format!(
            r#"{{"type":"STATE_DELTA","delta":[{{"op":"replace","path":"/k","value":{at}}}]}}"#
        )),
    };
    let (mut store, cache) = (store_with(0, token), PrefixCache::new(1 << 20));
    for first in (1..=n).step_by(16) {
        append(&mut store, &key(), first, (first..first + 16).map(event).collect(), None);
        let reader = Reader::join(key(), cache.get(&key()), ReaderOptions::default());
        let mut prefix = None;
        read(&mut store, reader, &mut prefix);
        cache.put(key(), prefix.unwrap());
    }
}

/// A run of `n` tokens: each is written, and stored after 16 of them.
fn record(n: usize) {
    let mut store = store_with(0, token);
    let producer = Producer::new(key(), 1, NOW, ProducerOptions { batch: 16, ..ProducerOptions::default() });
    let mut recorder = Recorder::new(producer, &RunAgentInput::new("t", "r", vec![]), Limits::default());
    let start = frame(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#);
    let mut stored = 0;
    for event in [start].into_iter().chain((0..n).map(token)) {
        recorder.write(NOW, super::sse(event.as_str()).as_bytes()).unwrap();
        while let Some(command) = recorder.poll(NOW) {
            match command {
                ProducerCommand::Send { ticket, operation } => {
                    let reply = store.execute(NOW, operation).reply;
                    recorder.reply(NOW, ticket, Ok(reply));
                }
                ProducerCommand::Stored { through } => stored = through,
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(stored + 16 > n as u64, "{stored} of {n} are stored");
}

/// Runs of `n` threads: each ends, and leaves its snapshot.
fn threads(n: usize, limits: StoreLimits) {
    let mut store = MemoryStore::new(limits);
    for at in 0..n {
        let key = LogKey::new("", &format!("t{at}"), "r").unwrap();
        store.execute(NOW, create(key.clone()));
        let end = RunEnd { snapshot: Some(Snapshot::from(r#"{"messages":[]}"#)) };
        append(&mut store, &key, 1, vec![token(0)], Some(end));
    }
}

/// `n` runs and `n` readers at once, of a hundred users; as many more are refused.
fn occupy(n: usize) {
    let occupancy = Occupancy::default();
    let user = |at: usize| format!("user {}", at % 100);
    let places: Vec<_> = (0..n)
        .map(|at| {
            [
                occupancy.run(&user(at), None, false).unwrap(),
                occupancy.reader(&user(at), Some(n / 100)).unwrap(),
            ]
        })
        .collect();
    for at in 0..n {
        occupancy.run(&user(at), Some(n / 100), false).unwrap_err();
        occupancy.reader(&user(at), Some(n / 100)).unwrap_err();
    }
    drop(places);
    occupancy.run(&user(0), Some(1), false).unwrap();
}

/// Runs of one thread, each of which begins and ends behind a conversation of that many messages.
fn converse(runs: usize, messages: usize) {
    let mut store = MemoryStore::new(StoreLimits::default());
    let messages: Vec<_> =
        (0..messages).map(|at| UserMessage::new(format!("u{at}"), "some text").into()).collect();
    for run in 0..runs {
        let input = RunAgentInput::new("t", format!("r{run}"), messages.clone());
        let create = LogOptions::default().create("", &input, true).unwrap();
        let (key, snapshot) = (create.key.clone(), create.snapshot.clone());
        let reply = store.execute(NOW, Operation::Create(create.into())).reply;
        assert!(matches!(reply, Reply::Created { .. }), "{reply:?}");
        append(&mut store, &key, 1, vec![token(0)], Some(RunEnd { snapshot }));
    }
}

fn head(cursor: &str) -> ResumableHead<'_> {
    ResumableHead {
        cursor: Some(cursor),
        location: Some("?run=r"),
        content_type: "text/event-stream",
        ..ResumableHead::default()
    }
}

/// A client whose connection ends within every event.
fn resume(n: usize) {
    let event = |number: usize| {
        let id = cursor(number).to_string();
        format!("id: {id}\ndata: {}\n\n", token(number).as_str())
    };
    let (mut stream, mut out) = (None, vec![]);
    for number in 0..n {
        let place = cursor(number).to_string();
        let stream = match &mut stream {
            None => stream.insert(ResumableStream::new(&head(&place), Limits::default()).unwrap()),
            Some(stream) => {
                stream.resume(&head(&place)).unwrap();
                stream
            }
        };
        let (next, cut) = (event(number + 1), event(number + 2));
        stream.feed(next.as_bytes(), &mut out).unwrap();
        stream.feed(&cut.as_bytes()[..cut.len() / 2], &mut out).unwrap();
    }
    assert_eq!(out.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"data")).count(), n);
}

/// A log of `n` frames in a file: appended by 16, and read from each place where a batch begins.
#[cfg(feature = "sqlite")]
fn log_in_a_file(n: usize) {
    use ag_ui_native::bindings::durable::{SqliteOptions, SqliteStore};

    let path = std::env::temp_dir().join(format!("ag-ui-growth-{}-{n}.db", std::process::id()));
    let store = SqliteStore::open(&path, SqliteOptions::default()).unwrap();
    let run = |operation| {
        let (sender, receiver) = std::sync::mpsc::channel();
        store.execute(operation, move |reply| sender.send(reply).unwrap());
        receiver.recv().unwrap().unwrap()
    };
    run(create(key()));
    let frames = vec![token(1); 16];
    for first in (1..=n as u64).step_by(16) {
        let frames = frames.clone();
        let append = Append { key: key(), epoch: 1, first, frames, end: None };
        assert_eq!(run(Operation::Append(append)), Reply::Appended { next: first + 16 });
    }
    for number in (0..n).step_by(16) {
        let after = Some(cursor(number));
        let read = Operation::Read(Read { key: key(), after, max_bytes: 1_000 });
        assert!(matches!(run(read), Reply::Page(page) if !page.frames.is_empty()));
    }
    store.close();
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}
