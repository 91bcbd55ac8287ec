//! Activities: of each it is known what the client has, so that only what has changed goes out.

use super::writer::RunWriter;
use crate::error::Error;
use crate::json::Value;
use crate::limits::Limits;
use crate::patch::{apply, diff};
use crate::types::{ActivityDeltaEvent, Event};

/// The content that the client has of an activity, if that is known.
#[derive(Clone, Debug, Default)]
pub struct Activity(pub Option<Value>);

impl RunWriter {
    /// Writes an ACTIVITY_SNAPSHOT or ACTIVITY_DELTA of an activity. An `update` is a snapshot that goes out as what has changed, if it is known
    /// what the client has; if nothing has changed, not at all.
    ///
    /// # Errors
    /// `patch_failed` for a patch that does not apply to what the client has; those of [`send`](Self::send). Nothing has changed then.
    #[doc(hidden)]
    pub fn send_activity(
        &mut self,
        activity: &mut Activity,
        event: Event,
        is_update: bool,
        tag: Option<&str>,
    ) -> Result<(), Error> {
        let Some((event, content)) = activity.next(event, is_update, &self.limits())? else { return Ok(()) };
        self.send(event, tag)?;
        activity.0 = content;
        Ok(())
    }
}

/// An event, and the content that the client has behind it.
type Shown = (Event, Option<Value>);

impl Activity {
    fn next(&self, event: Event, is_update: bool, limits: &Limits) -> Result<Option<Shown>, Error> {
        let Self(known) = self;
        let shown = match (event, known) {
            (Event::ActivitySnapshot(event), Some(known)) if is_update => {
                let content = event.content.into();
                let patch = diff(known, &content);
                if patch.is_empty() {
                    return Ok(None);
                }
                let delta = ActivityDeltaEvent::new(event.message_id, event.activity_type, patch);
                (delta.into(), Some(content))
            }
            // What the client has already it keeps: whether there is any, the run may not know.
            (Event::ActivitySnapshot(event), known) if event.replace == Some(false) => {
                (event.into(), known.clone())
            }
            (Event::ActivitySnapshot(event), _) => {
                let content = event.content.clone().into();
                (event.into(), Some(content))
            }
            (Event::ActivityDelta(event), known) => {
                let mut content = known.clone();
                if let Some(content) = &mut content {
                    apply(content, &event.patch, limits)?;
                }
                (event.into(), content)
            }
            (event, known) => (event, known.clone()),
        };
        Ok(Some(shown))
    }
}
