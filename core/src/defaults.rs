//! The default of every time, size and count of servers and clients. `make generate` writes them for Python and JavaScript.

use std::time::Duration;

/// A default value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A duration.
    Time(Duration),
    /// A count.
    Count(usize),
    /// A part of a whole, from 0 to 1.
    Part(f64),
}

/// The largest number of an option: every language holds it exactly.
pub const LARGEST: u64 = (1 << 53) - 1;

macro_rules! defaults {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ident($type:ty) = $value:expr;)+) => {
        $($(#[doc = $doc])+ pub const $name: $type = $value;)+

        /// Every default: its name, its description, its value.
        pub const DEFAULTS: &[(&str, &str, Amount)] =
            &[$((stringify!($name), concat!($($doc, "\n"),+), Amount::$kind($name)),)+];
    };
}

defaults! {
    /// The largest count that an option takes.
    LARGEST_COUNT: Count(usize) = usize::MAX >> usize::BITS.saturating_sub(LARGEST.count_ones());
    /// The longest time that an option of runs with a log takes.
    LONGEST_TIME: Time(Duration) = Duration::from_millis(LARGEST);
    /// Silence after which a server sends a comment.
    HEARTBEAT: Time(Duration) = Duration::from_secs(15);
    /// The longest time that the body of a request for a run may take to arrive.
    BODY_TIMEOUT: Time(Duration) = Duration::from_secs(30);
    /// Time that a client has to read the end of a run that was stopped by its time limit or by the server's shutdown.
    END_GRACE: Time(Duration) = Duration::from_secs(5);
    /// Time that runs with a log have to end when their process shuts down.
    DRAIN: Time(Duration) = Duration::from_secs(10);
    /// Time behind that in which clients read the ends of those runs. Then their connections end, whatever they read.
    DRAIN_READING: Time(Duration) = Duration::from_secs(1);
    /// The longest time to wait for the reply of an engine that keeps logs.
    LOG_PATIENCE: Time(Duration) = Duration::from_secs(5);
    /// The pause before a subscription to hints that has failed is made again. Readers look at their logs meanwhile.
    SUBSCRIBE_PAUSE: Time(Duration) = Duration::from_secs(1);
    /// The maximum number of bytes that may wait to be sent while an agent does not await.
    MAX_WAITING: Count(usize) = 16 << 20;
    /// The maximum length, in bytes of text, of a delta that is joined from adjacent ones.
    COALESCE_BYTES: Count(usize) = 4096;
    /// The longest time that a delta waits to be joined.
    COALESCE_DELAY: Time(Duration) = Duration::from_millis(50);

    /// The longest time that a client waits for a connection.
    CONNECT_TIMEOUT: Time(Duration) = Duration::from_secs(10);
    /// The longest time that a client waits for the next piece of an answer.
    IDLE_TIMEOUT: Time(Duration) = Duration::from_secs(60);
    /// The maximum number of attempts to send a request that may be repeated.
    RETRY_ATTEMPTS: Count(usize) = 3;
    /// The pause before the second attempt.
    RETRY_FIRST: Time(Duration) = Duration::from_millis(500);
    /// The longest pause before an attempt.
    RETRY_LONGEST: Time(Duration) = Duration::from_secs(30);
    /// The part of a pause that is random.
    RETRY_JITTER: Part(f64) = 0.5;
    /// The maximum number of attempts without progress to go on with a run whose connection is lost.
    RECONNECT_ATTEMPTS: Count(usize) = 8;
    /// The pause before the second attempt; the first one does not wait.
    RECONNECT_FIRST: Time(Duration) = Duration::from_millis(250);
    /// The longest pause before an attempt.
    RECONNECT_LONGEST: Time(Duration) = Duration::from_secs(10);
    /// The part of a pause that is random.
    RECONNECT_JITTER: Part(f64) = 0.5;
    /// The maximum number of redirects that are followed.
    MAX_REDIRECTS: Count(usize) = 5;
    /// The maximum number of times that one call runs the agent, which is run again after functions have answered its tool calls.
    MAX_RUNS: Count(usize) = 10;
    /// Number of an agent's last runs whose ids are remembered, to warn of an id that is used
    /// twice.
    REMEMBERED_RUNS: Count(usize) = 1_000;
    /// The maximum number of bytes that are read of a refusal's body. The body is for people.
    MOST_PAYLOAD: Count(usize) = 64 * 1024;
    /// The longest time that reading a refusal's body may take. The status matters more.
    LONGEST_PAYLOAD: Time(Duration) = Duration::from_secs(5);
    /// Time that abandoned callbacks and background work get to return.
    CALLBACK_GRACE: Time(Duration) = Duration::from_secs(1);
    /// The longest time for which a client reads what has arrived without a turn for other tasks.
    YIELD_INTERVAL: Time(Duration) = Duration::from_millis(10);
    /// The longest time that the peer of a WebSocket may take to close it.
    CLOSE_GRACE: Time(Duration) = Duration::from_secs(1);
}
