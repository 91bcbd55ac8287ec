//! Hints of what the same process writes, and of what another store on the file writes.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ag_ui_native::bindings::durable::*;

use super::{Folder, append, open, run};
use crate::store::{create, frames, key};

const PATIENCE: Duration = Duration::from_secs(20);

fn watch(store: &SqliteStore) -> (SqliteWatch, Receiver<Hint>) {
    let (sender, receiver) = channel();
    let watch = store.watch(key("r"), move |hint| sender.send(hint).unwrap_or_default()).unwrap();
    (watch, receiver)
}

fn wait_for(hints: &Receiver<Hint>, wanted: Hint) {
    while hints.recv_timeout(PATIENCE).unwrap() != wanted {}
}

#[test]
fn writes_of_the_same_store_are_told_before_their_replies() {
    let folder = Folder::new("told");
    let store = open(&folder.file());
    run(&store, Operation::Create(create(key("r")).into()));
    let (watch, hints) = watch(&store);
    run(&store, append(&key("r"), 1, 1, frames(&["a", "b"]), None));
    assert!(hints.try_iter().any(|hint| hint == Hint::Appended { next: 3 }));
    run(&store, Operation::Cancel { key: key("r") });
    assert!(hints.try_iter().any(|hint| hint == Hint::Cancelled));
    drop(watch);
    run(&store, append(&key("r"), 1, 3, frames(&["c"]), None));
    run(&store, Operation::Info { key: key("r") });
    assert_eq!(hints.iter().count(), 0, "nobody watches any more");
}

#[test]
fn writes_of_another_store_are_told_soon() {
    let folder = Folder::new("soon");
    let (writer, reader) = (open(&folder.file()), open(&folder.file()));
    run(&writer, Operation::Create(create(key("r")).into()));
    let (_watch, hints) = watch(&reader);
    let mut times = vec![];
    for first in 1..=21 {
        let begin = Instant::now();
        run(&writer, append(&key("r"), 1, first, frames(&["a"]), None));
        wait_for(&hints, Hint::Appended { next: first + 1 });
        times.push(begin.elapsed());
    }
    times.sort();
    assert!(times[10] < Duration::from_millis(100), "{times:?}");
    run(&writer, Operation::Cancel { key: key("r") });
    wait_for(&hints, Hint::Cancelled);
}
