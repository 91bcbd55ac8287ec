//! What brings a client to the current state, of JSON texts.

use ag_ui_native::host::NumberStyle;
use ag_ui_native::host::server::{Terms, Update, update};
use ag_ui_native::{Error, Limits};

use crate::options::Options;
use crate::patch::read;

/// What brings a client to a state that differs from what it has at the pointer `place` only, where `sent` and `state` stand; no
/// `sent` if it has nothing. `bytes` are those of all that it has. The answer is `=`; or `d` or `s`, the bytes of all
/// that the client has then, `:` and of a delta its operations.
pub fn state_update(
    place: &str,
    sent: Option<&str>,
    state: &str,
    bytes: usize,
    options: &str,
) -> Result<String, Error> {
    let limits: Limits = Options::parse(options)?.limits;
    let (mut before, mut after) = Default::default();
    let at_place = |mut error: Error| {
        error.issues.iter_mut().for_each(|issue| issue.path.insert_str(0, place));
        error
    };
    let bytes = sent.map_or(0, |sent| bytes.saturating_sub(sent.len())) + state.len();
    let sent = sent.map(|sent| read(&mut before, sent)).transpose()?;
    let state = read(&mut after, state).map_err(at_place)?;
    let terms = Terms { style: NumberStyle::JavaScript, bytes: Some(bytes), ..Terms::new(&limits) };
    Ok(match update(place, sent, state, &terms)?.update {
        None => "=".to_owned(),
        Some(Update::Snapshot) => format!("s{bytes}:"),
        Some(Update::Delta { json, .. }) => format!("d{bytes}:{json}"),
    })
}
