//! What holds where nobody has said otherwise: every time, size and count that servers and clients begin with. `make generate` writes them
//! down for Python and JavaScript.

use std::time::Duration;

/// A default, of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// How long.
    Time(Duration),
    /// How many.
    Count(usize),
    /// Which part of a whole.
    Part(f64),
}

macro_rules! defaults {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ident($type:ty) = $value:expr;)+) => {
        $($(#[doc = $doc])+ pub const $name: $type = $value;)+

        /// Every default: its name, what it is, and how much.
        pub const DEFAULTS: &[(&str, &str, Amount)] =
            &[$((stringify!($name), concat!($($doc, "\n"),+), Amount::$kind($name)),)+];
    };
}

defaults! {
    /// After how long a silence a server sends a comment.
    HEARTBEAT: Time(Duration) = Duration::from_secs(15);
    /// How long the body of a request for a run may take to arrive.
    BODY_TIMEOUT: Time(Duration) = Duration::from_secs(30);
    /// How long a client may take to read the end of a run that was stopped: by its time limit or by the server's shutdown.
    END_GRACE: Time(Duration) = Duration::from_secs(5);
    /// Most bytes that may wait to be sent where an agent does not await.
    MAX_WAITING: Count(usize) = 16 << 20;
    /// Most bytes of text that adjacent deltas are joined to.
    COALESCE_BYTES: Count(usize) = 4096;
    /// How long a delta waits to be joined.
    COALESCE_DELAY: Time(Duration) = Duration::from_millis(50);

    /// How long a client waits for a connection.
    CONNECT_TIMEOUT: Time(Duration) = Duration::from_secs(10);
    /// How long it waits for the next piece of an answer.
    IDLE_TIMEOUT: Time(Duration) = Duration::from_secs(60);
    /// How often a request is sent at most that is to be sent again.
    RETRY_ATTEMPTS: Count(usize) = 3;
    /// The pause before it is sent for the second time.
    RETRY_FIRST: Time(Duration) = Duration::from_millis(500);
    /// The longest pause before it is sent again.
    RETRY_LONGEST: Time(Duration) = Duration::from_secs(30);
    /// Which part of a pause is left to chance.
    RETRY_JITTER: Part(f64) = 0.5;
    /// Most redirects that are followed.
    MAX_REDIRECTS: Count(usize) = 5;
    /// How often in a row an agent may be answered by tools.
    MAX_ROUNDS: Count(usize) = 10;
    /// How many of an agent's last runs are remembered, to warn of an id that is used twice.
    REMEMBERED_RUNS: Count(usize) = 1_000;
    /// Most bytes of a refusal's body that are read: it is for people.
    MOST_PAYLOAD: Count(usize) = 64 * 1024;
    /// How long they may take: the status says more.
    LONGEST_PAYLOAD: Time(Duration) = Duration::from_secs(5);
    /// How long those are waited for whose end changes nothing any more.
    LEFT_GRACE: Time(Duration) = Duration::from_secs(1);
    /// How long the other side of a WebSocket may take to close it.
    CLOSE_GRACE: Time(Duration) = Duration::from_secs(1);
}
