//! Waits for a condition, which has to hold within half a minute.

use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(2);

/// Waits in a thread of the test until the condition holds. The failure names `what` is awaited.
pub fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(PAUSE);
    }
}

/// Waits in a task until the condition holds; other tasks run meanwhile.
#[cfg(feature = "websocket")]
#[allow(dead_code)] // Each test is a crate of its own and uses what it needs.
pub async fn until_async(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(PAUSE).await;
    }
}
