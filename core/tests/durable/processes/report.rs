//! What the processes report, held against what is stored.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ag_ui_native::bindings::durable::*;

use super::{frame, key, last_frame};
use crate::engine::TestEngine;

/// A run of a thread.
type Run = (u64, u64);

#[derive(Default)]
pub struct Report {
    /// The worker that has got each epoch of a run.
    granted: BTreeMap<Run, BTreeMap<u64, u64>>,
    /// The batches whose storage was acknowledged.
    stored: BTreeMap<Run, Vec<Stored>>,
    /// The texts that readers had, with true from a log that was closed.
    read: BTreeMap<Run, BTreeSet<(bool, Vec<String>)>>,
    fenced: u64,
}

struct Stored {
    worker: u64,
    epoch: u64,
    first: u64,
    count: u64,
    is_end: bool,
}

/// What there was.
#[derive(Debug, Default)]
#[allow(dead_code)] // It is printed.
pub struct Counts {
    runs: usize,
    pub frames: usize,
    acknowledged: usize,
    reads: usize,
    pub fenced: u64,
    /// Runs that were claimed after they were created.
    claimed: usize,
    /// Runs that have ended by their worker.
    pub own_ends: usize,
    /// Runs whose worker was lost.
    pub lost: usize,
}

impl Report {
    pub fn add(&mut self, worker: u64, lines: &[String]) {
        for line in lines {
            let words: Vec<_> = line.splitn(5, ' ').collect();
            let numbers: Option<Vec<u64>> = words[1..].iter().map(|word| word.parse().ok()).collect();
            match (words[0], numbers.as_deref()) {
                ("granted", Some(&[thread, run, epoch])) => {
                    let earlier = self.granted.entry((thread, run)).or_default().insert(epoch, worker);
                    assert_eq!(earlier, None, "epoch {epoch} of {thread}/{run} is taken once");
                }
                ("fenced", _) => self.fenced += 1,
                ("read", _) => self.add_read(&words),
                (kind, _) => self.add_stored(worker, kind == "ended", &words),
            }
        }
    }

    fn add_stored(&mut self, worker: u64, is_end: bool, words: &[&str]) {
        let numbers = words[1..].join(" ");
        let numbers: Vec<u64> = numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [thread, run, epoch, first, count] = numbers[..] else { panic!("{words:?}") };
        self.stored.entry((thread, run)).or_default().push(Stored { worker, epoch, first, count, is_end });
    }

    fn add_read(&mut self, words: &[&str]) {
        let run = (words[1].parse().unwrap(), words[2].parse().unwrap());
        // A long line of a process that was killed may be cut.
        let Ok(frames) = serde_json::from_str(words[4]) else { return };
        self.read.entry(run).or_default().insert((words[3] == "1", frames));
    }

    pub fn check(&self, engine: &mut dyn TestEngine) -> Counts {
        let mut counts = Counts { fenced: self.fenced, ..Counts::default() };
        // All leases end.
        engine.wait(Duration::from_millis(200));
        for (&run, granted) in &self.granted {
            let frames = read_all(engine, run);
            check_frames(run, granted, &frames, &mut counts);
            self.check_replies(run, &frames, &mut counts);
            counts.runs += 1;
            counts.frames += frames.len();
            counts.claimed += usize::from(granted.keys().any(|epoch| *epoch > 1));
        }
        counts
    }

    /// What was acknowledged, and what was read, is there with the same bytes.
    fn check_replies(&self, run: Run, frames: &[Frame], counts: &mut Counts) {
        for &Stored { worker, epoch, first, count, is_end } in self.stored.get(&run).into_iter().flatten() {
            counts.acknowledged += 1;
            for number in first..first + count {
                let stored = frames.get(usize::try_from(number - 1).unwrap());
                let is_last = is_end && number == first + count - 1;
                let wanted = if is_last { last_frame } else { frame }(worker, epoch, number);
                assert_eq!(stored, Some(&wanted), "{run:?}: what was acknowledged is stored");
            }
            assert!(!is_end || first + count - 1 == frames.len() as u64, "{run:?}: nothing is behind an end");
        }
        for (is_closed, read) in self.read.get(&run).into_iter().flatten() {
            counts.reads += 1;
            assert!(
                frames.iter().zip(read).all(|(frame, read)| frame.as_str() == read),
                "{run:?}: same bytes"
            );
            assert!(if *is_closed { read.len() == frames.len() } else { read.len() < frames.len() });
        }
    }
}

/// Each frame is that of one worker and one epoch, in its place; there is one end.
fn check_frames(run: Run, granted: &BTreeMap<u64, u64>, frames: &[Frame], counts: &mut Counts) {
    let (last, before) = frames.split_last().unwrap();
    let mut writer = None;
    for (stored, number) in before.iter().chain([last]).zip(1..) {
        if number == frames.len() as u64 && stored.as_str().contains("producer_lost") {
            counts.lost += 1;
            return;
        }
        let mut words = stored.as_str().split(' ').map(|word| word.parse::<u64>().ok());
        let (worker, epoch) = (words.next().flatten().unwrap(), words.next().flatten().unwrap());
        // A process that was killed may not have reported its grant.
        assert!(granted.get(&epoch).is_none_or(|owner| *owner == worker), "{run:?}: {stored:?}");
        assert_eq!(*writer.get_or_insert((worker, epoch)), (worker, epoch), "{run:?}: one writer");
        let is_last = number == frames.len() as u64;
        let wanted = if is_last { last_frame } else { frame }(worker, epoch, number);
        assert_eq!(*stored, wanted, "{run:?}: the frame of this place, and one end");
    }
    let (_, epoch) = writer.unwrap();
    assert!(granted.keys().all(|later| *later <= epoch), "{run:?}: no epoch after that of the frames");
    counts.own_ends += 1;
}

/// Reads a log page by page, to its end.
fn read_all(engine: &mut dyn TestEngine, (thread, run): Run) -> Vec<Frame> {
    let (mut frames, mut after) = (vec![], None);
    loop {
        let read = Read { key: key(thread, run), after, max_bytes: 1_000 };
        let Reply::Page(page) = engine.execute(Operation::Read(read)) else { panic!("it is kept") };
        assert_eq!(page.first, frames.len() as u64 + 1);
        assert!(page.is_closed, "{thread}/{run} has an end");
        frames.extend(page.frames);
        if frames.len() as u64 + 1 == page.next {
            return frames;
        }
        after = Some(Cursor { incarnation: page.incarnation, number: frames.len() as u64 });
    }
}
