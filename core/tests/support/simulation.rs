//! The number of random schedules that a test tries, and the first seed: `make simulate` sets `SEEDS` and `SEED`.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use std::env;
use std::ops::Range;
use std::thread;

use proptest::test_runner::{Config, RngSeed};

/// The number of schedules in `make test`.
const SEEDS: u64 = 20_000;

fn given(name: &str) -> Option<u64> {
    env::var(name).ok().and_then(|number| number.parse().ok())
}

/// For schedules that proptest draws, and shortens when they fail.
pub fn drawn() -> Config {
    let default = Config::default();
    Config {
        cases: u32::try_from(given("SEEDS").unwrap_or(SEEDS)).unwrap_or(u32::MAX),
        rng_seed: given("SEED").map_or(default.rng_seed, RngSeed::Fixed),
        failure_persistence: None,
        ..default
    }
}

/// Seeds one after the other.
pub fn seeds() -> Range<u64> {
    let first = given("SEED").unwrap_or(1);
    first..first.saturating_add(given("SEEDS").unwrap_or(SEEDS))
}

/// Runs each seed's schedule. The seed of one that fails is printed: `SEED=N SEEDS=1` runs it by itself.
pub fn by_seed(run: impl Fn(&mut Chance)) {
    for seed in seeds() {
        let _failing = Failing(seed);
        run(&mut Chance(seed));
    }
}

struct Failing(u64);

impl Drop for Failing {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the schedule with SEED={} has failed", self.0);
        }
    }
}

/// Draws numbers with splitmix64: a hundred times faster than proptest, for tests that need no shortening.
pub struct Chance(pub u64);

impl Chance {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.draw() % most as u64).unwrap()
    }

    /// From 0 to 1.
    pub fn part(&mut self) -> f64 {
        f64::from(u32::try_from(self.draw() >> 32).unwrap()) / f64::from(u32::MAX)
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}
