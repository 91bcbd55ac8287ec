//! Silence on a connection: when a comment or a ping fills it, and when the client is given up.

use std::time::Duration;

use super::frames::Transport;

/// Measures silence, so that no proxy closes a silent connection, and a client that no longer answers is given up.
///
/// The host reports writes and received messages, and asks regularly what to do ([`look`](Self::look)). Times are durations
/// from any fixed moment.
#[derive(Clone, Copy, Debug)]
pub struct Silence {
    sign: Sign,
    pause: Duration,
    since: Duration,
    looked: Duration,
    /// Something was written since the last look.
    was_written: bool,
    /// The next write is the comment, which is no event.
    is_comment: bool,
    /// The count of pings since the client was last heard.
    unanswered: u32,
}

/// The sign that fills silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Comment,
    Ping,
}

/// The action that the host takes after a look.
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

/// The count of looks in one pause.
const LOOKS: u32 = 4;

/// After so many pings without an answer the client is given up, when the next one would be due.
const UNANSWERED: u32 = 4;

impl Silence {
    /// Silence that is filled by comments after so long, a little later at most; none for a pause of nothing, or where all bytes belong to
    /// events.
    pub fn of_comments(transport: Transport, pause: Duration, now: Duration) -> Option<Self> {
        transport.heartbeat().and(Self::of(Sign::Comment, pause, now))
    }

    /// Silence that is filled by pings.
    pub fn of_pings(pause: Duration, now: Duration) -> Option<Self> {
        Self::of(Sign::Ping, pause, now)
    }

    fn of(sign: Sign, pause: Duration, now: Duration) -> Option<Self> {
        let new = Self {
            sign,
            pause,
            since: now,
            looked: now,
            was_written: false,
            is_comment: false,
            unanswered: 0,
        };
        (!pause.is_zero()).then_some(new)
    }

    /// The time of the next look.
    pub fn deadline(&self) -> Duration {
        self.looked.saturating_add(self.pause / LOOKS)
    }

    /// Something was handed to the connection. The comment may be: it does not count.
    #[inline]
    pub fn written(&mut self) {
        self.was_written |= !std::mem::take(&mut self.is_comment);
    }

    /// Records that the client has sent something.
    pub fn heard(&mut self) {
        self.unanswered = 0;
    }

    /// Looks. A client that `is_behind` has not taken yet what was written: it is sent nothing more, and what it was asked may not have
    /// reached it.
    pub fn look(&mut self, now: Duration, is_behind: bool) -> Beat {
        self.looked = now;
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
