//! Decides what becomes of a run that loses its connection or runs out of time. After the end of a run neither is a failure.
//!
//! | what is lost | the run has not begun, or goes on | it has ended |
//! |---|---|---|
//! | a connection, or a request that comes to no answer | it fails | it goes on as finished |
//! | the time: a timeout | it fails | it goes on as finished |
//! | the interest in it: `run_aborted` | it is aborted | as `ending.rs` says |
//! | nothing: events out of order, an exception of the application | it fails | it fails |
//!
//! Each answer has this table for itself, since middleware may ask several times: [`Pipeline::lose`]. A middleware that reads the answer sees
//! the loss of a connection before the end of the run as an error, and none behind it. An answer that merely ends early is no loss: what is
//! missing is judged behind the outermost middleware, which may add it. What middleware comes to is judged by the same table again:
//! [`Intake::outlives`]; and so is what ends the wait of a call, as its time limit: [`Runs::outlives`].
//!
//! Of an answer that breaks off all that has come counts, a last event without its blank line, too; and what is wrong with it, unless that is
//! no more than the cut. Behind a timeout or an abort nobody waits for the rest of an event.

use super::Runs;
use super::intake::Intake;
use crate::error::{Category, Code, Error};
use crate::pipeline::{Pipeline, Sink};
use crate::validate::Build;

/// The failure of a transport, by its code. What an application's transport raises is a connection that is lost.
pub fn lost(code: &str) -> Error {
    Error::new(known(code).unwrap_or(Code::ConnectionLost), "")
}

fn known(code: &str) -> Option<Code> {
    let mut losses = Code::ALL.iter().filter(|known| known.category() == Category::Connection);
    losses.find(|known| known.as_str() == code).copied()
}

/// True if the code is that of a loss after which a run that has ended counts as finished.
fn is_spared(code: &str) -> bool {
    known(code).is_some_and(|loss| loss != Code::RunAborted)
}

impl Runs {
    /// The current wait of the call has failed, with this code (empty for an exception of the application). Returns true if the call ends as finished.
    pub fn outlives(&self, code: &str) -> bool {
        self.is_whole() && is_spared(code)
    }
}

impl Intake {
    /// Middleware has failed, with this code (empty for an exception of the application). Returns true if the run ends as finished.
    pub fn outlives(&self, code: &str) -> bool {
        self.has_ended() && is_spared(code)
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
