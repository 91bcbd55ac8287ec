//! The numbers that Rust and JavaScript share. `make generate` writes them for JavaScript: `lib/generated/border.cts`.
#![allow(dead_code)] // The lists are for the generator, which reads this file too; some numbers only JavaScript needs.

/// A name of this file, its documentation, and its number.
pub type Named = (&'static str, &'static str, i64);

macro_rules! numbers {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:expr;)+) => {
        $($(#[doc = $doc])+ pub const $name: $type = $value;)+

        /// Every number.
        pub const NUMBERS: &[Named] = &[$((stringify!($name), concat!($($doc, "\n"),+), $name as i64)),+];
    };
}

macro_rules! codes {
    ($(#[doc = $about:literal])+ $set:ident from $first:expr; $($(#[doc = $doc:literal])+ $name:ident,)+) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $set { $($(#[doc = $doc])+ $name,)+ }

        impl $set {
            /// The documentation of the set.
            pub const ABOUT: &str = concat!($($about, "\n"),+);

            /// Every constant.
            pub const ALL: &[Named] =
                &[$((stringify!($name), concat!($($doc, "\n"),+), Self::$name.code() as i64)),+];

            /// Returns the number that crosses.
            pub const fn code(self) -> u32 {
                $first + self as u32
            }

            /// Returns the variant with this number.
            pub fn of(code: u32) -> Option<Self> {
                [$(Self::$name),+].into_iter().find(|one| one.code() == code)
            }
        }
    };
}

numbers! {
    /// The index of the status bits in `marks`.
    STATUS: u32 = 0;
    /// The index of the count of marks that follow.
    LENGTH: u32 = 1;
    /// The index of the first mark.
    FIRST: u32 = 2;

    /// The stream has failed; ask for the error.
    FAILED: u32 = 1;
    /// There are warnings; ask for them.
    WARNED: u32 = 2;
    /// The array is too short; provide `LENGTH + 2` marks and ask again.
    SHORT: u32 = 4;
    /// Stages set it: nothing has changed, and the same event gives the same result again.
    SAME: u32 = 8;
    /// Expansion sets it: from now on the same event gives the last of the events that were made, and changes nothing.
    LAST: u32 = 16;
    /// Expansion sets it: an event that differs from the last in its id alone gives the same events, with its id in all but the first
    /// event, and with the last one's id there.
    NEXT: u32 = 32;

    /// Pipelines and intakes set it: a run has ended, and no other run has begun since.
    ENDED: u32 = 64;

    /// The input of an engine that reads an event by its strings; the place of the event's type is added. The event has only its tag and
    /// its required members, which are the strings after `extra`. The answer is undefined if the engine needs JSON text.
    STRINGS: u32 = 256;

    /// The input of a stage that verifies the projection of an event, with its `subagentRunId` as `extra` if it has one. The answer is one
    /// of the numbers from `UNSTEPPED` to `STEP_FAILED`.
    STEPS: u32 = 512;
    /// The stage needs the event as JSON text.
    UNSTEPPED: u32 = 0;
    /// The event is admitted.
    STEPPED: u32 = 1;
    /// The event is admitted, and the same event gives the same result again.
    SAME_STEP: u32 = 2;
    /// The event is refused, or there are warnings: ask for them.
    STEP_FAILED: u32 = 3;

    /// The shape of an event that is handed over as JSON text.
    JSON_TEXT: u32 = 255;

    /// Replaces the index of the caller's object + 1 in a stage's output: the event is handed over as JSON text.
    MADE: u32 = 0;

    /// Replaces it for an event of strings: the marks of a decoder's event follow.
    FLAT: u32 = u32::MAX;

    /// Marks of a change: kind and member, index of the event, slot (of an inserted message: its place), call from 1, end of its
    /// text. Call 0 is the message itself.
    CHANGE_WIDTH: u32 = 5;
    /// The bits of the kind in its mark; the bits above hold the member that is changed.
    KIND_MASK: u32 = 255;
    /// The shift of the member's bits.
    MEMBER_SHIFT: u32 = 8;
    /// The maximum number of changes that are handed over at a time.
    MAX_CHANGES: u32 = 256;

    /// The code by which a server closes a WebSocket that shuts down before a run is asked for.
    CLOSE_GOING_AWAY: u32 = ag_ui_native::bindings::server::Close::GOING_AWAY as u32;

    /// A step of a path: the place after the last item of a list.
    END: u32 = u32::MAX;

    /// The answer of compaction that needs a full table.
    MISSING_TABLE: u32 = u32::MAX;
    /// The answer of compaction that needs the events themselves.
    MISSING_EVENTS: u32 = u32::MAX - 1;

    /// A flag of an end, or beside an `EndCause`: the state could not be sent.
    STATE_UNSENT: u32 = 256;
    /// A flag of an end: the run ends with this event unchanged.
    AS_IT_IS: u32 = 512;
    /// The answer of a conclusion after the agent was told to stop: later writes of the agent are discarded.
    IS_FORCED: u32 = 1;
    /// The answer of a conclusion whose unsent state is to be reported.
    TELLS_UNSENT: u32 = 2;

    /// The answer of patching for a value that is too deep.
    TOO_DEEP: i64 = -1;
    /// The answer of patching for a value with too many values.
    TOO_MANY: i64 = -2;
}

codes! {
    /// The requests to an engine besides reading.
    Ask from 0;
    /// Ends the stream.
    Close,
    /// Hands over the last result again, into a larger array of marks.
    Again,
    /// Describes the failure, as JSON text.
    Error,
    /// Returns the warnings since the last request, as JSON text.
    Warnings,
    /// Returns the stream's last event id and retry time, as JSON text. For decoders and pipelines.
    Resume,
    /// Returns once the messages and interrupts of a new conversation, as JSON text. For pipelines and reducers.
    Start,
    /// Returns a status: of verifiers the state of the stream, as JSON text; of partial arguments `true` if they are complete; of reducers
    /// `true` if the last event may have changed messages.
    Status,
    /// Reports, as JSON text in `extra`, a patch of the state that did not apply. There is a warning then, or the answer describes an
    /// error. For pipelines and reducers.
    Unpatched,
    /// Ends the run of an agent that has failed; `extra` is the text for the client. For guards.
    Failed,
    /// Reports the number, in `extra`, of events that were not handed over before the last one. For stages.
    Skipped,
    /// Adds messages of snapshots that were held back, a snapshot of them as JSON text in `extra`. The answer describes an error, if
    /// there is one. For verifiers.
    MessageOwners,
    /// Returns slot and place of the first call whose id is `extra`, as JSON text, or nothing. For pipelines and reducers.
    Call,
    /// Returns the slot of the first message whose id is `extra`, or nothing. For pipelines and reducers.
    Message,
    /// Replaces the conversation by the one in `extra`, which has the form of its start. The answer is that to `Start`, or describes an
    /// error. For pipelines and reducers.
    Replace,
    /// Appends messages, in the form of a start in `extra`. The answer is that to `Start`. For pipelines and reducers.
    Append,
    /// Sets the thread and the run that the stream was requested for, a list of both as JSON text in `extra`. For verifiers and pipelines.
    Asked,
    /// Joins the text of messages with one id in one message, even if their kinds differ. For reducers.
    Shared,
    /// Returns the ids of the runs after the first, and the number of the run of each message of these, as JSON text. For pipelines and
    /// reducers.
    Later,
    /// Returns the stream index of each event since the last request, with commas between. For pipelines that make events.
    Indices,
    /// Sets the index of the next event to that in `extra`. For reducers.
    GoTo,
    /// Reports a failure of the transport, with its code; `Close` then returns the error. Of middleware, for intakes: the answer is `true` if the run
    /// ends as finished. For pipelines and intakes.
    Lost,
    /// Returns the milliseconds to wait for more after the end of a run; `extra` is `{"now", "idle", "isOneRun"}`. 0 means that the stream
    /// has ended, no answer means no limit. For pipelines and intakes.
    IdleTime,
}

codes! {
    /// The rows for the parts of a patch that JavaScript carries out itself. They come before the change, and their numbers are larger than
    /// those of changes.
    Part from 128;
    /// An operation. The slot is 1 for one that replaces, the text its path.
    Operation,
    /// A step of the operation's path: the index of an item from 1, or `END`; and the name of a member, unless that is the item's
    /// index.
    Step,
    /// The operation's value. The slot is 1 for a string, 0 for JSON text.
    Value,
}

codes! {
    /// The calls to the writer of a run, with their arguments. `lib/server/writer.cts` makes them.
    ///
    /// An answer that counts waiting bytes is -1 minus the count after the end of the run.
    RunCall from 0;
    /// `(entity, delta)`: appends to a message or to the arguments of a call. With `lengths` these are several deltas in a row: their
    /// count, and the UTF-16 length of each. The answer is the count of waiting bytes.
    Write,
    /// `(tag, event)`: sends an event, which is JSON text. The answer is the count of waiting bytes.
    Send,
    /// `(tag, event)`: opens an entity with the event that starts it. The answer is the entity.
    Open,
    /// `(tag, id)`: opens a span of reasoning and its message. The answer is the entity.
    OpenReasoning,
    /// `(entity)`: closes it. The answer is the count of waiting bytes.
    End,
    /// `(entity, event)`: closes a subagent in the way that this event would end the run.
    EndAs,
    /// `(entity, text)`: closes a subagent whose agent has failed with this text.
    EndFailed,
    /// `(STATE_UNSENT, AS_IT_IS, event)`: closes open entities and ends the run by this event. If the event needs the state, which could
    /// not be sent, the answer is `unsent`, and the run goes on.
    EndRun,
    /// `(cause)`: records the `EndCause` of a run before its agent is told to stop. Only the first counts. The answer is the time in
    /// milliseconds that the client has to read the end; 0 for no limit.
    Decide,
    /// `(cause, text)`: ends the run, unless it has ended; `STATE_UNSENT` is a flag of the `EndCause`. The text is that of an error, of the
    /// state's first; or the event that would end the run with the returned value. The answer is `IS_FORCED` and `TELLS_UNSENT`; or the
    /// description of an error to report.
    Conclude,
    /// `(undefined, entries)`: adds to the tokens that the end of the run reports; a list, which is JSON text.
    AddUsage,
    /// `(bytes)`: moves the waiting frames into `bytes`, if they fit. The answer is the count of bytes that waited.
    Take,
    /// Writes the delta, if there is one, and takes the waiting frames. The answer is a chunk of HTTP/1.1, each byte a character.
    Chunk,
    /// `(pause, is_socket)`: starts to measure silence. A comment, or a ping of a WebSocket, ends it after this number of microseconds. The
    /// clock starts at 0.
    KeepAlive,
    /// Returns the time of the next check for silence, in microseconds; 0 for never.
    NextCheck,
    /// `(now, is_behind)`: checks for silence. `is_behind` says that the client reads slowly. The answer is a `Beat`.
    CheckSilence,
    /// Reports that the client has sent a message.
    Heard,
    /// Discards waiting frames and all later writes.
    Drop,
    /// `(bytes)`: ends the run because its client is too slow, if this number of bytes waits. The answer is the count of waiting bytes.
    CheckRoom,
    /// Reads the body that has been received. The answer is JSON text: the input and the warnings, or the refusal.
    Read,
    /// `(echo)`: begins the run that was read; with `true`, RUN_STARTED carries its input. The answer is the count of waiting bytes.
    Start,
    /// Starts (`about` is true) or stops treating the calls that write as one call. The answer is the count of waiting bytes.
    OneCall,
    /// Writes an event of the state: its JSON text. It goes before the frames of the last call. The answer is the count of waiting bytes.
    State,
    /// Returns 1 if the state is sent before the end of the run, or (`about` is true) at each `await`; otherwise 0.
    WantsState,
    /// Decides if a state with this number of values (`about`) is compared at an `await`: 2 for yes, also later unless it grows; 1 for yes,
    /// 0 for no; or the description of an error. Without `about` it reports that the state is being compared.
    StateDue,
    /// `(tag, event, content)`: writes an event of an activity; `content` is the client's content, if known. The answer is `=` and the new
    /// content.
    Activity,
    /// Writes a snapshot of an activity like `Activity`, but sends only its difference to the client's content.
    ActivityUpdate,
    /// Panics, for the test that a panic stays inside.
    Panic,
    /// `(bytes, is_binary)`: receives a piece of a request's body; with `is_binary`, the first message of a WebSocket, which is the whole
    /// body. The answer is how many bytes have come, or the refusal as JSON text.
    Receive,
    /// The refusal of a body that has not arrived in time, as JSON text.
    TimedOut,
    /// The code by which a WebSocket is closed after the run.
    CloseCode,
}

codes! {
    /// The actions against silence.
    Beat from 0;
    /// No action.
    Nothing,
    /// A comment waits to be sent.
    Comment,
    /// A ping is to be sent.
    Ping,
    /// The client is disconnected: it answers no ping.
    GiveUp,
}

codes! {
    /// The causes of the end of a run that JavaScript reports.
    EndCause from 0;
    /// The agent has returned.
    Returned,
    /// The agent has thrown.
    Raised,
    /// The agent has cancelled itself.
    CalledOff,
    /// The agent has exceeded its time limit.
    TimedOut,
    /// The server stops the agent.
    Stopped,
}

codes! {
    /// A step of the growth of a value that arrives in pieces.
    Growth from 0;
    /// The text is the key of the next value.
    Key,
    /// An object begins.
    Object,
    /// A list begins.
    List,
    /// The text is a string, so far.
    Text,
    /// The text is more of the last string.
    Append,
    /// The text is the JSON of a value.
    Json,
    /// The last object or list ends.
    Close,
    /// The text is the JSON pointer of a complete value.
    Complete,
}

codes! {
    /// The JavaScript functions that core calls during a patch: indexes in the list of functions.
    PatchFunction from 0;
    /// `(container, context)`: returns the container, or its copy, for a change.
    Own,
    /// `(container, key)`: returns the member or item, or undefined.
    Get,
    /// `(container, key, context)`: returns the member or item for a change.
    Reach,
    /// `(object, name, value)`: sets a member and returns the old one, or undefined.
    Set,
    /// `(container, key, value)`: replaces a member or item and returns the old one, or undefined.
    Replace,
    /// `(container, key, value, order?)`: inserts a new member or item.
    Insert,
    /// `(container, key)`: removes a member or item and returns it and the former order of names; or undefined.
    Remove,
    /// `(value, levels, values, context?)`: returns a deep copy and its count of values; or a refusal. With a context that lends values, it
    /// returns the value itself.
    Copy,
    /// `(value, levels, values)`: returns the count of values in it; or a refusal.
    Measure,
    /// `(one, other, levels)`: returns 1 if both are the same JSON, otherwise 0; or a refusal.
    Equal,
    /// `(value)`: returns the length of a list, or undefined.
    Length,
    /// The constructor of lists. It is not called.
    Array,
}
