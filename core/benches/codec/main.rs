//! Measures core against ag-ui-core 0.1.0 and `serde_json`:
//! `cargo bench --bench codec -- DATA RESULT [--quick] [--ours] [--rows FILE]`, as in `bench/python/measure.py`. The
//! documents come from `bench/scenarios.py`; `bench/run.sh` does both.
#![allow(clippy::print_stderr, missing_docs)] // It is a command.

mod decode;
mod encode;
mod measure;
mod models;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, exit};

use measure::{Operation, run};
use serde_json::{Value, json};

/// The file from which versions are read.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// The documents that `bench/scenarios.py` has written.
pub struct Scenarios {
    documents: BTreeMap<String, String>,
    stream: Vec<u8>,
    /// The JSON of every event of the stream.
    events: Vec<String>,
    /// The frames of the stream, one for each event.
    frames: Vec<Vec<u8>>,
}

impl Scenarios {
    fn read(directory: &Path) -> Self {
        let text = std::fs::read_to_string(directory.join("documents.json")).expect("scenarios.py has run");
        let stream = std::fs::read_to_string(directory.join("stream.sse")).expect("scenarios.py has run");
        let events =
            stream.split_terminator("\n\n").map(|frame| frame["data: ".len()..].to_owned()).collect();
        let frames = stream.split_inclusive("\n\n").map(|frame| frame.as_bytes().to_vec()).collect();
        let documents = serde_json::from_str(&text).expect("a map of texts");
        Self { documents, stream: stream.into_bytes(), events, frames }
    }
}

fn version(package: &str) -> &'static str {
    let entry =
        LOCK.split_once(&format!("name = \"{package}\"\nversion = \"")).expect("it is in the lock file").1;
    entry.split('"').next().unwrap_or_default()
}

fn rustc() -> String {
    let output =
        Command::new("rustc").arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).split(' ').nth(1).unwrap_or("unknown").to_owned()
}

fn main() {
    if cfg!(debug_assertions) {
        eprintln!("this is a debug build: use `cargo bench`");
        exit(1);
    }
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [data, result, ..] = &arguments[..] else {
        eprintln!("usage: cargo bench --bench codec -- DATA RESULT [--quick] [--ours] [--rows FILE]");
        exit(1);
    };
    let asked = |option: &str| arguments.iter().position(|argument| argument == option);
    let rounds = if asked("--quick").is_some() { 5 } else { 31 };
    let rows: Option<Value> = asked("--rows").map(|at| {
        let text = std::fs::read_to_string(&arguments[at + 1]).expect("a file of rows");
        serde_json::from_str(&text).expect("a list of rows for each language")
    });
    let scenarios = Scenarios::read(Path::new(data));
    let mut operations: Vec<Operation<'_>> = Vec::new();
    operations.extend(decode::operations(&scenarios));
    operations.extend(encode::operations(&scenarios));
    if asked("--ours").is_some() {
        operations.iter_mut().for_each(Operation::leave_others_out);
    }
    operations.retain(|operation| {
        let named =
            |rows: &Value| rows["Rust"].as_array().is_some_and(|rows| rows.contains(&json!(operation.name)));
        rows.as_ref().is_none_or(named)
    });
    let rows: Vec<Value> = run(&mut operations, rounds);
    let versions = json!({
        "rustc": rustc(), "ag-ui-core": version("ag-ui-core"), "serde_json": version("serde_json"),
    });
    let report = json!({"language": "Rust", "versions": versions, "rounds": rounds, "rows": rows});
    let text = serde_json::to_string_pretty(&report).expect("values can be written");
    std::fs::write(result, text + "\n").expect("the result can be written");
}
