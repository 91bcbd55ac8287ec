//! Silence on a connection, and when it is filled.

use std::time::Duration;

use super::frames::Transport;

/// Says when a comment is due, so that no proxy closes a silent connection. Nothing is told of what is sent, which would cost something each
/// time: it is asked now and then, and told whether anything was sent since.
///
/// Times count from any moment, as long as it stays the same.
#[derive(Clone, Copy, Debug)]
pub struct Silence {
    pause: Duration,
    since: Duration,
    looked: Duration,
}

/// How often silence is looked for in the time after which it is filled.
const LOOKS: u32 = 4;

impl Silence {
    /// Silence that is filled after so long, a little later at most; none for a pause of nothing, or where all bytes belong to events.
    pub fn new(transport: Transport, pause: Duration, now: Duration) -> Option<Self> {
        let is_filled = transport.heartbeat().is_some() && !pause.is_zero();
        is_filled.then_some(Self { pause, since: now, looked: now })
    }

    /// When to look next.
    pub fn deadline(&self) -> Duration {
        self.looked.saturating_add(self.pause / LOOKS)
    }

    /// Looks. Whether a comment is due, if `is_silent` says that nothing was sent since the last look, and that the client is not behind. The
    /// comment itself does not count.
    pub fn look(&mut self, now: Duration, is_silent: bool) -> bool {
        self.looked = now;
        let is_due = is_silent && now.saturating_sub(self.since) >= self.pause;
        if is_due || !is_silent {
            self.since = now;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds in which a comment comes, where something is sent in others.
    fn comments(pause: u64, sent: &[u64], until: u64) -> Vec<u64> {
        let seconds = Duration::from_secs;
        let mut silence = Silence::new(Transport::Text, seconds(pause), seconds(0)).unwrap();
        let (mut filled, mut looked) = (Vec::new(), 0);
        while silence.deadline() <= seconds(until) {
            let now = silence.deadline();
            let is_silent = !sent.iter().any(|&at| looked < at && at <= now.as_secs());
            looked = now.as_secs();
            if silence.look(now, is_silent) {
                filled.push(looked);
            }
        }
        filled
    }

    #[test]
    fn it_is_filled_after_the_pause_and_again() {
        assert_eq!(comments(8, &[], 30), [8, 16, 24]);
        assert_eq!(comments(8, &[3], 14), [12]);
        assert!(comments(8, &[3, 9, 15, 21, 27], 30).is_empty());
    }

    #[test]
    fn it_may_be_looked_for_late() {
        let seconds = Duration::from_secs;
        let mut silence = Silence::new(Transport::Text, seconds(8), seconds(100)).unwrap();
        assert_eq!(silence.deadline(), seconds(102));
        assert!(silence.look(seconds(300), true) && !silence.look(seconds(301), true));
        assert_eq!(silence.deadline(), seconds(303));
    }

    #[test]
    fn there_is_none_to_fill() {
        assert!(Silence::new(Transport::Text, Duration::ZERO, Duration::ZERO).is_none());
        assert!(Silence::new(Transport::Binary, Duration::from_secs(1), Duration::ZERO).is_none());
    }
}
