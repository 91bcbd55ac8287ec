//! The input of a run.

#[cfg(feature = "client")]
use crate::client::options::AgentSettings;
use crate::client::resume::{check_asked, check_once};
use crate::collections::IndexMap;
use crate::compat::ProtocolVersion;
use crate::decode::{DeclaredType, DocumentReader};
use crate::error::{Error, Issue};
use crate::ids::IdKind;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::types::{Interrupt, Message, RunAgentInput, Tool};
use crate::validate::Nothing;
use crate::{Object, PROTOCOL_VERSION, Value, resume, try_to_json};

/// Prepares an application's input to be sent: empty ids get new ones, activities are left out because they belong to the user interface,
/// of tools with the same name the last is kept, and for a peer of an older version the input is translated. `now` is in milliseconds since
/// the Unix epoch. Returns warnings about the parts that were left out.
///
/// ```
/// use ag_ui_native::bindings::client::prepare;
/// use ag_ui_native::types::RunAgentInput;
///
/// let mut input = RunAgentInput::new("thread", "", vec![]);
/// prepare(&mut input, &[], None, 0)?;
/// assert!(input.run_id.starts_with("run-"));
/// assert_eq!(input.protocol_version.as_deref(), Some("1.1"));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
///
/// # Errors
/// Rules L01 and L02: an interrupt of `pending` has no answer, or one that has expired is not cancelled. `unknown_interrupt`: an interrupt
/// has two answers, or an answer names no interrupt of `pending` (if `pending` is empty, only the server knows them). The input is read
/// strictly: validation errors name what AG-UI 1.1 does not declare, which only the profile `Relay` lets into a value.
pub fn prepare(
    input: &mut RunAgentInput,
    pending: &[Interrupt],
    peer: Option<ProtocolVersion>,
    now: i64,
) -> Result<Vec<Issue>, Error> {
    leave_out_nulls(input);
    check(input)?;
    prepare_checked(input, pending, peer, now)
}

/// Refuses members that 1.1 does not declare, in an input and in the agent's tools. The profile `Relay` allows it: such an agent keeps
/// unknown members and sends them on.
#[cfg(feature = "client")]
pub(in crate::client) fn check_by(
    settings: &AgentSettings,
    input: &mut RunAgentInput,
    tools: &[Tool],
) -> Result<(), Error> {
    leave_out_nulls(input);
    if settings.profile == Profile::Relay {
        return Ok(());
    }
    let mut others = RunAgentInput::new("", "", Vec::new());
    others.tools = Some(tools.to_vec());
    check(&others)?;
    check(input)
}

/// Prepares an input that was read strictly; see [`prepare`].
#[doc(hidden)]
pub fn prepare_checked(
    input: &mut RunAgentInput,
    pending: &[Interrupt],
    peer: Option<ProtocolVersion>,
    now: i64,
) -> Result<Vec<Issue>, Error> {
    let answers = input.resume.as_deref().unwrap_or_default();
    resume::check(pending, answers, now)?;
    check_once(answers)?;
    check_asked(pending, answers)?;
    if input.thread_id.is_empty() {
        input.thread_id = IdKind::Thread.new_id();
    }
    if input.run_id.is_empty() {
        input.run_id = IdKind::Run.new_id();
    }
    if input.parent_run_id.as_deref() == Some("") {
        input.parent_run_id = None;
    }
    input.messages.retain(|message| !matches!(message, Message::Activity(_)));
    remove_repeated_names(input.tools.get_or_insert_default());
    input.context.get_or_insert_default();
    leave_out_nulls(input);
    input.forwarded_props.get_or_insert_with(|| Value::from(Object::default()));
    input.protocol_version = Some(PROTOCOL_VERSION.to_owned());
    Ok(peer.map(|peer| input.downgrade(peer)).unwrap_or_default())
}

/// Removes members that are null: they mean the same as absent ones.
fn leave_out_nulls(input: &mut RunAgentInput) {
    for member in [&mut input.state, &mut input.forwarded_props] {
        member.take_if(|value| *value == Value::Null);
    }
}

/// Of tools with the same name, the last one is sent, at the place of the first. A run's tools come after the agent's.
fn remove_repeated_names(tools: &mut Vec<Tool>) {
    let mut by_name = IndexMap::<String, Tool>::default();
    for tool in tools.drain(..) {
        by_name.insert(tool.name.clone(), tool);
    }
    tools.extend(by_name.into_values());
}

/// Reads an application's input from the members of a JSON object. It is read strictly: a member that 1.1 does not declare is an error,
/// with its place. The limit `event_bytes` applies to each part of the conversation, not to the whole input.
pub fn read_members(json: &str, limits: Limits) -> Result<RunAgentInput, Error> {
    let mut reader = sending(limits);
    reader.rules = Rules::sending();
    reader.typed(json).map(|(input, _)| input)
}

/// Reads tools from a JSON array, as those of an input.
pub fn read_tools(json: &str, limits: Limits) -> Result<Vec<Tool>, Error> {
    let members = format!(r#"{{"threadId":"","runId":"","messages":[],"tools":{json}}}"#);
    read_members(&members, limits).map(|input| input.tools.unwrap_or_default())
}

/// Refuses members of an input that 1.1 does not declare.
fn check(input: &RunAgentInput) -> Result<(), Error> {
    let mut reader = sending(Limits::default().with_depth(Limits::MAX_DEPTH));
    reader.value(&*try_to_json(input)?, RunAgentInput::DECLARED_KIND, &mut Nothing).map(drop)
}

/// The reader of an input that is sent. It has no limit of length: the server has one.
fn sending(limits: Limits) -> DocumentReader {
    DocumentReader::new(Profile::Strict, limits.with_event_bytes(usize::MAX))
}
