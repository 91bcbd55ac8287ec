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

pub use capabilities::*;
pub use content::*;
pub use enums::*;
pub use event::*;
pub use events::*;
pub use messages::*;
pub use patch::*;
pub use run::*;
