//! The heartbeats of a run that is being written.

use std::time::Duration;

use super::heartbeat::{Beat, Heartbeat};
use super::writer::RunWriter;

/// The heartbeats of a run. Frames that the host has taken count as written.
#[doc(hidden)]
impl RunWriter {
    /// Starts to measure silence.
    pub fn keep_alive(&mut self, heartbeat: Option<Heartbeat>) {
        self.heartbeat = heartbeat;
    }

    /// Called when the host has taken frames.
    pub(super) fn written(&mut self) {
        self.heartbeat.iter_mut().for_each(Heartbeat::written);
    }

    /// Called when the client has sent any message.
    pub fn heard(&mut self) {
        self.heartbeat.iter_mut().for_each(Heartbeat::heard);
    }

    /// The time of the next check for silence. `None` after the end.
    pub fn next_check(&self) -> Option<Duration> {
        self.heartbeat.filter(|_| !self.has_ended()).map(|heartbeat| heartbeat.deadline())
    }

    /// Checks for silence.
    pub fn check_silence(&mut self, now: Duration, is_behind: bool) -> Beat {
        let is_silent = self.is_running() && self.waiting().is_empty();
        let Some(heartbeat) = &mut self.heartbeat else { return Beat::Nothing };
        if !is_silent {
            heartbeat.written();
        }
        let beat = heartbeat.check_silence(now, is_behind);
        if beat == Beat::Comment {
            self.frames.comment();
        }
        beat
    }
}
