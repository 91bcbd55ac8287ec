//! The timeouts of a client.

use std::time::Duration;

use crate::error::{Code, Error};

macro_rules! timeouts {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal;)+) => {
        /// A timeout of a client. Each has a setting of this name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Timeout { $($(#[doc = $doc])+ $name,)+ }

        impl Timeout {
            /// All timeouts.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The setting's name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

timeouts! {
    /// The connection.
    Connect = "connect_timeout";
    /// The head of the answer, from when the request was sent.
    FirstByte = "first_byte_timeout";
    /// The next piece of the answer. A heartbeat is one.
    Idle = "idle_timeout";
    /// The end of the run, from its beginning.
    Total = "total_timeout";
}

impl Timeout {
    /// The error of this timeout. Its `limit` names the setting.
    pub fn error(self) -> Error {
        self.failure(self.as_str().to_owned())
    }

    /// The error of this timeout, with its duration.
    pub fn error_after(self, limit: Duration) -> Error {
        self.failure(format!("{} is {} s", self.as_str(), limit.as_secs_f64()))
    }

    fn failure(self, detail: String) -> Error {
        Error { limit: Some(self.as_str()), ..Error::new(Code::TimedOut, detail) }
    }
}
