//! The start of a run.

use std::cell::RefCell;
use std::rc::Rc;

use ag_ui_native::bindings::durable::{Begun, LogRefusal, LogStart as CoreLogStart};
use napi_derive::napi;

use super::handles::LogCommand;
use super::machine::LogMachine;
use super::recorder::LogRecorder;

/// A request that starts a run, unless the run has been started before.
#[napi]
#[derive(Debug)]
pub struct LogStart {
    start: Rc<RefCell<CoreLogStart>>,
}

#[napi]
impl LogStart {
    /// Its machine. The decision is `begun`, with the place before the first frame, and 1 if this request has begun the run, or `refused` with the refusal.
    #[napi(getter, catch_unwind)]
    pub fn machine(&self) -> LogMachine {
        LogMachine::of(&self.start)
    }

    /// Makes the recorder of a run that this request has begun.
    #[napi(catch_unwind)]
    pub fn recorder(&self) -> Option<LogRecorder> {
        self.start.borrow_mut().recorder().map(LogRecorder::new)
    }
}

impl LogStart {
    pub(super) fn new(start: CoreLogStart) -> Self {
        Self { start: Rc::new(RefCell::new(start)) }
    }
}

impl From<Result<Begun, LogRefusal>> for LogCommand {
    fn from(begun: Result<Begun, LogRefusal>) -> Self {
        begun.map_or_else(Self::from, |Begun { beginning, is_new }| Self {
            number: Some(f64::from(u8::from(is_new))),
            ..Self::of_text("begun", Some(beginning.to_string()))
        })
    }
}
