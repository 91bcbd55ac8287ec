//! Every type of AG-UI 1.0, each declared once. The section numbers in `docs/types.md` follow these files.

pub mod capabilities;
pub mod content;
pub mod enums;
pub mod events;
pub mod messages;
pub mod patch;
pub mod run;

pub use capabilities::*;
pub use content::*;
pub use enums::*;
pub use events::*;
pub use messages::*;
pub use patch::*;
pub use run::*;
