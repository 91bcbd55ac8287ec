//! The defaults in the units of Python: seconds.

use std::fmt::Write as _;

use ag_ui_native::bindings::defaults::{Amount, DEFAULTS};

/// The module.
pub fn module() -> String {
    let mut out = "\"\"\"The default of every time, size and count. Times are in seconds.\n\n\
                   Generated from core/src/defaults.rs: `make generate`.\n\"\"\"\n\n\
                   from typing import Final\n"
        .to_owned();
    for (name, about, amount) in DEFAULTS {
        let amount = match amount {
            Amount::Time(time) => format!("{:?}", time.as_secs_f64()),
            Amount::Count(count) => count.to_string(),
            Amount::Part(part) => format!("{part:?}"),
        };
        let _ = write!(out, "\n{name}: Final = {amount}\n\"\"\"{}\"\"\"\n", about.trim());
    }
    out
}
