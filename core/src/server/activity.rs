//! Activities: tracks the content that the client has, so that only the changes are sent.

use super::writer::RunWriter;
use crate::error::Error;
use crate::json::Value;
use crate::limits::Limits;
use crate::patch::{apply, diff};
use crate::types::{ActivityDeltaEvent, Event};

/// The content that the client has of an activity, if it is known.
#[derive(Clone, Debug, Default)]
pub struct Activity(pub Option<Value>);

impl RunWriter {
    /// Writes an ACTIVITY_SNAPSHOT or ACTIVITY_DELTA of an activity. With `update`, a snapshot is sent as its changes,
    /// if the client's content is known; if nothing has changed, nothing is sent.
    ///
    /// # Errors
    /// `patch_failed` for a patch that does not apply to the client's content; those of [`send`](Self::send). Nothing
    /// has changed then.
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

/// An event, and the client's content after it.
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
            // The client keeps content that it has already; the run may not know if there is any.
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
