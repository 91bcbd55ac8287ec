//! Measures the engine on a disk: bytes, events a second, reading, latency. `make bench-durable` runs it.
#![allow(clippy::print_stdout, missing_docs)] // It is a command.
#![allow(clippy::cast_precision_loss)] // Figures are for people.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use ag_ui_native::bindings::durable::{
    Append, Create, Cursor, Frame, Hint, Incarnation, InputDigest, LogKey, LogPolicy, Operation, Read, Reply,
    SqliteOptions, SqliteStore, Synchronous,
};

const EVENTS: u64 = 50_000;
const BATCH: u64 = 16;

fn main() {
    let folder = std::env::var_os("BENCH_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("ag-ui-durable-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    println!("SQLite, frames of {} bytes, {BATCH} a batch, in {}", frame().len(), folder.display());
    for synchronous in [Synchronous::Normal, Synchronous::Full] {
        for producers in [1, 32] {
            write(&folder.join(format!("{synchronous:?}-{producers}.db")), synchronous, producers);
        }
    }
    read(&folder.join("Normal-1.db"));
    unbatched(&folder.join("unbatched.db"));
    latency(&folder.join("latency.db"));
    fs::remove_dir_all(&folder).unwrap();
}

fn frame() -> Frame {
    let delta = "x".repeat(101 - r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}"#.len());
    format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{delta}"}}"#).into()
}

fn open(path: &Path, synchronous: Synchronous) -> Arc<SqliteStore> {
    let options = SqliteOptions { synchronous, ..SqliteOptions::default() };
    Arc::new(SqliteStore::open(path, options).unwrap())
}

fn run(store: &SqliteStore, operation: Operation) -> Reply {
    let (sender, receiver) = channel();
    store.execute(operation, move |reply| sender.send(reply).unwrap());
    receiver.recv().unwrap().unwrap()
}

fn key(producer: u64) -> LogKey {
    LogKey::new("scope", &format!("thread {producer}"), "r").unwrap()
}

fn create(store: &SqliteStore, producer: u64) {
    let hour = Duration::from_secs(3_600);
    let create = Create {
        key: key(producer),
        incarnation: Incarnation::from_bytes([7; 16]),
        run_id: "r".into(),
        parent: None,
        digest: InputDigest::of_canonical(b"{}"),
        owner: "one".into(),
        lease: hour,
        policy: LogPolicy { max_bytes: 1 << 30, ..LogPolicy::default() },
    };
    assert!(matches!(run(store, Operation::Create(create.into())), Reply::Created { .. }));
}

/// Appends events, each batch when the one before is stored.
fn append(store: &SqliteStore, producer: u64, events: u64, batch: u64) {
    let frames: Vec<_> = (0..batch).map(|_| frame()).collect();
    for first in (1..=events).step_by(usize::try_from(batch).unwrap()) {
        let append = Append { key: key(producer), epoch: 1, first, frames: frames.clone(), end: None };
        assert_eq!(run(store, Operation::Append(append)), Reply::Appended { next: first + batch });
    }
}

fn write(path: &Path, synchronous: Synchronous, producers: u64) {
    let store = open(path, synchronous);
    (0..producers).for_each(|producer| create(&store, producer));
    let begin = Instant::now();
    thread::scope(|scope| {
        for producer in 0..producers {
            let store = &store;
            scope.spawn(move || append(store, producer, EVENTS / producers, BATCH));
        }
    });
    let took = begin.elapsed();
    store.close();
    let events = EVENTS / producers / BATCH * BATCH * producers;
    println!(
        "write, {synchronous:?}, {producers} producers: {:.0} events/s, {:.1} us an event, {:.1} bytes an event",
        events as f64 / took.as_secs_f64(),
        took.as_secs_f64() * 1e6 / events as f64,
        fs::metadata(path).unwrap().len() as f64 / events as f64,
    );
}

fn read(path: &Path) {
    let store = open(path, Synchronous::Normal);
    let begin = Instant::now();
    let (mut count, mut after) = (0, None);
    while count < EVENTS {
        let read = Read { key: key(0), after, max_bytes: 256 << 10 };
        let Reply::Page(page) = run(&store, Operation::Read(read)) else { panic!("it is stored") };
        count += page.frames.len() as u64;
        after = Some(Cursor { incarnation: page.incarnation, number: count });
    }
    println!("read {EVENTS} events, pages of 256 KiB: {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);
}

fn unbatched(path: &Path) {
    for synchronous in [Synchronous::Normal, Synchronous::Full] {
        let store = open(&path.with_extension(format!("{synchronous:?}")), synchronous);
        create(&store, 0);
        let begin = Instant::now();
        append(&store, 0, 2_000, 1);
        println!(
            "one event a batch, {synchronous:?}: {:.1} us an event",
            begin.elapsed().as_secs_f64() * 1e6 / 2_000.0
        );
    }
}

/// From the append until the frame is read, by a hint: in the process that appends, and in another store on the file.
fn latency(path: &Path) {
    let writer = open(path, Synchronous::Normal);
    create(&writer, 0);
    let mut next = 1;
    for (name, reader, count) in [
        ("the same store", Arc::clone(&writer), 2_000),
        ("another store, as of another process", open(path, Synchronous::Normal), 300),
    ] {
        let (sender, receiver) = channel();
        let watch = reader.watch(key(0), move |hint| sender.send(hint).unwrap_or_default()).unwrap();
        let mut times = Vec::new();
        for _ in 0..count {
            thread::sleep(Duration::from_micros(1_700));
            receiver.try_iter().for_each(drop);
            let begin = Instant::now();
            let append = Append { key: key(0), epoch: 1, first: next, frames: vec![frame()], end: None };
            writer.execute(Operation::Append(append), |_| {});
            next += 1;
            while receiver.recv().unwrap() != (Hint::Appended { next }) {}
            let after = Some(Cursor { incarnation: Incarnation::from_bytes([7; 16]), number: next - 2 });
            let read = Read { key: key(0), after, max_bytes: 256 << 10 };
            let Reply::Page(page) = run(&reader, Operation::Read(read)) else { panic!("it is stored") };
            assert_eq!(page.frames.len(), 1);
            times.push(begin.elapsed());
        }
        drop(watch);
        times.sort();
        let at = |part: usize| times[times.len() * part / 100].as_secs_f64() * 1e3;
        println!("append, hint, read, {name}: p50 {:.2} ms, p99 {:.2} ms", at(50), at(99));
    }
}
