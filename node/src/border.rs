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

    /// As input of an engine, with the place of an event's type among all: the event has just its tag and required members, which
    /// are the strings behind `extra`. The answer is nothing if it is to come as JSON text.
    STRINGS: u32 = 256;

    /// The shape of an event that is handed over as JSON text.
    JSON_TEXT: u32 = 255;

    /// In a stage's output, in place of the index of the caller's object + 1: an event that is handed over as JSON text.
    MADE: u32 = 0;

    /// Marks of a change: kind and member, index of the event, slot (of an inserted message: its place), call from 1, end of its
    /// text. Call 0 is the message itself.
    CHANGE_WIDTH: u32 = 5;
    /// The bits of the kind in its mark; above them stands which member is changed.
    KIND_MASK: u32 = 255;
    /// By how many bits that is moved.
    MEMBER_SHIFT: u32 = 8;
    /// Most changes that are handed over at a time.
    MAX_CHANGES: u32 = 256;

    /// As a step of a path: the place behind the last item of a list.
    END: u32 = u32::MAX;

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
    /// Of verifiers: where the stream stands, as JSON text. Of partial arguments: whether they are whole.
    Status,
    /// Of pipelines and reducers: tells, as JSON text in `extra`, that a patch of the state did not apply. There is a warning then, or
    /// the answer describes an error.
    Unpatched,
    /// Of pipelines and reducers: slot and place of the first call whose id is `extra`, as JSON text; nothing if there is none.
    Call,
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
