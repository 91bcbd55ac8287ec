//! The begin of an agent.

use ag_ui_native::durable::{Append, Log, LogKey, OnHint, Operation, ReplyFuture};

use super::*;

/// A log whose first append waits for a permit.
struct SlowLog {
    log: MemoryLog,
    permits: Arc<Semaphore>,
}

impl Log for SlowLog {
    fn execute(&self, operation: Operation) -> ReplyFuture<'_> {
        Box::pin(async move {
            if matches!(operation, Operation::Append(Append { first: 1, .. })) {
                self.permits.acquire().await.unwrap().forget();
            }
            self.log.execute(operation).await
        })
    }

    fn watch(&self, key: &LogKey, on_hint: OnHint) -> Box<dyn Send + Sync> {
        self.log.watch(key, on_hint)
    }
}

#[test]
fn an_agent_begins_when_the_start_of_its_run_is_stored() {
    let permits = Arc::new(Semaphore::new(0));
    let log = SlowLog { log: MemoryLog::default(), permits: Arc::clone(&permits) };
    let agent = Agent::new(0);
    let servers = Servers::start(&agent, &RunOptions::default().with_log(RunLog::public(log)));
    let mut response = servers.post("r");
    assert_eq!(response.status, 200);
    std::thread::sleep(Duration::from_millis(100)); // It does not begin.
    assert_eq!(agent.begun.load(SeqCst), 0);
    permits.add_permits(1);
    response.until("RUN_FINISHED");
    assert_eq!(agent.begun.load(SeqCst), 1);
}
