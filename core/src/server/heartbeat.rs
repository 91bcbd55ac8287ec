//! Heartbeat on a connection: when a comment or a ping fills it, and when the client is given up.

use std::time::Duration;

use super::wire_format::WireFormat;

/// Measures silence, so that no proxy closes a silent connection, and a client that no longer answers is given up.
///
/// The host reports writes and received messages, and asks regularly for the next action ([`check_silence`](Self::check_silence)). Times are durations
/// from any fixed moment.
#[derive(Clone, Copy, Debug)]
pub struct Heartbeat {
    sign: Sign,
    pause: Duration,
    since: Duration,
    checked: Duration,
    /// True if bytes were written since the last check.
    was_written: bool,
    /// True if the next write is the comment, which is not an event.
    is_comment: bool,
    /// The number of pings since the client last sent a message.
    unanswered: u32,
}

/// The message that is sent into silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Comment,
    Ping,
}

/// The action that the host must take after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// Nothing.
    Nothing,
    /// A comment waits to be sent.
    Comment,
    /// Send a ping, which the client has to answer.
    Ping,
    /// Give up the client: it answers no ping.
    GiveUp,
}

/// The number of checks in one pause.
const CHECKS: u32 = 4;

/// After this number of pings without an answer, the client is given up when the next ping would be due.
const UNANSWERED: u32 = 4;

impl Heartbeat {
    /// Sends a comment after `pause`, or a little later. `None` if the pause is zero, or if the wire format has no
    /// comments.
    pub fn of_comments(wire_format: WireFormat, pause: Duration, now: Duration) -> Option<Self> {
        wire_format.heartbeat().and(Self::of(Sign::Comment, pause, now))
    }

    /// Sends a ping after `pause`.
    pub fn of_pings(pause: Duration, now: Duration) -> Option<Self> {
        Self::of(Sign::Ping, pause, now)
    }

    fn of(sign: Sign, pause: Duration, now: Duration) -> Option<Self> {
        let new = Self {
            sign,
            pause,
            since: now,
            checked: now,
            was_written: false,
            is_comment: false,
            unanswered: 0,
        };
        (!pause.is_zero()).then_some(new)
    }

    /// The time of the next check.
    pub fn deadline(&self) -> Duration {
        self.checked.saturating_add(self.pause / CHECKS)
    }

    /// Records that bytes were handed to the connection. The comment itself does not count.
    #[inline]
    pub fn written(&mut self) {
        self.was_written |= !std::mem::take(&mut self.is_comment);
    }

    /// Records that the client has sent something.
    pub fn heard(&mut self) {
        self.unanswered = 0;
    }

    /// Checks for silence. If the client `is_behind`, it has not read all frames: it gets no comment or ping, and
    /// earlier pings may not have reached it, so they are not counted.
    pub fn check_silence(&mut self, now: Duration, is_behind: bool) -> Beat {
        self.checked = now;
        if is_behind {
            self.heard();
        }
        if std::mem::take(&mut self.was_written) || is_behind {
            self.since = now;
            return Beat::Nothing;
        }
        if now.saturating_sub(self.since) < self.pause {
            return Beat::Nothing;
        }
        self.since = now;
        match self.sign {
            Sign::Comment => {
                self.is_comment = true;
                Beat::Comment
            }
            Sign::Ping if self.unanswered < UNANSWERED => {
                self.unanswered += 1;
                Beat::Ping
            }
            Sign::Ping => Beat::GiveUp,
        }
    }
}
