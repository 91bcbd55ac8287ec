//! Compatibility with peers of AG-UI 0.x: versions, retired shapes, and input for servers that do not know 1.0.

mod binary;
mod inbound;
mod peer;
mod version;

pub use binary::upgrade_input;
pub use inbound::Boundary;
pub use peer::receive;
pub use version::{ProtocolVersion, check_protocol_version};

use crate::error::Issue;
use crate::limits::MAX_ISSUES;

/// Adds an issue, unless the list is full.
fn note(issues: &mut Vec<Issue>, issue: Issue) {
    if issues.len() < MAX_ISSUES {
        issues.push(issue);
    }
}
