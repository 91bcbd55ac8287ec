//! How many random schedules a test tries, and which: `make simulate` sets `SEEDS` and `SEED`.
#![allow(dead_code)] // Each test is a crate of its own and uses what it needs.

use std::env;
use std::ops::Range;

use proptest::test_runner::{Config, RngSeed};

/// How many there are in `make test`.
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
