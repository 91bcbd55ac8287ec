//! Events a second of the engines as servers in Rust use them.

use std::sync::Arc;
use std::time::Instant;

use ag_ui_native::durable::{Log, MemoryLog, RedisLog};
use futures_util::future::join_all;
use tokio::runtime::Builder;

use super::{Append, BATCH, EVENTS, Operation, Reply, create_of, frame, key, say};

/// Measures memory, and the Redis server at `REDIS_URL`.
pub fn measure() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    for producers in [1, 32] {
        runtime.block_on(write("Memory", MemoryLog::default(), producers));
    }
    let Ok(url) = std::env::var("REDIS_URL") else { return };
    for producers in [1, 32] {
        let log = RedisLog::new(url.as_str()).unwrap().with_prefix(&format!("bench {producers}:"));
        runtime.block_on(write("Redis, RedisLog of Rust", log, producers));
    }
}

async fn write(name: &str, log: impl Log, producers: u64) {
    let log: Arc<dyn Log> = Arc::new(log);
    for producer in 0..producers {
        let reply = log.execute(create_of(producer)).await.unwrap();
        assert!(matches!(reply, Reply::Created { .. }), "{reply:?}");
    }
    let begin = Instant::now();
    join_all((0..producers).map(|producer| append(&*log, producer, EVENTS / producers))).await;
    let events = EVENTS / producers / BATCH * BATCH * producers;
    let runs = if producers == 1 { "one run".to_owned() } else { format!("{producers} runs at once") };
    let name = format!("{name}, {runs}, {BATCH} events an append");
    say(&name, events as f64 / begin.elapsed().as_secs_f64(), "events/s");
}

/// Appends events, each batch when the one before is stored.
async fn append(log: &dyn Log, producer: u64, events: u64) {
    let frames: Vec<_> = (0..BATCH).map(|_| frame()).collect();
    for at in 0..events / BATCH {
        let first = at * BATCH + 1;
        let append = Append { key: key(producer), epoch: 1, first, frames: frames.clone(), end: None };
        let reply = log.execute(Operation::Append(append)).await;
        assert_eq!(reply, Ok(Reply::Appended { next: first + BATCH }));
    }
}
