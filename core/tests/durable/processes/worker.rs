//! One of the processes. Each line behind a `@` reports what an engine has replied to it.

use std::env;
use std::thread;
use std::time::{Duration, Instant};

use ag_ui_native::bindings::durable::*;

use super::{THREADS, WORKER, connect, frame, key, last_frame};
use crate::engine::TestEngine;
use crate::simulation::Chance;
use crate::store::create;

struct Worker {
    engine: Box<dyn TestEngine>,
    chance: Chance,
    number: u64,
    /// The number of attempts to get a run. Each has an owner of its own, as each request of a server has.
    attempts: u64,
}

/// Does nothing, unless it is started as a worker.
#[test]
fn work() {
    let values: Option<Vec<_>> = WORKER.iter().map(|name| env::var(name).ok()).collect();
    let Some([engine, place, number, length]) = values.as_deref() else { return };
    let (number, length) = (number.parse().unwrap(), Duration::from_millis(length.parse().unwrap()));
    let mut worker = Worker { engine: connect(engine, place), chance: Chance(number), number, attempts: 0 };
    let mut runs = [0; THREADS];
    let begin = Instant::now();
    while begin.elapsed() < length {
        let thread = worker.chance.below(runs.len());
        worker.take(thread as u64, &mut runs[thread]);
    }
}

impl Worker {
    /// Tries to get a run of a thread, and writes it.
    fn take(&mut self, thread: u64, run: &mut u64) {
        let (key, run_id) = (key(thread, *run), run.to_string());
        self.attempts += 1;
        let owner = format!("{} {}", self.number, self.attempts);
        let lease = Duration::from_millis(self.chance.one(&[1, 10, 30, 100]));
        let policy = LogPolicy { keep: Duration::from_secs(3_600), ..LogPolicy::default() };
        let create = Create { run_id, owner: owner.clone(), lease, policy, ..create(key.clone()) };
        let reply = self.engine.execute(Operation::Create(create.clone().into()));
        if self.chance.is(4) {
            // As if the reply had been lost.
            let again = self.engine.execute(Operation::Create(create.into()));
            assert!(again == reply || !matches!(again, Reply::Created { .. }), "{reply:?}, {again:?}");
        }
        let epoch = match reply {
            Reply::Created { epoch, .. } => epoch,
            // It may be behind by many.
            Reply::Busy { run_id } => return *run = run_id.parse().unwrap(),
            Reply::Exists(info) if info.is_closed => return *run += 1,
            Reply::Exists(_) => {
                match self.engine.execute(Operation::Claim { key: key.clone(), owner, lease }) {
                    Reply::Claimed { epoch } => epoch,
                    Reply::Held => return self.look(thread, *run),
                    Reply::Closed => return *run += 1,
                    other => panic!("{other:?}"),
                }
            }
            other => panic!("{other:?}"),
        };
        report(&format!("granted {thread} {run} {epoch}"));
        // One that does nothing lets another have it.
        if !self.chance.is(4) {
            self.write(thread, *run, epoch);
        }
    }

    /// Appends batches until another process has the lease.
    fn write(&mut self, thread: u64, run: u64, epoch: u64) {
        let mut next = 1;
        loop {
            let is_end = self.chance.is(8);
            // A batch that is repeated begins before the next frame.
            let first = next - self.chance.draw() % 4 % next;
            let count = next - first + 1 + self.chance.draw() % 5;
            let mut frames: Vec<_> =
                (first..first + count).map(|number| frame(self.number, epoch, number)).collect();
            if is_end {
                *frames.last_mut().unwrap() = last_frame(self.number, epoch, first + count - 1);
            }
            let end = is_end.then(RunEnd::default);
            let append = Append { key: key(thread, run), epoch, first, frames, end };
            let reply = self.engine.execute(Operation::Append(append.clone()));
            match reply {
                Reply::Appended { next: after } => {
                    assert_eq!(after, first + count);
                    let kind = if is_end { "ended" } else { "stored" };
                    report(&format!("{kind} {thread} {run} {epoch} {first} {count}"));
                    next = after;
                    if is_end {
                        // The reply may have been lost.
                        assert_eq!(self.engine.execute(Operation::Append(append)), Reply::Appended { next });
                        return;
                    }
                }
                Reply::Fenced => return self.is_fenced(thread, run, &append),
                other => panic!("{other:?}"),
            }
            match self.chance.below(8) {
                0 => thread::sleep(Duration::from_millis(self.chance.draw() % 40)),
                1 => {
                    let lease = Duration::from_millis(20);
                    let renew = Operation::Renew { key: key(thread, run), epoch, lease };
                    match self.engine.execute(renew) {
                        Reply::Renewed { .. } => {}
                        Reply::Fenced | Reply::Closed => return self.is_fenced(thread, run, &append),
                        other => panic!("{other:?}"),
                    }
                }
                2 => self.look(thread, run),
                _ => {}
            }
        }
    }

    /// Checks that a process that is fenced once stays so.
    fn is_fenced(&mut self, thread: u64, run: u64, append: &Append) {
        report(&format!("fenced {thread} {run} {}", append.epoch));
        for _ in 0..3 {
            assert_eq!(self.engine.execute(Operation::Append(append.clone())), Reply::Fenced);
        }
    }

    /// Reads a log, and reports what it has.
    fn look(&mut self, thread: u64, run: u64) {
        let read = Read { key: key(thread, run), after: None, max_bytes: usize::MAX };
        let Reply::Page(page) = self.engine.execute(Operation::Read(read)) else { panic!("it is kept") };
        assert_eq!(page.next, page.frames.len() as u64 + 1);
        let frames: Vec<_> = page.frames.iter().map(Frame::as_str).collect();
        report(&format!("read {thread} {run} {} {}", u8::from(page.is_closed), serde_json::json!(frames)));
    }
}

#[allow(clippy::print_stdout)] // It reports.
fn report(line: &str) {
    // In one piece: of a process that is killed a long line may be cut, but not behind its first character.
    let line = format!("@{line}\n");
    print!("{line}");
}
