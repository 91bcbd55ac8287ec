//! Every type of AG-UI 1.1, each declared once.
//!
//! `new` takes the required members, `with_...` sets the others, and every type has serde. [`Event`], [`Message`] and
//! the other unions are enums, made of their variants by `into()`. Undeclared members are in `extra`; only the profile
//! `Relay` fills it.
//!
//! ```
//! use ag_ui_native::Object;
//! use ag_ui_native::types::{ContentPart, ImagePart, Message, TextPart, UrlSource, UserMessage};
//!
//! let picture = ImagePart::new(UrlSource::new("https://example.org/cat.png").with_mime_type("image/png"));
//! let content: Vec<ContentPart> = vec![TextPart::new("What is this?").into(), picture.into()];
//! let message = UserMessage::new("m", content).with_name("Ada").with_metadata(Object::from([("lang", "en")]));
//! let message = Message::from(message);
//! assert_eq!(message.id(), "m");
//! assert_eq!(serde_json::from_str::<Message>(&serde_json::to_string(&message)?)?, message);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Each type has a form that borrows its texts from a document, for programs that look at an event and pass on: [`EventRef`],
//! [`MessageRef`] and so on. Texts are a `Cow`, free values a [`RawValue`](crate::RawValue)
//! or [`RawObject`](crate::RawObject).
//!
//! ```
//! use ag_ui_native::types::{Event, EventRef};
//! use ag_ui_native::{Profile, borrow_json};
//!
//! let json = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello!"}"#;
//! let (event, _) = borrow_json::<Event>(json, Profile::Tolerant)?;
//! if let EventRef::TextMessageContent(event) = &event {
//!     assert_eq!(event.delta, "Hello!");
//! }
//! let event: Event = event.into_owned();
//! assert_eq!(event.tag(), "TEXT_MESSAGE_CONTENT");
//! # Ok::<(), ag_ui_native::Error>(())
//! ```
// The section numbers in `docs/types.md` follow these files.

mod capabilities;
mod content;
mod deserialize;
mod enums;
mod event;
mod events;
mod messages;
mod patch;
mod run;

pub use crate::schema::Borrowed;
pub use capabilities::*;
pub use content::*;
pub use enums::*;
pub use event::*;
pub use events::*;
pub use messages::*;
pub use patch::*;
pub use run::*;
