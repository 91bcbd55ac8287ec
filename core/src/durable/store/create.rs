//! The creation of logs.

use super::log::LogRecord;
use super::operations::Execution;
use super::storage::{Run, Storage};
use crate::durable::frame::Snapshot;
use crate::durable::operation::Create;
use crate::durable::reply::Reply;

impl<S: Storage> Execution<'_, S> {
    pub(super) fn create(&mut self, create: &Create) -> Result<Reply, S::Failure> {
        let Create { key, run_id, snapshot, .. } = create;
        match self.storage.log(key)? {
            Some(log) if log.is_expired(self.now) => self.delete_log(key)?,
            Some(log) => return Ok(log.create_again(create)),
            None => {}
        }
        self.end_active_if_lost(key.thread())?;
        let mut thread = self.storage.thread(key.thread())?;
        if thread.take_if(|thread| thread.is_expired(self.now)).is_some() {
            self.storage.delete_thread(key.thread())?;
        }
        if let Some(refusal) = thread.as_ref().and_then(|thread| thread.refuse(create)) {
            return Ok(refusal);
        }
        let bytes = snapshot.as_ref().map_or(0, Snapshot::len);
        if !self.make_room(1, usize::from(thread.is_none()), bytes)? {
            return Ok(Reply::Full);
        }
        let run = Run { key: key.clone(), run_id: run_id.as_str().into() };
        self.start_run(run, snapshot.as_ref())?;
        let log = LogRecord::new(self.now, create);
        let created = Reply::Created { incarnation: log.incarnation, epoch: log.epoch };
        self.storage.put_log(key, log)?;
        Ok(created)
    }
}
