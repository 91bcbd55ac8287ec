//! Activities of a run. JavaScript keeps the client's content of each as text.

use ag_ui_native::bindings::server::Activity;
use ag_ui_native::{Error, Profile, from_json, to_json};

use super::writer::{CallResult, Writer};
use crate::node_api::{Handle, JsCall};

impl Writer {
    /// Writes an event of an activity. The answer is the client's new content.
    pub(super) fn show(
        &mut self,
        call: &JsCall<'_>,
        tag: Handle<'_>,
        event: Handle<'_>,
        content: Handle<'_>,
        is_update: bool,
    ) -> Result<CallResult, Error> {
        let event = self.event(call, event)?;
        let tag = self.optional_text(call, tag);
        let known = self.optional_text(call, content);
        let known = known.map(|known| from_json(&known, Profile::Strict)).transpose()?;
        let mut activity = Activity(known.map(|(known, _)| known));
        self.run.send_activity(&mut activity, event, is_update, tag.as_deref())?;
        let content = activity.0.as_ref().map(to_json).unwrap_or_default();
        Ok(CallResult::Text(format!("={content}")))
    }
}
