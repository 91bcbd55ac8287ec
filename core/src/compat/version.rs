//! Versions of the protocol, and checks of a peer's version.

use std::fmt;

use crate::PROTOCOL_VERSION;
use crate::error::{Code, Issue, quoted};

/// A version that can be compared, part by part as numbers: `0.0.39`, `1.1`. Missing parts are 0.
///
/// ```
/// use ag_ui_native::ProtocolVersion;
///
/// assert!(ProtocolVersion::parse("0.0.39") < Some(ProtocolVersion::CURRENT));
/// assert_eq!(ProtocolVersion::parse("1.1"), Some(ProtocolVersion::CURRENT));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProtocolVersion {
    /// Changes if existing features may break.
    pub major: u64,
    /// Changes if features are added.
    pub minor: u64,
    /// Counts only in versions before 1.0.
    pub patch: u64,
}

impl ProtocolVersion {
    /// The version of this crate.
    pub const CURRENT: Self = Self::new(1, 1, 0);

    /// Creates a version of three parts.
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch }
    }

    /// Parses one to three numbers with dots between them.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '.');
        let major = number(parts.next()?)?;
        let minor = parts.next().map_or(Some(0), number)?;
        let patch = parts.next().map_or(Some(0), number)?;
        Some(Self { major, minor, patch })
    }

    /// Parses a `protocolVersion` member: exactly `MAJOR.MINOR`.
    pub(crate) fn parse_declared(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Self::new(number(major)?, number(minor)?, 0))
    }
}

/// Parses digits. A number beyond `u64` counts as newer than every known version.
fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// Checks the version that a peer declares: no issue if it is absent, ours or older; a warning if it is newer or
/// invalid. The run continues in any case.
pub fn check_protocol_version(declared: Option<&str>) -> Option<Issue> {
    let issue = |detail| Issue::new(Code::ForeignVersion, "/protocolVersion", detail);
    match ProtocolVersion::parse_declared(declared?) {
        Some(version) if version <= ProtocolVersion::CURRENT => None,
        Some(_) => Some(issue(format!("declared {}, this is {PROTOCOL_VERSION}", quoted(declared?)))),
        None => Some(issue("expected MAJOR.MINOR".to_owned()).advise("declare a version such as 1.1")),
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
