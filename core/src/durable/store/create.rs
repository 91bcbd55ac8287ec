//! The creation of logs.

use std::time::Duration;

use super::log::Log;
use super::{ActiveRun, MemoryStore};
use crate::durable::operation::Create;
use crate::durable::reply::Reply;

impl MemoryStore {
    pub(super) fn create(&mut self, now: Duration, create: Create) -> Reply {
        if let Some(log) = self.logs.get(&create.key) {
            return log.create_again(&create);
        }
        if let Some(ActiveRun { run_id, .. }) = self.active.get(create.key.thread()) {
            return Reply::Busy { run_id: run_id.clone() };
        }
        if !self.make_room(1, 0) {
            return Reply::Full;
        }
        let Create { key, run_id, .. } = &create;
        self.active.insert(key.thread().into(), ActiveRun { key: key.clone(), run_id: run_id.clone() });
        self.leases.insert((now.saturating_add(create.lease), key.clone()));
        let (key, log) = Log::new(now, create);
        let created = Reply::Created { incarnation: log.incarnation, epoch: log.epoch };
        self.logs.insert(key, log);
        created
    }
}
