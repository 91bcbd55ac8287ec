//! How strictly a document is read.

use std::fmt;

/// Three ways to read the same protocol.
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
    /// For producers and conformance checks: everything that 1.0 does not say is an error.
    Strict,
    /// For clients, and for servers reading input: what 1.0 does not know is dropped, what it can repair is repaired,
    /// and each time a warning says so.
    #[default]
    Tolerant,
    /// For proxies and recorders: what 1.0 does not know is kept and written again.
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

/// What a reader does with something that 1.0 does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    /// It is an error.
    Refuse,
    /// It is left out, with a warning.
    Drop,
    /// It is kept.
    Keep,
}

/// What a reader says of a number in a free value that a double does not hold: an integer beyond 2^53 - 1, or a number out of
/// range. Only a host whose numbers are doubles loses them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnsafeIntegers {
    /// Nothing, and it does not look for them.
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

/// A profile taken apart. Most callers want [`Rules::of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is a choice of its own; a state machine they are not.
pub struct Rules {
    /// Members that a type does not declare.
    pub members: Undeclared,
    /// Event types, union tags and strings of closed sets nobody declared.
    pub variants: Undeclared,
    /// Fields and events of the binary transport whose numbers nobody declared. No JSON stands for them, so nothing keeps them.
    pub numbers: Undeclared,
    /// `null` in an optional member: `Drop` reads it as absent.
    pub nulls: Undeclared,
    /// As the official schemas of Node do: `null` for the state of a run says that there is none.
    pub null_state: bool,
    /// Mend what is clear: attribute spellings, digits in strings, fixed values left out.
    pub repair: bool,
    /// Read the member names of the Go document (`toolName`, `args`, `state`, `result`).
    pub go_names: bool,
    /// Require ids, names, texts, patches and states to say something.
    pub non_empty: bool,
    /// Replace text that is not Unicode instead of refusing it.
    pub lossy: bool,
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
            go_names: false,
            non_empty: false,
            lossy: false,
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

    /// The profile that these are rules of: what is done with undeclared members tells.
    pub fn profile(&self) -> Profile {
        match self.members {
            Undeclared::Refuse => Profile::Strict,
            Undeclared::Drop => Profile::Tolerant,
            Undeclared::Keep => Profile::Relay,
        }
    }

    /// For what an application gives a client to send: strictly, but `null` in an optional member says that it is absent, as what languages
    /// write of their objects has it.
    pub fn sending() -> Self {
        Self { nulls: Undeclared::Drop, fill_lists: true, ..Self::of(Profile::Strict) }
    }

    /// The same for what comes before the middleware of a client: 0.x is translated, and what nobody declared is kept. It is enforced behind
    /// the middleware.
    #[must_use]
    pub fn before_middleware(self) -> Self {
        Self { members: Undeclared::Keep, variants: Undeclared::Keep, ..self }
    }

    /// The same for enforcement, which completes what it reads: absent lists of a run's input are filled in. A relay changes
    /// nothing.
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
