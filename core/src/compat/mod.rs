//! Peers that speak AG-UI 0.x, and versions: shapes that 1.0 has retired, and input for servers that never saw 1.0.

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

/// Notes an issue, unless a hostile document has made too many of them already.
fn note(issues: &mut Vec<Issue>, issue: Issue) {
    if issues.len() < MAX_ISSUES {
        issues.push(issue);
    }
}
