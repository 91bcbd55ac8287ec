//! The format of the file, and the start of the machine from which its times count.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::*;
use rusqlite::Connection;

use super::{Folder, append, frames_of, open, run};
use crate::store::{create, frames, key};

fn refusal(folder: &Folder) -> (Code, String) {
    let error = SqliteStore::open(folder.file(), SqliteOptions::default()).err().unwrap();
    (error.code(), error.to_string())
}

#[test]
fn a_newer_format_is_refused() {
    let folder = Folder::new("newer");
    open(&folder.file()).close();
    Connection::open(folder.file()).unwrap().pragma_update(None, "user_version", 2).unwrap();
    let (code, message) = refusal(&folder);
    assert_eq!(code, Code::LogUnreadable);
    assert!(message.contains("format 2"), "{message}");
}

#[test]
fn files_of_others_are_refused() {
    let folder = Folder::new("others");
    fs::write(folder.file(), "no database, but a text that is long enough".repeat(100)).unwrap();
    assert_eq!(refusal(&folder).0, Code::LogUnreadable);
    fs::remove_file(folder.file()).unwrap();
    Connection::open(folder.file()).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    assert_eq!(refusal(&folder).0, Code::LogUnreadable);
    let tables: i64 = Connection::open(folder.file())
        .unwrap()
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 1, "nothing was written into it");
    let mode: String = Connection::open(folder.file())
        .unwrap()
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "delete", "nor was its mode changed");
}

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/durable/format-1.sqlite");

fn of_kept(run: &str) -> LogKey {
    LogKey::new("kept", "thread", run).unwrap()
}

fn kept_frames() -> Vec<Frame> {
    let long = "long ".repeat(60);
    frames(&["{\"type\":\"RUN_STARTED\"}", "é 😀 \0", &long, "", "z"])
}

/// Format 1 is never written anew: what was written once stays readable.
#[test]
#[ignore = "it writes the file that is kept"]
fn write_the_kept_file() {
    let folder = Folder::new("kept");
    let now = || Duration::from_secs(1_000);
    let store = SqliteStore::open_at(folder.file(), SqliteOptions::default(), "the first boot", now).unwrap();
    run(&store, Operation::Create(create(of_kept("ended")).into()));
    let all = kept_frames();
    run(&store, append(&of_kept("ended"), 1, 1, all[..3].to_vec(), None));
    let end = RunEnd { snapshot: Some("{\"state\":1}".into()) };
    run(&store, append(&of_kept("ended"), 1, 4, all[3..].to_vec(), Some(end)));
    run(&store, Operation::Create(Create { run_id: "open".into(), ..create(of_kept("open")) }.into()));
    run(&store, append(&of_kept("open"), 1, 1, frames(&["a"]), None));
    store.close();
    fs::copy(folder.file(), KEPT).unwrap();
}

#[test]
fn a_kept_file_of_format_1_is_read() {
    let folder = Folder::new("format");
    fs::copy(KEPT, folder.file()).unwrap();
    let store = open(&folder.file());
    assert_eq!(frames_of(&store, &of_kept("ended")), kept_frames());
    let cursor = Cursor { incarnation: Incarnation::from_bytes([7; 16]), number: 2 };
    let read = Read { key: of_kept("ended"), after: Some(cursor), max_bytes: 1 };
    let Reply::Page(page) = run(&store, Operation::Read(read)) else { panic!("it is kept") };
    assert_eq!((page.first, page.next, page.is_closed), (3, 6, true));
    assert_eq!(page.frames[0], kept_frames()[2]);
    let thread = of_kept("ended").thread().clone();
    let Reply::Thread(thread) = run(&store, Operation::ReadThread { thread }) else { panic!("it is kept") };
    assert_eq!(thread.snapshot, Some("{\"state\":1}".into()));
    assert_eq!((thread.active_run, thread.last_run.as_deref()), (None, Some("open")), "its lease is over");
    assert_eq!(frames_of(&store, &of_kept("open")).len(), 2, "it ends as lost");
}

/// A machine that starts again: its clock begins at zero.
#[test]
fn leases_of_an_earlier_start_are_over_and_times_to_keep_begin_anew() {
    let folder = Folder::new("boots");
    let minute = Duration::from_secs(60);
    let clock = Arc::new(AtomicU64::new(10_000));
    let at = |boot: &str| {
        let clock = Arc::clone(&clock);
        let now = move || Duration::from_secs(clock.load(Ordering::SeqCst));
        SqliteStore::open_at(folder.file(), SqliteOptions::default(), boot, now).unwrap()
    };
    let policy = LogPolicy { keep: minute, keep_thread: minute * 2, ..LogPolicy::default() };
    let create = |run: &str| Create { policy, run_id: run.into(), ..create(key(run)) };
    let store = at("first");
    run(&store, Operation::Create(create("ended").into()));
    run(&store, append(&key("ended"), 1, 1, frames(&["z"]), Some(RunEnd::default())));
    run(&store, Operation::Create(create("open").into()));
    run(&store, append(&key("open"), 1, 1, frames(&["a"]), None));
    store.close();

    clock.store(5, Ordering::SeqCst);
    let store = at("second");
    let info = |store: &SqliteStore, name: &str| run(store, Operation::Info { key: key(name) });
    let Reply::Info(open) = info(&store, "open") else { panic!("it is kept") };
    assert!(open.is_closed && open.next == 3);
    assert_ne!(open.incarnation, create("open").incarnation, "its last frames may be lost with the power");
    clock.store(64, Ordering::SeqCst);
    assert!(matches!(info(&store, "ended"), Reply::Info(_)));
    store.close();
    let store = at("second");
    assert!(matches!(info(&store, "ended"), Reply::Info(_)));
    clock.store(65, Ordering::SeqCst);
    assert_eq!(info(&store, "ended"), Reply::Unknown, "it was kept a minute more, once");
    clock.store(10_000, Ordering::SeqCst);
    let thread = key("ended").thread().clone();
    assert_eq!(run(&store, Operation::ReadThread { thread }), Reply::Thread(ThreadInfo::default()));
}
