//! The engine on a disk.

mod faults;
mod fork;
mod format;
mod processes;
mod watching;

pub use faults::is_whole;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fs, process, thread};

use ag_ui_native::Error;
use ag_ui_native::bindings::durable::*;

use crate::engine::{self, TestEngine};
use crate::schedules;
use crate::simulation::Chance;

/// A folder of a test's own, which ends with it.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("ag-ui-sqlite-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn file(&self) -> PathBuf {
        self.0.join("runs.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, SqliteOptions::default()).unwrap()
}

/// Sends an operation.
pub fn send(store: &SqliteStore, operation: Operation) -> Receiver<Result<Reply, Error>> {
    let (sender, receiver) = channel();
    store.execute(operation, move |reply| drop(sender.send(reply)));
    receiver
}

/// Executes an operation, and waits for its reply.
pub fn try_run(store: &SqliteStore, operation: Operation) -> Result<Reply, Error> {
    send(store, operation).recv().unwrap()
}

pub fn run(store: &SqliteStore, operation: Operation) -> Reply {
    try_run(store, operation).unwrap()
}

pub fn append(key: &LogKey, epoch: u64, first: u64, frames: Vec<Frame>, end: Option<RunEnd>) -> Operation {
    Operation::Append(Append { key: key.clone(), epoch, first, frames, end })
}

/// Reads all frames of a log.
pub fn frames_of(store: &SqliteStore, key: &LogKey) -> Vec<Frame> {
    let (mut frames, mut after) = (vec![], None);
    loop {
        match run(store, Operation::Read(Read { key: key.clone(), after, max_bytes: 10_000 })) {
            Reply::Page(page) if page.frames.is_empty() => return frames,
            Reply::Page(page) => {
                frames.extend(page.frames);
                after = Some(Cursor { incarnation: page.incarnation, number: frames.len() as u64 });
            }
            other => panic!("{other:?}"),
        }
    }
}

impl TestEngine for SqliteStore {
    fn execute(&mut self, operation: Operation) -> Reply {
        run(self, operation)
    }

    fn wait(&mut self, time: Duration) {
        thread::sleep(time);
    }
}

#[test]
fn suite() {
    let folder = Folder::new("suite");
    engine::check_at_once("sqlite", |_| open(&folder.file()));
}

/// The schedules of the engine in memory, with a clock of their own: fewer, since each operation is written to a disk.
#[test]
fn schedules_over_a_file() {
    for seed in 1..=300 {
        let folder = Folder::new("schedules");
        let clock = Arc::new(AtomicU64::new(0));
        let time = Arc::clone(&clock);
        let now = move || Duration::from_nanos(time.load(Ordering::SeqCst));
        let store = SqliteStore::open_at(folder.file(), SqliteOptions::default(), "boot", now).unwrap();
        let (hints, key) = (Arc::new(Mutex::new(vec![])), LogKey::new("scope", "t", "r").unwrap());
        let (told, watched) = (Arc::clone(&hints), key.clone());
        let watch = store.watch(key, move |hint| told.lock().unwrap().push((watched.clone(), hint))).unwrap();
        let execute = move |now: Duration, operation| {
            let _watch = &watch;
            clock.store(u64::try_from(now.as_nanos()).unwrap(), Ordering::SeqCst);
            let reply = run(&store, operation);
            Executed { reply, hints: std::mem::take(&mut hints.lock().unwrap()) }
        };
        eprintln!("SEED={seed}");
        schedules::play(&mut Chance(seed), Box::new(execute));
    }
}

#[test]
fn many_operations_at_once_are_each_answered() {
    let folder = Folder::new("many");
    let store = open(&folder.file());
    let key = |thread: u64| LogKey::new("scope", &format!("thread {thread}"), "r").unwrap();
    let created: Vec<_> = (0..32)
        .map(|thread| send(&store, Operation::Create(crate::store::create(key(thread)).into())))
        .collect();
    assert!(created.into_iter().all(|reply| matches!(reply.recv().unwrap(), Ok(Reply::Created { .. }))));
    let mut sent = vec![];
    for number in 1..=50 {
        for thread in 0..32 {
            let frames = crate::store::frames(&[&format!("{thread}.{number}\0")]);
            sent.push((number, send(&store, append(&key(thread), 1, number, frames, None))));
        }
    }
    for (number, reply) in sent {
        assert_eq!(reply.recv().unwrap().unwrap(), Reply::Appended { next: number + 1 });
    }
    for thread in 0..32 {
        let texts: Vec<_> = (1..=50).map(|number| Frame::from(format!("{thread}.{number}\0"))).collect();
        assert_eq!(frames_of(&store, &key(thread)), texts);
    }
}
