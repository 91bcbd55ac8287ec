//! What both sides of the border count on. `make generate` writes it down for JavaScript: `lib/generated/border.cts`.
#![allow(dead_code)] // The lists are for the generator, which reads this file too; some numbers only JavaScript needs.

/// A name of this file, what it says, and its number.
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
            /// What they are.
            pub const ABOUT: &str = concat!($($about, "\n"),+);

            /// Every one.
            pub const ALL: &[Named] =
                &[$((stringify!($name), concat!($($doc, "\n"),+), Self::$name.code() as i64)),+];

            /// The number that crosses.
            pub const fn code(self) -> u32 {
                $first + self as u32
            }

            /// The one with this number.
            pub fn of(code: u32) -> Option<Self> {
                [$(Self::$name),+].into_iter().find(|one| one.code() == code)
            }
        }
    };
}

numbers! {
    /// In `marks[STATUS]`: bits.
    STATUS: u32 = 0;
    /// In `marks[LENGTH]`: the number of marks that follow.
    LENGTH: u32 = 1;
    /// Where the first of them stands.
    FIRST: u32 = 2;

    /// The stream has failed; ask for the error.
    FAILED: u32 = 1;
    /// There are warnings; ask for them.
    WARNED: u32 = 2;
    /// The marks are too few; provide `LENGTH + 2` and ask again.
    SHORT: u32 = 4;
    /// Of stages: nothing has changed, and the same event would come to the same again.
    SAME: u32 = 8;
    /// Of expansion: from now on the same event comes to the last of those that were made, and changes nothing.
    LAST: u32 = 16;
    /// Of expansion: an event that differs from the last in its id alone comes to the same, with its id in all but the first event, and
    /// with the last one's id there.
    NEXT: u32 = 32;

    /// Of pipelines and intakes: a run has ended, and no other one has begun since.
    ENDED: u32 = 64;

    /// As input of an engine, with the place of an event's type among all: the event has just its tag and required members, which
    /// are the strings behind `extra`. The answer is nothing if it is to come as JSON text.
    STRINGS: u32 = 256;

    /// The same of an event in brief that a stage only judges, with its `subagentRunId` as `extra` if it has one. The answer is a
    /// number: `STEPPED` and such.
    STEPS: u32 = 512;
    /// A step's event is to come as JSON text.
    UNSTEPPED: u32 = 0;
    /// It may come.
    STEPPED: u32 = 1;
    /// The same, and the same event again would come to the same.
    SAME_STEP: u32 = 2;
    /// It may not, or there are warnings: ask for them.
    TOLD: u32 = 3;

    /// The shape of an event that is handed over as JSON text.
    JSON_TEXT: u32 = 255;

    /// In a stage's output, in place of the index of the caller's object + 1: an event that is handed over as JSON text.
    MADE: u32 = 0;

    /// The same for an event of strings: its marks are those of a decoder, and they follow.
    FLAT: u32 = u32::MAX;

    /// Marks of a change: kind and member, index of the event, slot (of an inserted message: its place), call from 1, end of its
    /// text. Call 0 is the message itself.
    CHANGE_WIDTH: u32 = 5;
    /// The bits of the kind in its mark; above them stands which member is changed.
    KIND_MASK: u32 = 255;
    /// By how many bits that is moved.
    MEMBER_SHIFT: u32 = 8;
    /// Most changes that are handed over at a time.
    MAX_CHANGES: u32 = 256;

    /// The code by which a WebSocket is closed behind a run.
    CLOSE_DONE: u32 = ag_ui_native::server::Close::DONE as u32;
    /// The same where the server shuts down.
    CLOSE_GOING_AWAY: u32 = ag_ui_native::server::Close::GOING_AWAY as u32;

    /// As a step of a path: the place behind the last item of a list.
    END: u32 = u32::MAX;

    /// What compaction answers when it needs a full table.
    MISSING_TABLE: u32 = u32::MAX;
    /// And when it needs the events themselves.
    MISSING_EVENTS: u32 = u32::MAX - 1;

    /// Of an end, or beside an `EndCause`: the state could not be sent.
    STATE_UNSENT: u32 = 256;
    /// Beside that: the run ends by this event as it is.
    AS_IT_IS: u32 = 512;
    /// What a conclusion answers when the agent was told to stop: what it writes still is nobody's.
    IS_FORCED: u32 = 1;
    /// And when it is to be told that the state could not be sent.
    TELLS_UNSENT: u32 = 2;

    /// What patching answers when a value is too deep.
    TOO_DEEP: i64 = -1;
    /// And when it holds too many values.
    TOO_MANY: i64 = -2;
}

codes! {
    /// What an engine can be asked for besides reading.
    Ask from 0;
    /// Ends the stream.
    Close,
    /// Hands the last result over again, into marks that are large enough.
    Again,
    /// Describes the failure, as JSON text.
    Error,
    /// The warnings since the last time, as JSON text.
    Warnings,
    /// Of decoders and pipelines: the stream's last event id and retry time, as JSON text.
    Resume,
    /// Of pipelines and reducers, once: the messages and interrupts a conversation begins with, as JSON text.
    Start,
    /// Of verifiers: where the stream stands, as JSON text. Of partial arguments: whether they are whole. Of reducers: whether the last
    /// event may have changed messages, `true` or `false`.
    Status,
    /// Of pipelines and reducers: tells, as JSON text in `extra`, that a patch of the state did not apply. There is a warning then, or
    /// the answer describes an error.
    Unpatched,
    /// Of guards: the events that end the run of an agent that has failed, as JSON text; `extra` is what the client is told of it.
    Failed,
    /// Of stages: that so many events, a number in `extra`, were not handed over before the last one.
    Skipped,
    /// Of verifiers: messages of snapshots that core has not been shown, a snapshot of them as JSON text in `extra`. The answer describes
    /// an error, if there is one.
    Seeds,
    /// Of pipelines and reducers: slot and place of the first call whose id is `extra`, as JSON text; nothing if there is none.
    Call,
    /// Of pipelines and reducers: the slot of the first message whose id is `extra`; nothing if there is none.
    Message,
    /// Of pipelines and reducers: the conversation goes on with what `extra` says, as it has begun. The answer is that to `Start`, or
    /// describes an error.
    Replace,
    /// Of pipelines and reducers: messages are added at the end, those of a beginning in `extra`. The answer is the same.
    Append,
    /// Of verifiers and pipelines: tells which thread and run the stream was asked for with, a list of both as JSON text in `extra`.
    Asked,
    /// Of reducers: that text of messages with one id goes into one message, whatever kinds they are.
    Shared,
    /// Of pipelines and reducers: the ids of the runs behind the first, and the number of the run of each message that they brought, as
    /// JSON text.
    Later,
    /// Of pipelines that make events: the index in the stream of each since the last time, with commas between.
    Indices,
    /// Of reducers: the next event has the index in `extra`.
    GoTo,
    /// Of pipelines: the transport has failed, with the code that comes with it; `Close` says what that comes to.
    Lost,
}

codes! {
    /// What stands among changes and is none: the parts of a patch that JavaScript can carry out as they are. They come
    /// before the change, and their numbers are beyond those of changes.
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
    /// What a run that is written is asked for; what stands behind it depends on that. `lib/server/writer.cts` asks.
    ///
    /// Where the answer is how many bytes wait, it is -1 less that number from the end of the run on.
    RunCall from 0;
    /// `(entity, delta)`: appends to a message or to the arguments of a call. With `lengths` these are several deltas in a row: how
    /// many, and how many UTF-16 units each has. The answer is how many bytes wait.
    Write,
    /// `(tag, event)`: sends an event, which is JSON text. The answer is how many bytes wait.
    Send,
    /// `(tag, event)`: opens something by the event that starts it. The answer is the entity.
    Open,
    /// `(tag, id)`: opens a span of reasoning and its message. The answer is the entity.
    OpenReasoning,
    /// `(entity)`: closes it. The answer is how many bytes wait.
    End,
    /// `(entity, event)`: closes a subagent as the run would end by this event.
    EndAs,
    /// `(entity, text)`: the same as its agent has failed, with this text.
    EndFailed,
    /// `(STATE_UNSENT, AS_IT_IS, event)`: closes what is open, and ends the run by this event. Where the state could not be sent and is
    /// needed for it, the answer is `unsent`, and the run goes on.
    EndRun,
    /// `(cause)`: notes why the run is going to end, an `EndCause`, before its agent is told to stop. Only the first counts. The answer
    /// is how many milliseconds the client has to read the end; 0 for any time.
    Decide,
    /// `(cause, text)`: ends the run, unless it has ended; beside the `EndCause`, `STATE_UNSENT`. The text is that of an error, that of the state first; or what was returned, as the event by which the run would end. The answer is
    /// `IS_FORCED` and `TELLS_UNSENT`; or what else is to be told, an error's description.
    Conclude,
    /// `(undefined, entries)`: adds to the tokens that the end of the run reports; a list, which is JSON text.
    AddUsage,
    /// `(bytes)`: fills them with what waits, if it fits, and forgets it. The answer is how many bytes waited.
    Take,
    /// The same as `Write`, if there is a delta. The answer is what waits as a chunk of HTTP/1.1, each byte a character, and is
    /// forgotten.
    Chunk,
    /// `(pause, is_socket)`: counts silence from now on, which a comment, or a ping of a WebSocket, fills after so many microseconds. Their
    /// time is 0.
    KeepAlive,
    /// When to look for silence next, in microseconds; 0 for never.
    NextLook,
    /// `(now, is_behind, was_composed)`: looks for silence. The client may be behind, and something may have been written that was not taken
    /// here. The answer is a `Beat`.
    Look,
    /// The client has said anything.
    Heard,
    /// Forgets what waits, and what is written from now on.
    Drop,
    /// `(bytes)`: ends the run as that of a client that is too slow, if so many bytes wait. The answer is how many bytes wait.
    CheckRoom,
    /// `(body)`: reads a request's body. The answer is JSON text: the input and the warnings, or the refusal.
    Read,
    /// `(echo)`: begins the run that was read; with `true`, RUN_STARTED carries its input. The answer is how many bytes wait.
    Start,
    /// Has the calls that write be one call, from now on (`about` is true) or no longer. The answer is how many bytes wait.
    OneCall,
    /// Writes an event of the state: its JSON text. It goes before the frames of the last call. The answer is how many bytes wait.
    State,
    /// Whether the state is to be sent before the end of the run, or (`about` is true) where something is awaited: 1 or 0.
    StateWanted,
    /// Whether a state of so many values (`about`) is to be compared where something is awaited: 2 if it is, as long as it is no larger;
    /// 1 if it is, 0 if it is not; or how, the description of an error. Without `about`: it is being compared.
    StateDue,
    /// `(tag, event, content)`: writes one of an activity, of which the client has that, if any is known. The answer is `=` and what it has then.
    Activity,
    /// The same of a snapshot of which only goes out what has changed.
    ActivityUpdate,
    /// Panics, for the test that a panic stays inside.
    Panic,
}

codes! {
    /// What is to be done about silence.
    Beat from 0;
    /// Nothing.
    Nothing,
    /// A comment waits to be sent.
    Comment,
    /// A ping is to be sent.
    Ping,
    /// The client is to be given up: it answers no ping.
    GiveUp,
}

codes! {
    /// Why a run ends, as far as that is said here.
    EndCause from 0;
    /// The agent has returned.
    Returned,
    /// It has thrown.
    Raised,
    /// It has called itself off.
    CalledOff,
    /// It has taken longer than it may.
    TimedOut,
    /// Its server stops it.
    Stopped,
}

codes! {
    /// A step in which a value grows that arrives in pieces.
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
    /// The text is the JSON pointer of what is complete.
    Complete,
}

codes! {
    /// What JavaScript does while core patches its objects: places in the list of functions.
    PatchFunction from 0;
    /// `(container, context)`: the container, or its copy, to be changed.
    Own,
    /// `(container, key)`: the member or item; undefined if there is none.
    Look,
    /// `(container, key, context)`: the same, to be changed.
    Reach,
    /// `(object, name, value)`: sets a member and returns what was there, or undefined.
    Set,
    /// `(container, key, value)`: replaces what is there and returns it, or undefined.
    Replace,
    /// `(container, key, value, order?)`: inserts what is not there.
    Insert,
    /// `(container, key)`: removes what is there and returns it, and the order of names before; or undefined.
    Remove,
    /// `(value, levels, values, context?)`: a deep copy and how many values it has; or a refusal. With the context, the
    /// value itself if the context says so.
    Copy,
    /// `(value, levels, values)`: how many values it has; or a refusal.
    Measure,
    /// `(one, other, levels)`: 1 if both are the same JSON, 0 if not; or a refusal.
    Equal,
    /// `(value)`: its length, if it is a list; or undefined.
    Length,
    /// No function that is called: the constructor of lists.
    Array,
}
