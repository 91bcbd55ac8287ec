//! Measures the silence of a run that is being written.

use std::time::Duration;

use super::silence::{Beat, Silence};
use super::writer::RunWriter;

/// The silence of a run. Frames that the host has taken count as written.
#[doc(hidden)]
impl RunWriter {
    /// Starts to measure silence.
    pub fn keep_alive(&mut self, silence: Option<Silence>) {
        self.silence = silence;
    }

    /// Called when the host has taken frames.
    pub(super) fn written(&mut self) {
        self.silence.iter_mut().for_each(Silence::written);
    }

    /// Called when the client has sent any message.
    pub fn heard(&mut self) {
        self.silence.iter_mut().for_each(Silence::heard);
    }

    /// The time of the next check for silence. `None` after the end.
    pub fn next_look(&self) -> Option<Duration> {
        self.silence.filter(|_| !self.has_ended()).map(|silence| silence.deadline())
    }

    /// Checks for silence.
    pub fn look(&mut self, now: Duration, is_behind: bool) -> Beat {
        let is_silent = self.is_running() && self.waiting().is_empty();
        let Some(silence) = &mut self.silence else { return Beat::Nothing };
        if !is_silent {
            silence.written();
        }
        let beat = silence.look(now, is_behind);
        if beat == Beat::Comment {
            self.frames.comment();
        }
        beat
    }
}
