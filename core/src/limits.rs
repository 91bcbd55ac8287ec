//! Limits on the cost of reading input.

/// The maximum number of errors, and of warnings, that are kept of one document. A hostile document could have millions.
pub const MAX_ISSUES: usize = 100;

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:expr;)+) => {
        /// Limits on the cost of reading. Each has a name, a default and a setting; the error that reports one names it.
        ///
        /// ```
        /// use ag_ui_native::stream::EventDecoder;
        /// use ag_ui_native::{Code, Limits};
        ///
        /// let mut decoder = EventDecoder::new().with_limits(Limits::default().with_event_bytes(10));
        /// let error = decoder.feed(b"data: {\"type\":\"STEP_STARTED\"").find_map(Result::err).unwrap();
        /// assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("event_bytes")));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits { $($(#[doc = $doc])+ pub $name: usize,)+ }

        impl Limits {
            /// Every limit: its name, its description, its default.
            #[doc(hidden)]
            pub const ALL: &'static [(&'static str, &'static str, usize)] =
                &[$((stringify!($name), concat!($($doc, "\n"),+), $default)),+];

            /// The setting called `name`.
            #[doc(hidden)]
            pub fn get_mut(&mut self, name: &str) -> Option<&mut usize> {
                match name { $(stringify!($name) => Some(&mut self.$name),)+ _ => None }
            }
        }

        pastey::paste! {
            impl Limits {
                $($(#[doc = $doc])+
                #[must_use]
                pub fn [<with_ $name>](self, $name: usize) -> Self {
                    Self { $name, ..self }
                })+
            }
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }
    };
}

limits! {
    /// The largest event, in bytes of its text.
    event_bytes = 16 * 1024 * 1024;
    /// The largest body of a request for a run, in bytes. It holds a whole conversation, and each message may be as long as an event.
    input_bytes = 64 * 1024 * 1024;
    /// The maximum number of values in the input of a run; each list, object and scalar counts.
    input_values = 1_000_000;
    /// The deepest nesting of lists and objects; at most 1000.
    depth = 200;
    /// The longest id, in bytes.
    id_bytes = 64 * 1024;
    /// The maximum number of messages, calls, spans, steps and subagents that are open at one time.
    open_entities = 10_000;
    /// The maximum number of members that the events of a message or call may add to its metadata.
    metadata_members = 1_000;
    /// The maximum number of messages, calls, spans, activities and subagents of one run that are remembered, open or not; owners
    /// of steps count too.
    run_entities = 1_000_000;
    /// The maximum number of warnings about one stream; one more warning says that others are left out.
    warnings = 10_000;
    /// The maximum number of operations in one patch.
    patch_operations = 100_000;
    /// The maximum number of values that the `copy` operations of one patch make, and that its moves take to deeper places; each list,
    /// object and scalar counts.
    patch_copies = 100_000;
    /// The maximum number of places by which the insertions and removals of one patch shift the items of lists; in Rust's own objects, members too.
    patch_shifts = 200_000_000;
    /// The maximum number of values in the state of a run that is compared at each await. A larger state is compared when a message, a
    /// tool call or a step ends, when it is flushed, and at the end of the run. Each list, object and scalar counts.
    state_values = 10_000;
}

impl Limits {
    /// The limits of a server with a log: the name in errors, the option, its description, and what happens.
    #[doc(hidden)]
    pub const OF_LOGS: &[[&str; 4]] = &[
        ["log_bytes", "log_bytes", "the bytes of a run's events", "the run ends with RUN_ERROR"],
        ["log_age", "max_age", "the duration of a run", "the run ends with RUN_ERROR"],
        [
            "max_active_runs",
            "max_active_runs",
            "the runs of one scope that a process executes",
            "status 429 with `Retry-After`",
        ],
        [
            "max_readers",
            "max_readers",
            "the connections of one scope that read runs in a process",
            "status 429 with `Retry-After`",
        ],
    ];

    /// The deepest nesting that can be set. The stack of a thread holds it with room to spare.
    #[doc(hidden)]
    pub const MAX_DEPTH: usize = 1_000;

    /// The limits for the program's own output: nesting is limited, lengths are not.
    #[doc(hidden)]
    #[must_use]
    pub fn for_writing(self) -> Self {
        self.with_event_bytes(usize::MAX).with_id_bytes(usize::MAX)
    }

    /// The depth in force.
    pub(crate) fn effective_depth(&self) -> usize {
        self.depth.min(Self::MAX_DEPTH)
    }

    /// Refuses an id, name or tag that is too long to be kept.
    pub(crate) fn check_id(&self, id: &str) -> Result<(), Exceeded> {
        if id.len() > self.id_bytes {
            Err(Exceeded { name: "id_bytes", value: self.id_bytes })
        } else {
            Ok(())
        }
    }

    /// Refuses to remember more of a run than `remembered` things.
    pub(crate) fn check_run(&self, remembered: usize) -> Result<(), Exceeded> {
        if remembered >= self.run_entities {
            Err(Exceeded { name: "run_entities", value: self.run_entities })
        } else {
            Ok(())
        }
    }

    /// Refuses to open something when `open` things are open.
    pub(crate) fn check_open(&self, open: usize) -> Result<(), Exceeded> {
        if open >= self.open_entities {
            Err(Exceeded { name: "open_entities", value: self.open_entities })
        } else {
            Ok(())
        }
    }
}

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: usize,
}
