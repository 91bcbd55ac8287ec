//! Full disks, other processes that write for long, closed stores, callbacks that panic.

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::*;
use rusqlite::Connection;

use super::{Folder, append, frames_of, open, run, send, try_run};
use crate::store::{create, frames, key};

pub fn is_whole(path: &std::path::Path) -> bool {
    let connection = Connection::open(path).unwrap();
    let check: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    check == "ok"
}

fn big(key: &LogKey) -> Create {
    Create { policy: LogPolicy { max_bytes: 1 << 30, ..LogPolicy::default() }, ..create(key.clone()) }
}

#[test]
fn a_write_of_another_process_is_waited_for_and_then_a_failure() {
    let folder = Folder::new("busy");
    let options = SqliteOptions { busy_timeout: Duration::from_millis(50), ..SqliteOptions::default() };
    let store = SqliteStore::open(folder.file(), options).unwrap();
    let other = Connection::open(folder.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let operation = || Operation::Create(create(key("r")).into());
    assert_eq!(try_run(&store, operation()).unwrap_err().code(), Code::LogUnavailable);
    assert_eq!(
        run(&store, Operation::Info { key: key("r") }),
        Reply::Unknown,
        "reads do not wait for writes"
    );
    other.execute_batch("ROLLBACK").unwrap();
    assert!(matches!(run(&store, operation()), Reply::Created { .. }));
    assert!(is_whole(&folder.file()));
}

#[test]
fn a_full_disk_fails_what_needs_room_and_nothing_else() {
    let folder = Folder::new("full");
    let options = SqliteOptions { max_bytes: Some(200 << 10), ..SqliteOptions::default() };
    let store = SqliteStore::open(folder.file(), options).unwrap();
    let (small, large) = (key("small"), LogKey::new("scope", "other", "large").unwrap());
    for key in [&small, &large] {
        assert!(matches!(run(&store, Operation::Create(big(key).into())), Reply::Created { .. }));
    }
    // All wait for this one, so that they are executed together.
    let other = Connection::open(folder.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let held = send(&store, Operation::Cancel { key: small.clone() });
    let first = send(&store, append(&small, 1, 1, frames(&["one"]), None));
    let failed = send(&store, append(&large, 1, 1, frames(&[&"x".repeat(400 << 10)]), None));
    let second = send(&store, append(&small, 1, 2, frames(&["two"]), None));
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(held.recv().unwrap().unwrap(), Reply::Done);
    assert_eq!(first.recv().unwrap().unwrap(), Reply::Appended { next: 2 });
    let error = failed.recv().unwrap().unwrap_err();
    assert_eq!(error.code(), Code::LogUnavailable);
    assert!(error.to_string().contains("full"), "{error}");
    assert_eq!(second.recv().unwrap().unwrap(), Reply::Appended { next: 3 });
    assert_eq!(frames_of(&store, &small), frames(&["one", "two"]));
    assert_eq!(frames_of(&store, &large), []);
    assert!(is_whole(&folder.file()));
}

#[test]
fn a_closed_store_has_done_all_and_fails_what_comes_later() {
    let folder = Folder::new("closed");
    let store = open(&folder.file());
    run(&store, Operation::Create(create(key("r")).into()));
    let sent: Vec<_> =
        (1..=100).map(|first| send(&store, append(&key("r"), 1, first, frames(&["a"]), None))).collect();
    store.close();
    for (reply, next) in sent.into_iter().zip(2..) {
        assert_eq!(reply.try_recv().unwrap().unwrap(), Reply::Appended { next });
    }
    let error = try_run(&store, Operation::Info { key: key("r") }).unwrap_err();
    assert_eq!(error.code(), Code::LogUnavailable);
    store.close();
    assert!(is_whole(&folder.file()));
}

#[test]
fn a_store_is_dropped_from_its_own_callback() {
    let folder = Folder::new("dropped");
    let store = Arc::new(open(&folder.file()));
    let (sender, receiver) = channel();
    for operation in [Operation::Create(create(key("r")).into()), Operation::Info { key: key("r") }] {
        let (last, sender) = (Arc::clone(&store), sender.clone());
        store.execute(operation, move |reply| {
            last.close();
            drop(last);
            sender.send(reply.is_ok()).unwrap();
        });
    }
    drop((store, sender));
    assert_eq!(receiver.iter().count(), 2);
    assert!(is_whole(&folder.file()));
}

#[test]
fn a_callback_that_panics_ends_nothing_else() {
    let folder = Folder::new("panics");
    let store = open(&folder.file());
    let _watch = store.watch(key("r"), |_| panic!("in the callback of a hint")).unwrap();
    store.execute(Operation::Create(create(key("r")).into()), |_| panic!("in the callback of a reply"));
    store.execute(Operation::Info { key: key("r") }, |_| panic!("in the callback of a read"));
    assert_eq!(run(&store, append(&key("r"), 1, 1, frames(&["a"]), None)), Reply::Appended { next: 2 });
    assert_eq!(frames_of(&store, &key("r")), frames(&["a"]));
}

#[test]
fn a_folder_that_is_missing_is_a_clear_error() {
    let folder = Folder::new("missing");
    let error = SqliteStore::open(folder.file().join("below"), SqliteOptions::default()).err().unwrap();
    assert_eq!(error.code(), Code::LogUnavailable);
    let error = SqliteStore::open(folder.file().parent().unwrap(), SqliteOptions::default()).err().unwrap();
    assert_eq!(error.code(), Code::LogUnavailable);
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_the_files() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new("permissions");
    let store = open(&folder.file());
    run(&store, Operation::Create(create(key("r")).into()));
    let files: Vec<_> = fs::read_dir(folder.file().parent().unwrap()).unwrap().map(Result::unwrap).collect();
    assert!(files.len() >= 2, "the file and its write-ahead log");
    for file in files {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
}
