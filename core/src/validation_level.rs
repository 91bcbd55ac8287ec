//! Validation of values made in Rust.

use crate::decode::DocumentReader;
use crate::encode::to_json;
use crate::error::Error;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::schema::DeclaredType;
use crate::validate::TypedBuild;

/// The strictness of [`validate`].
///
/// ```
/// use ag_ui_native::types::{Event, TextMessageEndEvent};
/// use ag_ui_native::{Level, validate};
///
/// let event = Event::from(TextMessageEndEvent::new(""));
/// assert!(validate(&event, Level::Protocol).is_ok());
/// assert!(validate(&event, Level::NonEmpty).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The rules of the protocol.
    #[default]
    Protocol,
    /// Also that ids, names, texts, patches and states are not empty.
    NonEmpty,
}

/// Validates a value made in Rust by the strict profile: ranges, lists that must not be empty, undeclared
/// members.
///
/// ```
/// use ag_ui_native::types::TextMessageContentEvent;
/// use ag_ui_native::{Level, validate};
///
/// let mut event = TextMessageContentEvent::new("m", "Hello");
/// validate(&event, Level::Protocol)?;
///
/// event.delta.clear();
/// let error = validate(&event, Level::NonEmpty).unwrap_err();
/// assert_eq!(error.issues[0].path, "/delta");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub fn validate<T: DeclaredType>(value: &T, level: Level) -> Result<(), Error> {
    let mut reader = DocumentReader::new(Profile::Strict, Limits::default());
    reader.rules = Rules { non_empty: level == Level::NonEmpty, ..reader.rules };
    reader.value(&*to_json(value), T::DECLARED_KIND, &mut TypedBuild).map(|_| ())
}
