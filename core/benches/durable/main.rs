//! Measures the engine on a disk: bytes, events a second, reading, latency; and events a second of the others. `make bench-durable` runs it.
#![allow(clippy::print_stdout, missing_docs)] // It is a command.
#![allow(clippy::cast_precision_loss)] // Figures are for people.

mod engines;

use std::fs;
use std::io::{BufRead, BufReader, Write, stdin};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

/// The time between two tokens of the run that another process reads.
const BETWEEN_TOKENS: Duration = Duration::from_millis(20);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, name, path] = &arguments[..]
        && name == "--read"
    {
        return read_for_parent(Path::new(path));
    }
    let folder = std::env::var_os("BENCH_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("ag-ui-durable-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for synchronous in [Synchronous::Normal, Synchronous::Full] {
        for producers in [1, 32] {
            write(&folder.join(format!("{synchronous:?}-{producers}.db")), synchronous, producers);
        }
    }
    read(&folder.join("Normal-1.db"));
    unbatched(&folder.join("unbatched.db"));
    latency(&folder.join("latency.db"));
    latency_between_processes(&folder.join("processes.db"));
    fs::remove_dir_all(&folder).unwrap();
    engines::measure();
}

fn say(name: &str, value: f64, unit: &str) {
    println!("{name}\t{value:.3}\t{unit}");
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

fn create_of(producer: u64) -> Operation {
    let hour = Duration::from_secs(3_600);
    Operation::Create(Box::new(Create {
        key: key(producer),
        incarnation: Incarnation::from_bytes([7; 16]),
        run_id: "r".into(),
        parent: None,
        digest: InputDigest::of_canonical(b"{}"),
        owner: "one".into(),
        lease: hour,
        policy: LogPolicy { max_bytes: 1 << 30, ..LogPolicy::default() },
        snapshot: None,
    }))
}

fn create(store: &SqliteStore, producer: u64) {
    assert!(matches!(run(store, create_of(producer)), Reply::Created { .. }));
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
    let runs = if producers == 1 { "one run".to_owned() } else { format!("{producers} runs at once") };
    let name = format!("SQLite, {synchronous:?}, {runs}, {BATCH} events an append");
    say(&name, events as f64 / took.as_secs_f64(), "events/s");
    say(&name, fs::metadata(path).unwrap().len() as f64 / events as f64, "B an event");
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
    say("SQLite, reading 50,000 events", begin.elapsed().as_secs_f64() * 1e3, "ms");
}

fn unbatched(path: &Path) {
    for synchronous in [Synchronous::Normal, Synchronous::Full] {
        let store = open(&path.with_extension(format!("{synchronous:?}")), synchronous);
        create(&store, 0);
        let begin = Instant::now();
        append(&store, 0, 2_000, 1);
        let micros = begin.elapsed().as_secs_f64() * 1e6 / 2_000.0;
        say(&format!("SQLite, {synchronous:?}, one event a batch"), micros, "us an event");
    }
}

/// From the append until the frame is read, by a hint, in the process that appends.
fn latency(path: &Path) {
    let store = open(path, Synchronous::Normal);
    create(&store, 0);
    let (sender, receiver) = channel();
    let watch = store.watch(key(0), move |hint| sender.send(hint).unwrap_or_default()).unwrap();
    let mut times = Vec::new();
    for number in 1..=2_000 {
        thread::sleep(Duration::from_micros(1_700));
        receiver.try_iter().for_each(drop);
        let begin = Instant::now();
        write_one(&store, number);
        while receiver.recv().unwrap() != (Hint::Appended { next: number + 1 }) {}
        assert_eq!(read_behind(&store, number - 1), 1);
        times.push(begin.elapsed());
    }
    drop(watch);
    say_times("SQLite, a token read in the same process", times);
}

/// From the append until another process has read the frame, and says so through a pipe.
fn latency_between_processes(path: &Path) {
    let store = open(path, Synchronous::Normal);
    create(&store, 0);
    let mut reader = Command::new(std::env::current_exe().unwrap())
        .arg("--read")
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut asks = reader.stdin.take().unwrap();
    let mut answers = BufReader::new(reader.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut ask = |question: &[u8]| {
        asks.write_all(question).unwrap();
        answers.next().unwrap()
    };
    let idle: f64 = ask(b"cpu\n").parse().unwrap();
    thread::sleep(Duration::from_secs(2));
    let busy: f64 = ask(b"cpu\n").parse().unwrap();
    say("SQLite, CPU of another process that waits", (busy - idle) / 2e7, "% of a core");
    let (mut times, clock) = (Vec::new(), Instant::now());
    for number in 1..=300 {
        thread::sleep(BETWEEN_TOKENS);
        let begin = Instant::now();
        write_one(&store, number);
        assert_eq!(ask(b"next\n"), number.to_string());
        times.push(begin.elapsed());
    }
    let taken = ask(b"cpu\n").parse::<f64>().unwrap() - busy;
    say(
        "SQLite, CPU of another process that reads 50 tokens/s",
        taken / clock.elapsed().as_secs_f64() / 1e7,
        "% of a core",
    );
    drop(asks);
    reader.wait().unwrap();
    say_times("SQLite, a token read in another process", times);
}

/// The other process: each line of the input asks for the number of the next frame, once it is read, or for the CPU time
/// in nanoseconds.
fn read_for_parent(path: &Path) {
    let store = open(path, Synchronous::Normal);
    let (sender, receiver) = channel();
    let _watch = store.watch(key(0), move |hint| sender.send(hint).unwrap_or_default()).unwrap();
    let mut number = 0;
    for line in stdin().lines() {
        if line.unwrap() == "cpu" {
            println!("{}", cpu_time::ProcessTime::now().as_duration().as_nanos());
            continue;
        }
        number += 1;
        while read_behind(&store, number - 1) == 0 {
            receiver.recv().unwrap();
        }
        println!("{number}");
    }
}

/// Appends one frame, and does not wait.
fn write_one(store: &SqliteStore, number: u64) {
    let append = Append { key: key(0), epoch: 1, first: number, frames: vec![frame()], end: None };
    store.execute(Operation::Append(append), |_| {});
}

/// Reads behind a place. Returns the number of frames.
fn read_behind(store: &SqliteStore, number: u64) -> usize {
    let after = Some(Cursor { incarnation: Incarnation::from_bytes([7; 16]), number });
    let Reply::Page(page) = run(store, Operation::Read(Read { key: key(0), after, max_bytes: 256 << 10 }))
    else {
        panic!("it is stored")
    };
    page.frames.len()
}

fn say_times(name: &str, mut times: Vec<Duration>) {
    times.sort();
    for part in [50, 99] {
        say(&format!("{name}, p{part}"), times[times.len() * part / 100].as_secs_f64() * 1e3, "ms");
    }
}
