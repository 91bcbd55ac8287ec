-- Format 1. Times are nanoseconds of the machine's clock; durations are nanoseconds.

-- The start of the machine from which times count.
CREATE TABLE boot (id TEXT NOT NULL);

CREATE TABLE logs (
    number INTEGER PRIMARY KEY,
    thread TEXT NOT NULL,
    run TEXT NOT NULL,
    incarnation BLOB NOT NULL,
    digest BLOB NOT NULL,
    max_bytes INTEGER NOT NULL,
    keep INTEGER NOT NULL,
    keep_thread INTEGER NOT NULL,
    grace INTEGER,
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    attended_until INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    next INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    is_closed INTEGER NOT NULL,
    is_cancelled INTEGER NOT NULL,
    UNIQUE (thread, run)
);
CREATE INDEX log_expiries ON logs (expires_at);

-- The frames of one append: each is a length, seven bits a byte, the lowest first, and its text.
CREATE TABLE batches (
    log INTEGER NOT NULL,
    first INTEGER NOT NULL,
    frames BLOB NOT NULL
);
CREATE UNIQUE INDEX batch_places ON batches (log, first);

-- Runs are hashes, as in `logs`; their ids stand beside them.
CREATE TABLE threads (
    thread TEXT PRIMARY KEY,
    active_run TEXT,
    active_run_id TEXT,
    last_run TEXT,
    last_run_id TEXT,
    version INTEGER NOT NULL,
    keep INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
);
CREATE INDEX thread_expiries ON threads (expires_at) WHERE active_run IS NULL;

CREATE TABLE snapshots (
    thread TEXT PRIMARY KEY,
    json BLOB NOT NULL
);
