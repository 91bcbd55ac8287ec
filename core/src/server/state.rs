//! Tracks a state: the client's state, and the events that bring it to the agent's.

use crate::Value;
use crate::error::{Code, Error, push_token};
use crate::json::{Input, NO_NUMBER, Number, NumberStyle, View};
use crate::limits::Limits;
use crate::patch::{
    Edit, InPlace, Operation, Place, apply, apply_and, changes, changes_at, equal_values, is_within, json,
    operations,
};
use crate::types::{Event, JsonPatchOperation, StateDeltaEvent, StateSnapshotEvent};

/// Tracks an agent's state, and makes the events that bring its client to it.
///
/// ```
/// use ag_ui_native::server::StateTracker;
/// use ag_ui_native::{Object, Value, to_json};
///
/// let mut tracker = StateTracker::new();
/// let state = |done| Value::from(Object::from([("plan", "look, then leap"), ("step", done)]));
/// let first = tracker.flush(&state("look"))?.unwrap();
/// assert_eq!(to_json(&first), r#"{"type":"STATE_SNAPSHOT","snapshot":{"plan":"look, then leap","step":"look"}}"#);
/// assert_eq!(tracker.flush(&state("look"))?, None);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StateTracker {
    /// The client's state, if it is known.
    sent: Option<Value>,
    /// The number of values in the state at the last comparison.
    values: usize,
    limits: Limits,
}

impl StateTracker {
    /// Makes a tracker that does not know the client's state: the first update is a snapshot.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the client's state. It came with the input, so it may be longer than an event.
    ///
    /// # Errors
    /// Those of [`flush`](Self::flush).
    pub fn with_base(self, base: Value) -> Result<Self, Error> {
        let values = Terms::new(&self.limits.with_event_bytes(usize::MAX)).check("", &base)?;
        Ok(Self { sent: Some(base), values, ..self })
    }

    /// Sets the limits: `depth` and `event_bytes` limit the state, `patch_operations` limits a delta.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Returns the event that brings the client to `state`: STATE_DELTA or STATE_SNAPSHOT, whichever is shorter as
    /// JSON. `None` if the client has this state.
    ///
    /// # Errors
    /// `limit_exceeded` for a state that is too deep (the event around it takes three levels) or too large for an
    /// event; `wrong_type` for a number that is not finite. Nothing has changed then.
    pub fn flush(&mut self, state: &Value) -> Result<Option<Event>, Error> {
        let mut flushed = None;
        self.flush_by(state, |event| {
            flushed = Some(event);
            Ok(())
        })?;
        Ok(flushed)
    }

    /// Sends the event of [`flush`](Self::flush), if there is one. If `send` fails, the client's state is unchanged,
    /// and the next event starts from it.
    pub(super) fn flush_by(
        &mut self,
        state: &Value,
        send: impl FnOnce(Event) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(values) = self.sent.as_ref().and_then(|sent| equal_values(sent, state)) {
            self.values = values;
            return Ok(());
        }
        let compared = update("", self.sent.as_ref(), state, &Terms::new(&self.limits))?;
        self.values = compared.values;
        match compared.update {
            None => {}
            Some(Update::Snapshot) => {
                send(StateSnapshotEvent { snapshot: state.clone(), ..Default::default() }.into())?;
                self.sent = Some(state.clone());
            }
            Some(Update::Delta { edits, .. }) => {
                let delta = operations(edits);
                send(StateDeltaEvent { delta: delta.clone(), ..Default::default() }.into())?;
                apply(self.sent.get_or_insert_default(), &delta, &unlimited())?;
            }
        }
        Ok(())
    }

    /// Applies a delta of the agent in place, to the client's state and to `state`, if it applies to both and `write`
    /// sends it.
    pub(super) fn pass_on(
        &mut self,
        state: &mut Value,
        delta: &[JsonPatchOperation],
        write: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let operations = || delta.iter().map(Operation::try_from);
        let limits = self.limits;
        let on_state = || apply_and(&mut InPlace, state, operations(), &limits, |_| write());
        match &mut self.sent {
            Some(sent) => apply_and(&mut InPlace, sent, operations(), &unlimited(), |_| on_state()),
            None => on_state(),
        }
    }

    /// The number of values in the state at the last comparison.
    pub(super) fn values(&self) -> usize {
        self.values
    }

    /// As [`flush`](Self::flush), for a value that serde can serialize.
    ///
    /// ```
    /// use ag_ui_native::server::StateTracker;
    /// use ag_ui_native::{Object, Value};
    ///
    /// let base = Value::from(Object::from([("tasks", 2)]));
    /// let mut tracker = StateTracker::new().with_base(base)?;
    /// assert!(tracker.flush_of(&std::collections::BTreeMap::from([("tasks", 2)]))?.is_none());
    /// # Ok::<(), ag_ui_native::Error>(())
    /// ```
    ///
    /// # Errors
    /// Also `wrong_type` for a value without a JSON form.
    pub fn flush_of<S: serde::Serialize + ?Sized>(&mut self, state: &S) -> Result<Option<Event>, Error> {
        self.flush(&Value::from_serde(state)?)
    }
}

/// True if a STATE_DELTA of the agent that failed with this error is tried once more. The state is sent first, and is
/// plain JSON after that: the delta may be meant for a change that was not sent yet, or for values of another form.
pub fn is_delta_sent_again(error: &Error) -> bool {
    error.operation.is_some() || error.code() == Code::WrongType
}

/// The limits for our own patches, which are checked before.
fn unlimited() -> Limits {
    Limits::default()
        .with_patch_operations(usize::MAX)
        .with_patch_shifts(usize::MAX)
        .with_depth(Limits::MAX_DEPTH)
}

/// The result of comparing a state with the client's.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<I> {
    /// The update for the client. `None` if both states are equal as JSON.
    pub update: Option<Update<I>>,
    /// The count of values in the state, or in the part that was compared.
    pub values: usize,
}

/// The update that brings a client to the current state.
#[derive(Clone, Debug, PartialEq)]
pub enum Update<I> {
    /// STATE_DELTA
    Delta {
        /// The operations.
        edits: Vec<Edit<I>>,
        /// The operations as JSON.
        json: String,
    },
    /// STATE_SNAPSHOT
    Snapshot,
}

/// The parameters of a comparison.
#[derive(Clone, Copy)]
pub struct Terms<'t> {
    /// `depth` and `event_bytes` limit the state, `patch_operations` limits a delta.
    pub limits: &'t Limits,
    /// The style of numbers.
    pub style: NumberStyle,
    /// The size of the whole state as JSON in bytes, if it is known.
    pub bytes: Option<usize>,
    /// Returns the error of a value without a JSON form that the holder has found; called after each value.
    pub refused: &'t dyn Fn() -> Option<Error>,
}

/// The minimum number of levels around a state: the event, its list of operations, an operation.
const LEVELS_AROUND: usize = 3;

const DELTA: usize = r#"{"type":"STATE_DELTA","delta":}"#.len();
const SNAPSHOT: usize = r#"{"type":"STATE_SNAPSHOT","snapshot":}"#.len();

/// Compares `sent` with `state`, and returns the update for the client; none if they are equal. Both are at the pointer
/// `place` of the states, which have no other difference. The update is the delta or the snapshot, whichever is shorter
/// as JSON; the delta if they are equally long. It is a snapshot if the client's state is unknown, or if the delta has
/// more operations than a client may accept.
pub fn update<'a, I: Input<'a>>(
    place: &str,
    sent: Option<I>,
    state: I,
    terms: &Terms<'_>,
) -> Result<Comparison<I>, Error> {
    let values = terms.check(place, state)?;
    let found = |update| Ok(Comparison { update, values });
    let Some(sent) = sent else { return found(Some(Update::Snapshot)) };
    let is_whole_within =
        |most| terms.bytes.map_or_else(|| is_within(state, most, terms.style), |bytes| bytes <= most);
    found(shorter(changes(place, sent, state), terms, is_whole_within))
}

/// Compares a state of `bytes` bytes, which differs from the client's at these places only, and returns the update.
/// `None` if the caller must compare one place that contains them all.
pub fn update_at<'a, I: Input<'a>>(
    places: &[Place<'_, I>],
    bytes: usize,
    terms: &Terms<'_>,
) -> Result<Option<Comparison<I>>, Error> {
    if bytes > terms.limits.event_bytes {
        return Err(Error::limit("event_bytes", terms.limits.event_bytes));
    }
    let mut values = 0;
    for place in places {
        values += terms.check(place.pointer, place.new)?;
    }
    let found = |edits| Comparison { update: shorter(edits, terms, |most| bytes <= most), values };
    Ok(changes_at(places).map(found))
}

/// Returns the delta or the snapshot, whichever is shorter; `None` without a difference.
fn shorter<'a, I: Input<'a>>(
    edits: Vec<Edit<I>>,
    terms: &Terms<'_>,
    is_whole_within: impl FnOnce(usize) -> bool,
) -> Option<Update<I>> {
    if edits.is_empty() {
        return None;
    }
    let json = json(&edits, terms.style);
    let is_shorter = (DELTA + json.len()).checked_sub(SNAPSHOT + 1).is_some_and(is_whole_within);
    let is_snapshot = is_shorter || edits.len() > terms.limits.patch_operations;
    Some(if is_snapshot { Update::Snapshot } else { Update::Delta { edits, json } })
}

impl<'t> Terms<'t> {
    /// The parameters for values of core.
    pub fn new(limits: &'t Limits) -> Self {
        Self { limits, style: NumberStyle::default(), bytes: None, refused: &|| None }
    }

    /// Refuses a state that no event can contain, or the part of it at `place`. It checks the depth too, so later walks
    /// through the value end. Returns the number of values.
    pub fn check<'a, I: Input<'a>>(&self, place: &str, state: I) -> Result<usize, Error> {
        let above = LEVELS_AROUND + place.matches('/').count();
        let levels = self.limits.effective_depth().saturating_sub(above);
        let mut check = Check { terms: self, bytes: self.limits.event_bytes, values: 0 };
        check.value(state, levels).map_err(|error| within(place, error))?;
        Ok(check.values)
    }
}

/// A walk through a value that checks it.
struct Check<'t> {
    terms: &'t Terms<'t>,
    /// The number of JSON bytes that are left. The estimate of used bytes is never too high.
    bytes: usize,
    /// The number of values.
    values: usize,
}

impl Check<'_> {
    fn value<'a, I: Input<'a>>(&mut self, value: I, levels: usize) -> Result<(), Error> {
        self.values += 1;
        let view = value.view();
        self.ask()?;
        match view {
            View::Null | View::Bool(_) => self.take(4),
            View::Text(text) => self.take(text.len() + 2),
            View::Number => {
                let is_finite = !matches!(value.number(), Number::Float(float) if !float.is_finite());
                self.ask()?;
                if !is_finite {
                    return Err(Error::new(Code::WrongType, NO_NUMBER));
                }
                self.take(1)
            }
            View::List(items) => {
                let levels = self.open(levels)?;
                for (index, item) in items.enumerate() {
                    self.take(1)?;
                    self.value(item, levels).map_err(|error| within_token(&index.to_string(), error))?;
                }
                Ok(())
            }
            View::Object(members) => {
                let levels = self.open(levels)?;
                for (key, member) in members {
                    self.ask()?;
                    self.take(key.len() + 4)?;
                    self.value(member, levels).map_err(|error| within_token(key, error))?;
                }
                Ok(())
            }
        }
    }

    fn ask(&self) -> Result<(), Error> {
        (self.terms.refused)().map_or(Ok(()), Err)
    }

    fn open(&mut self, levels: usize) -> Result<usize, Error> {
        let limits = self.terms.limits;
        self.take(1)?;
        levels.checked_sub(1).ok_or_else(|| Error::limit("depth", limits.effective_depth()))
    }

    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        let most = self.terms.limits.event_bytes;
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(|| Error::limit("event_bytes", most))?;
        Ok(())
    }
}

/// Decides when the state of a run is compared with the client's: a small state at every await of a write, a large one
/// only after a message, call or step has ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// True if an entity (a message, a call, a step) has ended since the last comparison.
    pub has_ended: bool,
    has_warned: bool,
}

/// The decision about a comparison at an await.
#[derive(Clone, Debug, PartialEq)]
pub enum StateDue {
    /// Compare now, and at every await while the state is not larger.
    Always,
    /// Compare now.
    Now,
    /// Do not compare. The first time, it has a warning with advice.
    Later(Option<Error>),
}

impl Pace {
    /// Decides for a state with this number of values.
    pub fn due(&mut self, values: usize, limits: &Limits) -> StateDue {
        let most = limits.state_values;
        if values <= most {
            StateDue::Always
        } else if self.has_ended {
            StateDue::Now
        } else {
            let detail = || format!("the state has {values} values, state_values is {most}");
            let is_first = !std::mem::replace(&mut self.has_warned, true);
            let warning = || Error { limit: Some("state_values"), ..Error::new(Code::LargeState, detail()) };
            StateDue::Later(is_first.then(warning))
        }
    }
}

/// Moves the error of a value to its pointer `place` in another value. Errors of limits have no place.
pub fn within(place: &str, mut error: Error) -> Error {
    if error.limit.is_none() {
        for issue in &mut error.issues {
            issue.path.insert_str(0, place);
        }
    }
    error
}

/// Adds `token`, a member or an index, at the front of an error's path.
pub fn within_token(token: &str, error: Error) -> Error {
    let mut place = String::new();
    push_token(&mut place, token);
    within(&place, error)
}
