//! The creation of logs.

use std::time::Duration;

use super::MemoryStore;
use super::log::Log;
use super::thread::Run;
use crate::durable::operation::Create;
use crate::durable::reply::Reply;

impl MemoryStore {
    pub(super) fn create(&mut self, now: Duration, create: Create) -> Reply {
        if let Some(log) = self.logs.get(&create.key) {
            return log.create_again(&create);
        }
        self.end_active_if_lost(now, create.key.thread());
        if let Some(refusal) = self.threads.get(create.key.thread()).and_then(|thread| thread.refuse(&create))
        {
            return refusal;
        }
        let is_new_thread = !self.threads.contains_key(create.key.thread());
        if !self.make_room(1, usize::from(is_new_thread), 0) {
            return Reply::Full;
        }
        let run = Run { key: create.key.clone(), run_id: create.run_id.clone() };
        self.start_run(run);
        let (key, log) = Log::new(now, create);
        self.open_expiries.insert((log.expires_at, key.clone()));
        let created = Reply::Created { incarnation: log.incarnation, epoch: log.epoch };
        self.logs.insert(key, log);
        created
    }
}
