//! The silence of a run that is written.

use std::time::Duration;

use super::silence::{Beat, Silence};
use super::writer::RunWriter;

/// A run's silence. What is taken of it is written.
#[doc(hidden)]
impl RunWriter {
    /// Counts silence from now on.
    pub fn keep_alive(&mut self, silence: Option<Silence>) {
        self.silence = silence;
    }

    /// Something was written that was not taken.
    pub fn written(&mut self) {
        self.silence.iter_mut().for_each(Silence::written);
    }

    /// The client has said anything.
    pub fn heard(&mut self) {
        self.silence.iter_mut().for_each(Silence::heard);
    }

    /// The time of the next look for silence. `None` after the end.
    pub fn next_look(&self) -> Option<Duration> {
        self.silence.filter(|_| !self.has_ended()).map(|silence| silence.deadline())
    }

    /// Looks for silence.
    pub fn look(&mut self, now: Duration, is_behind: bool) -> Beat {
        let is_quiet = self.is_running() && self.waiting().is_empty();
        let Some(silence) = &mut self.silence else { return Beat::Nothing };
        if !is_quiet {
            silence.written();
        }
        let beat = silence.look(now, is_behind);
        if beat == Beat::Comment {
            self.frames.comment();
        }
        beat
    }
}
