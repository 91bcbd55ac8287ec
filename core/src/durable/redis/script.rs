//! The scripts that Redis executes.

use std::fmt::Write;
use std::sync::LazyLock;

use sha1::{Digest, Sha1};

/// A script, with its hash as `EVALSHA` wants it.
#[derive(Debug)]
pub struct Script {
    pub text: String,
    pub hash: String,
}

impl Script {
    fn new(body: &str) -> Self {
        let text = format!("{}\n{body}", include_str!("scripts/shared.lua"));
        let mut hash = String::with_capacity(40);
        for byte in Sha1::digest(&text) {
            let _ = write!(hash, "{byte:02x}");
        }
        Self { text, hash }
    }
}

macro_rules! scripts {
    ($($name:ident = $file:literal;)*) => {
        $(pub static $name: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!(concat!("scripts/", $file))));)*
    };
}

scripts! {
    CREATE = "create.lua";
    CLAIM = "claim.lua";
    APPEND = "append.lua";
    RENEW = "renew.lua";
    ATTEND = "attend.lua";
    READ = "read.lua";
    CANCEL = "cancel.lua";
    INFO = "info.lua";
    DELETE = "delete.lua";
    THREAD = "thread.lua";
    DELETE_THREAD = "delete_thread.lua";
}
