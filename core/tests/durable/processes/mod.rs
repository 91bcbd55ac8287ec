//! Eight processes on the same few threads of each engine that outlives a process. They race to create and to claim logs with
//! short leases, and append batches, some of them twice; some are stopped and go on, some are killed, and others take their
//! place. `make test-processes` does it for minutes: `PROCESSES_SECONDS` says for how many seconds.
//!
//! A process is this program once more, by the name of a test that does nothing otherwise.

mod report;
mod worker;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{env, process};

use ag_ui_native::bindings::durable::*;

use self::report::Report;
use crate::engine::TestEngine;
use crate::redis::Server;
use crate::simulation::Chance;

const PROCESSES: u64 = 8;
const THREADS: usize = 3;
/// The environment of a worker: its engine, the place of that, its number, the moment of its end as milliseconds.
const WORKER: [&str; 4] = ["AG_UI_TEST_ENGINE", "AG_UI_TEST_PLACE", "AG_UI_TEST_NUMBER", "AG_UI_TEST_END"];

fn key(thread: u64, run: u64) -> LogKey {
    LogKey::new("processes", &format!("thread {thread}"), &format!("run {run}")).unwrap()
}

/// The frame that a worker appends as this number of a log, in this epoch.
fn frame(worker: u64, epoch: u64, number: u64) -> Frame {
    let length = usize::try_from((worker * 7 + number * 13) % 90).unwrap();
    format!("{worker} {epoch} {number} {}", "é".repeat(length)).into()
}

/// The last frame that a worker appends.
fn last_frame(worker: u64, epoch: u64, number: u64) -> Frame {
    format!("{worker} {epoch} {number} end").into()
}

fn connect(engine: &str, place: &str) -> Box<dyn TestEngine> {
    match engine {
        "redis" => Box::new(crate::redis::connect(place.as_ref())),
        #[cfg(feature = "sqlite")]
        "sqlite" => Box::new(crate::sqlite::open(place.as_ref())),
        other => panic!("{other}"),
    }
}

/// A worker that is running, and the reader of what it reports. It ends with this.
struct Running {
    number: u64,
    child: Child,
    lines: Option<JoinHandle<Vec<String>>>,
}

impl Running {
    fn start(engine: &str, place: &str, number: u64, length: Duration) -> Self {
        let values = [engine, place, &number.to_string(), &length.as_millis().to_string()];
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["processes::worker::work", "--exact", "--nocapture", "--test-threads=1"])
            .envs(WORKER.into_iter().zip(values))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let lines = thread::spawn(move || {
            lines.filter_map(|line| Some(line.ok()?.split_once('@')?.1.to_owned())).collect()
        });
        Self { number, child, lines: Some(lines) }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Returns what it has reported, once it has ended.
    fn reported(mut self) -> Vec<String> {
        self.lines.take().unwrap().join().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Has the processes work, and checks what they report and what is stored.
fn check(engine: &str, place: &str) {
    let seconds = env::var("PROCESSES_SECONDS").map_or(5, |seconds| seconds.parse().unwrap());
    let (begin, length) = (Instant::now(), Duration::from_secs(seconds));
    let left = || length.saturating_sub(begin.elapsed());
    let mut chance = Chance(u64::from(process::id()));
    let mut report = Report::default();
    let mut running: Vec<_> =
        (0..PROCESSES).map(|number| Running::start(engine, place, number, length)).collect();
    let (mut stops, mut kills) = (0, 0);
    while left() > Duration::from_millis(500) {
        let at = chance.below(running.len());
        if chance.is(3) {
            running[at].signal("-KILL");
            let killed = running.swap_remove(at);
            let number = killed.number;
            report.add(number, &killed.reported());
            running.push(Running::start(engine, place, PROCESSES + kills, left()));
            kills += 1;
        } else {
            running[at].signal("-STOP");
            thread::sleep(Duration::from_millis(1 + chance.draw() % 150));
            running[at].signal("-CONT");
            stops += 1;
        }
        thread::sleep(Duration::from_millis(chance.draw() % 50));
    }
    for mut worker in running {
        assert!(worker.child.wait().unwrap().success());
        let number = worker.number;
        report.add(number, &worker.reported());
    }
    let counts = report.check(&mut *connect(engine, place));
    eprintln!("{engine}: {stops} stops, {kills} kills, {counts:?}");
    assert!(counts.own_ends > 0 && counts.lost > 0 && counts.frames > 100 && counts.fenced > 0, "{counts:?}");
}

#[test]
fn redis() {
    let server = Server::start("processes", &[]);
    check("redis", server.socket().to_str().unwrap());
}

#[test]
#[cfg(feature = "sqlite")]
fn sqlite() {
    let folder = crate::sqlite::Folder::new("processes");
    check("sqlite", folder.file().to_str().unwrap());
    assert!(crate::sqlite::is_whole(&folder.file()));
}
