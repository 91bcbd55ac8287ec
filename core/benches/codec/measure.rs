//! Measures operations: in each of many rounds, every competitor of every operation has a turn, in shuffled order.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::{Value, json};

/// The approximate duration of one turn.
const TURN: Duration = Duration::from_millis(6);

/// One operation with its competitors.
pub struct Operation<'a> {
    pub name: String,
    /// The number of things that one call does; results are for one of them.
    per: u32,
    competitors: Vec<Competitor<'a>>,
}

struct Competitor<'a> {
    name: &'static str,
    work: Box<dyn FnMut() + 'a>,
    loops: u32,
    times: Vec<f64>,
}

impl<'a> Operation<'a> {
    pub fn new(name: impl Into<String>, per: u32) -> Self {
        Self { name: name.into(), per, competitors: Vec::new() }
    }

    /// Adds a competitor. Dropping its result is part of the measured work.
    pub fn with<T>(mut self, name: &'static str, mut work: impl FnMut() -> T + 'a) -> Self {
        let work = Box::new(move || drop(black_box(work())));
        self.competitors.push(Competitor { name, work, loops: 1, times: Vec::new() });
        self
    }

    /// Keeps only this crate's competitors.
    #[allow(dead_code)] // `patch.rs` has no such option.
    pub fn leave_others_out(&mut self) {
        self.competitors.retain(|competitor| competitor.name == "ours");
    }

    fn result(&self) -> Value {
        let times: serde_json::Map<_, _> = self
            .competitors
            .iter()
            .map(|competitor| (competitor.name.to_owned(), json!(median(&competitor.times))))
            .collect();
        json!({"operation": self.name, "unit": "ns", "times": times})
    }
}

impl Competitor<'_> {
    fn turn(&mut self) -> Duration {
        let start = ThreadTime::now();
        for _ in 0..self.loops {
            (self.work)();
        }
        start.elapsed()
    }

    fn calibrate(&mut self) {
        while self.turn() < TURN {
            self.loops *= 2;
        }
    }
}

/// Returns the medians of the CPU time of every competitor.
pub fn run(operations: &mut [Operation<'_>], rounds: u32) -> Vec<Value> {
    let mut turns = Vec::new();
    for (index, operation) in operations.iter_mut().enumerate() {
        for (who, competitor) in operation.competitors.iter_mut().enumerate() {
            competitor.calibrate();
            turns.push((index, who));
        }
    }
    let mut chance = 1;
    for _ in 0..rounds {
        shuffle(&mut turns, &mut chance);
        for &(index, who) in &turns {
            let operation = &mut operations[index];
            let competitor = &mut operation.competitors[who];
            let taken = competitor.turn().as_secs_f64() * 1e9;
            competitor.times.push(taken / f64::from(competitor.loops) / f64::from(operation.per));
        }
    }
    operations.iter().map(Operation::result).collect()
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Fisher and Yates, with Marsaglia's generator.
fn shuffle<T>(items: &mut [T], chance: &mut u32) {
    for last in (1..items.len()).rev() {
        *chance ^= *chance << 13;
        *chance ^= *chance >> 17;
        *chance ^= *chance << 5;
        items.swap(last, *chance as usize % (last + 1));
    }
}
