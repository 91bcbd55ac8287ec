//! The profiles: how strictly a document is read.

use std::fmt;

/// The three ways to read the protocol.
///
/// ```
/// use ag_ui_native::{Code, Event, Profile, from_json, to_json};
///
/// let text = r#"{"type":"STEP_STARTED","stepName":"plan","color":"red"}"#;
/// assert!(from_json::<Event>(text, Profile::Strict).is_err());
///
/// let (event, warnings) = from_json::<Event>(text, Profile::Tolerant)?;
/// assert_eq!((warnings[0].code, &*warnings[0].path), (Code::UnknownField, "/color"));
/// assert_eq!(to_json(&event), r#"{"type":"STEP_STARTED","stepName":"plan"}"#);
///
/// let (event, _) = from_json::<Event>(text, Profile::Relay)?;
/// assert_eq!(to_json(&event), text);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// For producers and conformance checks: everything that 1.0 does not declare is an error.
    Strict,
    /// For clients, and for servers that read input: undeclared members are dropped, clear faults are repaired, and
    /// each of these gives a warning.
    #[default]
    Tolerant,
    /// For proxies and recorders: undeclared members are kept and written again.
    Relay,
}

impl Profile {
    /// The profile's name in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Tolerant => "tolerant",
            Self::Relay => "relay",
        }
    }

    /// The profile called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Strict, Self::Tolerant, Self::Relay].into_iter().find(|profile| profile.as_str() == name)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The treatment of members and values that 1.0 does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// It is an error.
    Refuse,
    /// It is left out, with a warning.
    Drop,
    /// It is kept.
    Keep,
}

/// The treatment of numbers in free values that a double does not hold exactly: integers beyond 2^53 - 1, and numbers
/// out of range. Only hosts whose numbers are doubles lose their digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnsafeIntegers {
    /// They are not looked for.
    #[default]
    Allow,
    /// A warning.
    Warn,
    /// It is an error.
    Error,
}

impl UnsafeIntegers {
    /// The choice called `allow`, `warn` or `error`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "allow" => Some(Self::Allow),
            "warn" => Some(Self::Warn),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

/// The rules of a profile, one by one. Most callers use [`Rules::of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is a choice of its own; a state machine they are not.
pub struct Rules {
    /// Members that a type does not declare.
    pub members: Undeclared,
    /// Undeclared event types, union tags and strings of closed sets.
    pub variants: Undeclared,
    /// Undeclared fields and events of the binary transport. They have no JSON form, so they are never kept.
    pub numbers: Undeclared,
    /// `null` in an optional member: `Drop` reads it as absent.
    pub nulls: Undeclared,
    /// Reads a `null` state in the input of a run as absent, as the official schemas of Node do.
    pub null_state: bool,
    /// Repairs unambiguous faults: attribute spellings, digits in strings, missing fixed values.
    pub repair: bool,
    /// Reads the member names of the Go document (`toolName`, `args`, `state`, `result`).
    pub go_member_names: bool,
    /// Require ids, names, texts, patches and states that are not empty.
    pub non_empty: bool,
    /// Replaces invalid UTF-8 and lone surrogates with U+FFFD instead of refusing them.
    pub replace_invalid_text: bool,
    /// Read absent `tools` and `context` of a run input as empty lists.
    pub fill_lists: bool,
    /// Translate the shapes of AG-UI 0.x that 1.0 has retired.
    pub legacy: bool,
    /// Numbers of free values that a double does not hold.
    pub unsafe_integers: UnsafeIntegers,
    /// Refuse numbers of free values that are beyond the range of a double.
    pub finite: bool,
}

impl Rules {
    /// The rules of a profile.
    pub fn of(profile: Profile) -> Self {
        let all = |undeclared| Self {
            members: undeclared,
            variants: undeclared,
            numbers: undeclared,
            nulls: undeclared,
            null_state: false,
            repair: undeclared == Undeclared::Drop,
            go_member_names: false,
            non_empty: false,
            replace_invalid_text: false,
            fill_lists: false,
            legacy: undeclared == Undeclared::Drop,
            unsafe_integers: UnsafeIntegers::Allow,
            finite: false,
        };
        match profile {
            Profile::Strict => all(Undeclared::Refuse),
            Profile::Tolerant => all(Undeclared::Drop),
            Profile::Relay => all(Undeclared::Keep),
        }
    }

    /// The profile of these rules, which follows from their treatment of undeclared members.
    pub fn profile(&self) -> Profile {
        match self.members {
            Undeclared::Refuse => Profile::Strict,
            Undeclared::Drop => Profile::Tolerant,
            Undeclared::Keep => Profile::Relay,
        }
    }

    /// The rules for values that an application sends through a client: strict, but `null` in an optional member means absent,
    /// since many languages write absent members that way.
    pub fn sending() -> Self {
        Self { nulls: Undeclared::Drop, fill_lists: true, ..Self::of(Profile::Strict) }
    }

    /// The rules for input of a client's middleware: shapes of 0.x are translated, and undeclared members and variants are kept.
    /// Enforcement follows after the middleware.
    #[must_use]
    pub fn before_middleware(self) -> Self {
        Self { members: Undeclared::Keep, variants: Undeclared::Keep, ..self }
    }

    /// The rules for enforcement, which fills in the absent lists of a run's input. The profile `relay` changes nothing.
    #[must_use]
    pub fn enforcing(self) -> Self {
        Self { fill_lists: self.members != Undeclared::Keep, ..self }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::of(Profile::default())
    }
}
