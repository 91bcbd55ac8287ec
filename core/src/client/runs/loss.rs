//! Decides how a run ends that loses its connection or exceeds a timeout. After the end of a run neither is a failure.
//!
//! | what is lost | the run has not begun, or is active | the run has ended |
//! |---|---|---|
//! | the connection, or the answer to a request | the run fails | the run counts as finished |
//! | the time: a timeout | the run fails | the run counts as finished |
//! | the caller: `run_aborted` | the run is aborted | see `early_end.rs` |
//! | nothing: events out of order, an exception of the application | the run fails | the run fails |
//!
//! The table applies to each answer, since middleware may send several requests: [`Pipeline::lose`]. Middleware sees a lost connection
//! before the end of the run as an error, and not after it. An answer that merely ends early is no loss: the end may be added by
//! middleware, so it is checked after the outermost one. The table applies again to the failure of middleware ([`Intake::tolerates_loss`]),
//! and to what ends the wait of a call, such as its time limit ([`Runs::tolerates_loss`]).
//!
//! If a connection is lost, all that has arrived counts, even a last event without its blank line; so do its errors, except that the stream
//! is truncated. After a timeout or an abort the rest of an event is not read.

use super::Runs;
use super::intake::Intake;
use crate::error::{Category, Code, Error};
use crate::pipeline::{Pipeline, Sink};
use crate::validate::Build;

/// The failure of a transport, by its code. An exception of an application's transport counts as a lost connection.
pub fn lost(code: &str) -> Error {
    Error::new(known(code).unwrap_or(Code::ConnectionLost), "")
}

fn known(code: &str) -> Option<Code> {
    let mut losses = Code::ALL.iter().filter(|known| known.category() == Category::Connection);
    losses.find(|known| known.as_str() == code).copied()
}

/// True if a run that has ended counts as finished in spite of this failure.
fn is_tolerated(code: &str) -> bool {
    known(code).is_some_and(|loss| loss != Code::RunAborted)
}

impl Runs {
    /// The current wait of the call has failed, with this code (empty for an exception of the application). Returns true if the call ends as finished.
    pub fn tolerates_loss(&self, code: &str) -> bool {
        self.is_whole() && is_tolerated(code)
    }
}

impl Intake {
    /// Middleware has failed, with this code (empty for an exception of the application). Returns true if the run ends as finished.
    pub fn tolerates_loss(&self, code: &str) -> bool {
        self.has_ended() && is_tolerated(code)
    }
}

impl Pipeline {
    /// Ends the stream, since its transport has failed for this reason.
    pub(crate) fn end_lost<B: Build>(
        &mut self,
        reason: Error,
        build: &mut B,
        take: &mut Sink<'_, B::Value>,
    ) -> Result<(), Error> {
        let is_aborted = reason.code() == Code::RunAborted;
        if !is_aborted && reason.code() != Code::TimedOut {
            let ended = self.end(build, take);
            ended.or_else(|error| if error.code() == Code::StreamTruncated { Ok(()) } else { Err(error) })?;
        }
        if self.has_ended() && !is_aborted { Ok(()) } else { Err(reason) }
    }
}
