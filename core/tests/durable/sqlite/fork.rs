//! A process that forks with an open store.
#![cfg(target_os = "linux")]

use std::process::id;
use std::{fs, thread};

use ag_ui_native::bindings::durable::*;

use super::processes::{given, lines, start};
use super::{Folder, append, frames_of, open, run};
use crate::store::{create, frames, key};

#[allow(unsafe_code)] // The standard library has no fork.
mod system {
    unsafe extern "C" {
        pub safe fn fork() -> i32;
        pub safe fn _exit(code: i32) -> !;
    }
}

#[test]
fn a_child_opens_the_file_anew() {
    let folder = Folder::new("fork");
    let mut child = start("sqlite::fork::one_that_forks", &folder, 0);
    let mut found: Vec<_> = lines(&mut child).collect();
    found.sort();
    assert!(child.wait().unwrap().success());
    assert_eq!(found, ["child", "parent"]);
}

/// Does nothing, unless the test above starts it: what forks has no other threads that run.
#[test]
#[allow(clippy::print_stdout)] // It reports.
fn one_that_forks() {
    let Some((file, _)) = given() else { return };
    let store = open(&file);
    run(&store, Operation::Create(create(key("r")).into()));
    run(&store, append(&key("r"), 1, 1, frames(&["before"]), None));
    // Its threads are idle: all that was sent is answered.
    if system::fork() == 0 {
        let appended = run(&store, append(&key("r"), 1, 2, frames(&["child"]), None));
        assert_eq!(appended, Reply::Appended { next: 3 });
        assert_eq!(frames_of(&store, &key("r"))[..2], frames(&["before", "child"]));
        let locks = fs::read_to_string("/proc/locks").unwrap();
        let own = format!(" {} ", id());
        assert!(
            locks.lines().filter(|line| line.contains(&own)).count() >= 2,
            "its locks are its own: {locks}"
        );
        drop(store);
        println!("@child");
        system::_exit(0);
    }
    while frames_of(&store, &key("r")).len() < 2 {
        thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(run(&store, append(&key("r"), 1, 3, frames(&["parent"]), None)), Reply::Appended { next: 4 });
    assert_eq!(frames_of(&store, &key("r")), frames(&["before", "child", "parent"]));
    println!("@parent");
}
