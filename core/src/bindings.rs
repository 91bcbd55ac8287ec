//! The parts of core that the Python and the Node bindings use. They may change with every release.

pub use crate::encode::to_value;
pub use crate::error::Category;
pub use crate::json::NumberStyle;
pub use crate::limits::MAX_ISSUES;
pub use crate::profile::{Rules, UnsafeIntegers};

pub mod client {
    //! The client: its public items, and the machines and rules behind its agents.
    pub use crate::client::bindings::*;
    pub use crate::client::*;
}

pub mod server {
    //! The server: its public items, and the rules behind its writers.
    pub use crate::server::bindings::*;
    pub use crate::server::*;
}

#[cfg(feature = "durable")]
pub mod durable {
    //! Logs of runs: the public items, and the machines without I/O behind servers and clients.
    pub use crate::durable::bindings::*;
    pub use crate::durable::*;
}

macro_rules! parts {
    ($($name:ident)+) => {
        $(pub mod $name {
            //! The public items of the module of this name.
            pub use crate::$name::*;
        })+
    };
}

parts! {
    compact
    compat
    decode
    decoder
    defaults
    documentation
    encode
    expand
    idle
    ids
    json
    projection
    metadata
    patch
    pipeline
    profile
    protobuf
    reduce
    resume
    rewrite
    run_input
    schema
    sse
    validate
    verify
}
