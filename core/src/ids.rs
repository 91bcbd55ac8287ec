//! Ids for threads, runs, messages, tool calls and steps. The protocol accepts any string; these are
//! readable.
//!
//! ```
//! use ag_ui_native::ids::IdKind;
//!
//! assert!(IdKind::Message.new_id().starts_with("msg-"));
//! ```

use uuid::Uuid;

macro_rules! id_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal, $prefix:literal;)+) => {
        /// The kind of thing that an id names.
        ///
        /// ```
        /// use ag_ui_native::ids::IdKind;
        ///
        /// assert!(IdKind::Message.new_id().starts_with("msg-"));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum IdKind { $($(#[doc = $doc])+ $kind,)+ }

        impl IdKind {
            /// Every kind.
            #[doc(hidden)]
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The kind's name.
            #[doc(hidden)]
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ }
            }

            /// The prefix of the kind's ids.
            #[doc(hidden)]
            pub fn prefix(self) -> &'static str {
                match self { $(Self::$kind => $prefix,)+ }
            }
        }
    };
}

id_kinds! {
    /// A conversation.
    Thread = "thread", "thread";
    /// A run.
    Run = "run", "run";
    /// A message.
    Message = "message", "msg";
    /// A tool call.
    ToolCall = "tool_call", "tool";
    /// A step.
    Step = "step", "step";
}

impl IdKind {
    /// A new random id of the kind: `{kind}-{UUID version 4}`.
    pub fn new_id(self) -> String {
        UuidGenerator.id(self)
    }
}

/// Makes ids. It is passed where ids are made, or set as the host's default.
#[doc(hidden)]
pub trait IdGenerator {
    /// A new id for a thing of the given kind.
    fn id(&self, kind: IdKind) -> String;
}

/// `{kind}-{UUID version 4}`
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct UuidGenerator;

impl IdGenerator for UuidGenerator {
    fn id(&self, kind: IdKind) -> String {
        format!("{}-{}", kind.prefix(), Uuid::new_v4())
    }
}

/// Makes ids of the form `{prefix}-{kind}-{milliseconds since 1970}-{8 hexadecimal digits}`; without a prefix they begin
/// with the kind. Such ids sort by the time of their making. The clock is the host's.
///
/// ```
/// use ag_ui_native::ids::{IdKind, TimestampGenerator};
///
/// let ids = TimestampGenerator { prefix: "eu".to_owned(), clock: || 1_767_225_600_000 };
/// assert!(ids.new_id(IdKind::Run).starts_with("eu-run-1767225600000-"));
/// ```
#[derive(Clone, Debug)]
pub struct TimestampGenerator<Clock> {
    /// The prefix; may be empty.
    pub prefix: String,
    /// Milliseconds since 1970.
    pub clock: Clock,
}

impl<Clock: Fn() -> u64> TimestampGenerator<Clock> {
    /// A new id of the kind.
    pub fn new_id(&self, kind: IdKind) -> String {
        let separator = if self.prefix.is_empty() { "" } else { "-" };
        let random = Uuid::new_v4().simple().to_string();
        format!("{}{separator}{}-{}-{}", self.prefix, kind.prefix(), (self.clock)(), &random[..8])
    }
}

impl<Clock: Fn() -> u64> IdGenerator for TimestampGenerator<Clock> {
    fn id(&self, kind: IdKind) -> String {
        self.new_id(kind)
    }
}
