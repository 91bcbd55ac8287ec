//! Several processes on one file. Each is this program once more, by the name of a test that does nothing otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, thread};

use ag_ui_native::bindings::durable::*;

use super::faults::is_whole;
use super::{Folder, append, frames_of, open, run};
use crate::simulation::Chance;
use crate::store::{create, key};

const FILE: &str = "AG_UI_TEST_FILE";
const NUMBER: &str = "AG_UI_TEST_NUMBER";
const LOGS: u64 = 24;

/// Starts this program as the process of that number, which runs one test.
pub fn start(test: &str, folder: &Folder, number: u64) -> Child {
    Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(FILE, folder.file())
        .env(NUMBER, number.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The file and the number, in a process that was started so.
pub fn given() -> Option<(PathBuf, u64)> {
    Some((env::var_os(FILE)?.into(), env::var(NUMBER).ok()?.parse().unwrap()))
}

/// The lines that a process prints behind a `@`.
pub fn lines(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.filter_map(|line| Some(line.ok()?.split_once('@')?.1.to_owned()))
}

fn log(number: u64) -> LogKey {
    LogKey::new("scope", &format!("thread {number}"), "r").unwrap()
}

#[test]
fn eight_processes_write_and_read_the_same_logs() {
    let folder = Folder::new("eight");
    let store = open(&folder.file());
    for number in 0..LOGS {
        let create = Create { lease: Duration::ZERO, ..create(log(number)) };
        assert!(matches!(run(&store, Operation::Create(create.into())), Reply::Created { .. }));
    }
    let processes: Vec<_> =
        (1..=8).map(|number| start("sqlite::processes::one_of_eight", &folder, number)).collect();
    let reports: Vec<Vec<String>> = thread::scope(|scope| {
        let reports: Vec<_> = processes
            .into_iter()
            .map(|mut child| {
                scope.spawn(move || {
                    let lines = lines(&mut child).collect();
                    assert!(child.wait().unwrap().success());
                    lines
                })
            })
            .collect();
        reports.into_iter().map(|report| report.join().unwrap()).collect()
    });
    let (mut epochs, mut stored) = (BTreeMap::<u64, Vec<u64>>::new(), BTreeMap::<u64, (u64, u64)>::new());
    let mut texts = BTreeMap::<u64, BTreeSet<String>>::new();
    for (process, line) in
        (1..).zip(&reports).flat_map(|(process, lines)| lines.iter().map(move |line| (process, line)))
    {
        let words: Vec<_> = line.splitn(3, ' ').collect();
        let number = words[1].parse().unwrap();
        match words[0] {
            "claimed" => epochs.entry(number).or_default().push(words[2].parse().unwrap()),
            "stored" => {
                let entry = stored.entry(number).or_insert((process, 0));
                assert_eq!(entry.0, process, "log {number} has one writer");
                entry.1 = entry.1.max(words[2].parse().unwrap());
            }
            _ => drop(texts.entry(number).or_default().insert(words[2].to_owned())),
        }
    }
    for number in 0..LOGS {
        let mut claimed = epochs[&number].clone();
        claimed.sort_unstable();
        let count = claimed.len() as u64;
        assert_eq!(claimed, (2..2 + count).collect::<Vec<_>>(), "each epoch of log {number} is taken once");
        let frames = frames_of(&store, &log(number));
        let (process, last) = stored.get(&number).copied().unwrap_or_default();
        assert!(frames.len() as u64 > last, "what was acknowledged is stored");
        let (end, before) = frames.split_last().unwrap();
        for (frame, number) in before.iter().zip(1..) {
            assert_eq!(frame.as_str(), format!("{process}.{number}"), "no gap, no duplicate");
        }
        assert!(end.as_str() == "end" || end.as_str().contains("producer_lost"));
        let joined = frames.iter().map(Frame::as_str).collect::<Vec<_>>().join(" ");
        assert_eq!(texts[&number], BTreeSet::from([joined]), "all readers have the same bytes");
    }
    store.close();
    assert!(is_whole(&folder.file()));
}

/// Does nothing, unless the test above starts it.
#[test]
#[allow(clippy::print_stdout)] // It reports.
fn one_of_eight() {
    let Some((file, process)) = given() else { return };
    let (store, mut chance) = (open(&file), Chance(process));
    let owner = format!("process {process}");
    let mut open_logs: Vec<_> = (0..LOGS).collect();
    while !open_logs.is_empty() {
        let number = chance.one(&open_logs);
        let lease = Duration::from_millis(chance.one(&[1, 20, 1_000]));
        let claim = Operation::Claim { key: log(number), owner: owner.clone(), lease };
        match run(&store, claim) {
            Reply::Claimed { epoch } => {
                println!("@claimed {number} {epoch}");
                // One that does nothing lets another have it.
                if chance.is(3) {
                    write(&store, &mut chance, process, number, epoch);
                }
            }
            Reply::Held | Reply::Closed => {
                let read = Operation::Info { key: log(number) };
                if matches!(run(&store, read), Reply::Info(LogInfo { is_closed: true, .. })) {
                    open_logs.retain(|other| *other != number);
                }
            }
            other => panic!("{other:?}"),
        }
    }
    for number in 0..LOGS {
        let frames = frames_of(&store, &log(number));
        println!("@read {number} {}", frames.iter().map(Frame::as_str).collect::<Vec<_>>().join(" "));
    }
}

#[allow(clippy::print_stdout)] // It reports.
fn write(store: &SqliteStore, chance: &mut Chance, process: u64, number: u64, epoch: u64) {
    let mut next = 1;
    while !chance.is(10) {
        let count = 1 + chance.below(5) as u64;
        let frames = (next..next + count).map(|at| Frame::from(format!("{process}.{at}"))).collect();
        match run(store, append(&log(number), epoch, next, frames, None)) {
            Reply::Appended { next: after } => {
                assert_eq!(after, next + count);
                println!("@stored {number} {}", after - 1);
                next = after;
            }
            Reply::Fenced => return,
            other => panic!("{other:?}"),
        }
    }
    // Half of them end; the others are lost with their lease.
    if chance.is(2) {
        let end = append(&log(number), epoch, next, vec!["end".into()], Some(RunEnd::default()));
        assert!(matches!(run(store, end), Reply::Appended { .. } | Reply::Fenced));
    }
}

#[test]
fn what_was_acknowledged_outlives_a_process_that_is_killed() {
    let folder = Folder::new("killed");
    for number in 0..3 {
        let mut child = start("sqlite::processes::one_that_is_killed", &folder, number);
        let mut lines = lines(&mut child);
        for _ in 0..100 {
            lines.next().unwrap();
        }
        // `kill` is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        let acknowledged: usize = lines.last().map_or(100, |line| line.parse().unwrap());
        assert!(is_whole(&folder.file()));
        let store = open(&folder.file());
        let frames = frames_of(&store, &key(&format!("run {number}")));
        assert!(frames.len() >= acknowledged, "{} of {acknowledged}", frames.len());
        for (frame, at) in frames.iter().zip(1..) {
            assert_eq!(frame.as_str(), format!("{at} {}", "x".repeat(at % 700)));
        }
        assert_eq!(run(&store, Operation::Delete { key: key(&format!("run {number}")) }), Reply::Done);
    }
}

/// Does nothing, unless the test above starts it.
#[test]
#[allow(clippy::print_stdout)] // It reports.
fn one_that_is_killed() {
    let Some((file, number)) = given() else { return };
    let (store, key) = (open(&file), key(&format!("run {number}")));
    let policy = LogPolicy { max_bytes: usize::MAX, ..LogPolicy::default() };
    run(&store, Operation::Create(Create { policy, ..create(key.clone()) }.into()));
    for at in 1.. {
        let frame = Frame::from(format!("{at} {}", "x".repeat(at % 700)));
        let reply = run(&store, append(&key, 1, at as u64, vec![frame], None));
        assert_eq!(reply, Reply::Appended { next: at as u64 + 1 });
        println!("@{at}");
    }
}
