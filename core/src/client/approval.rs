//! The common answers to an interrupt.

use crate::json::{Object, Value};
use crate::types::{ResumeEntry, ResumeStatus};

/// Approves the request of an interrupt.
///
/// ```
/// use ag_ui_native::client::{HttpAgent, approve, reject};
/// use ag_ui_native::types::Interrupt;
///
/// let agent = HttpAgent::new("http://127.0.0.1:8000/")
///     .with_pending_interrupts(vec![Interrupt::new("pay", "confirmation"), Interrupt::new("fly", "confirmation")]);
/// let resume = agent.build_resume(vec![reject("fly", Some("too far")), approve("pay")])?;
/// assert_eq!(resume[0].interrupt_id, "pay");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub fn approve(interrupt_id: impl Into<String>) -> ResumeEntry {
    approval(interrupt_id, true, None)
}

/// Rejects the request of an interrupt, for a reason.
///
/// ```
/// use ag_ui_native::client::reject;
///
/// let answer = reject("i1", Some("Too expensive."));
/// assert_eq!(answer.payload.as_ref().and_then(|payload| payload.get("approved")?.as_bool()), Some(false));
/// ```
pub fn reject(interrupt_id: impl Into<String>, reason: Option<&str>) -> ResumeEntry {
    approval(interrupt_id, false, reason.map(|reason| ("reason", reason.into())))
}

/// Approves a call of a tool with other arguments.
///
/// ```
/// use ag_ui_native::Object;
/// use ag_ui_native::client::edit;
///
/// let answer = edit("i1", Object::from([("to", "ada@example.org")]));
/// assert_eq!(answer.payload.as_ref().and_then(|payload| payload.get("approved")?.as_bool()), Some(true));
/// ```
pub fn edit(interrupt_id: impl Into<String>, arguments: Object) -> ResumeEntry {
    approval(interrupt_id, true, Some(("editedArgs", arguments.into())))
}

/// Answers with any JSON value.
///
/// ```
/// use ag_ui_native::client::respond;
///
/// let answer = respond("i1", "blue");
/// assert_eq!(answer.payload, Some("blue".into()));
/// ```
pub fn respond(interrupt_id: impl Into<String>, payload: impl Into<Value>) -> ResumeEntry {
    let mut answer = ResumeEntry::new(interrupt_id, ResumeStatus::Resolved);
    answer.payload = Some(payload.into());
    answer
}

/// Cancels an interrupt. An interrupt that has expired can only be cancelled.
///
/// ```
/// use ag_ui_native::client::cancel;
/// use ag_ui_native::types::ResumeStatus;
///
/// let answer = cancel("i1");
/// assert_eq!(answer.status, ResumeStatus::Cancelled);
/// ```
pub fn cancel(interrupt_id: impl Into<String>) -> ResumeEntry {
    ResumeEntry::new(interrupt_id, ResumeStatus::Cancelled)
}

fn approval(interrupt_id: impl Into<String>, is_given: bool, more: Option<(&str, Value)>) -> ResumeEntry {
    let mut payload = Object::default();
    payload.insert("approved", is_given);
    if let Some((name, value)) = more {
        payload.insert(name, value);
    }
    respond(interrupt_id, payload)
}
