//! Telling subscribers, for Python: whom, of what, in which order.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ag_ui_native::host::client::{
    Answer, Callback, Counts, Delivered, Delivery as Core, Plans, Reduce, Reduced, Step as CoreStep, Tell,
};
use ag_ui_native::host::reduce::ChangeKind;
use ag_ui_native::types::EventType;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::{MutexExt, PyOnceLock};
use pyo3::types::{PyList, PyString, PyTuple};

use crate::error::guard;

/// What is to be done, then the ticket, the subscriber and the subject of a telling; of what is done its flags in the place of the subscriber.
/// The ticket is that of the last plan: its first telling has 1.
type Step<'py> = (Bound<'py, PyString>, u32, usize, isize);

/// Tells the subscribers of one run: of each the names of the callbacks that it has. What comes of an input is all that is to be done as long
/// as every callback returns None.
#[pyclass(module = "ag_ui_native.client.rules", frozen)]
#[derive(Debug)]
pub struct Delivery(Mutex<Machine>);

#[derive(Debug)]
struct Machine {
    plans: Plans,
    /// What was made of them, by their numbers.
    made: Vec<Py<PyTuple>>,
}

impl Delivery {
    /// Waiting for another thread gives up the interpreter's lock.
    fn machine(&self, py: Python<'_>) -> MutexGuard<'_, Machine> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn say<'py>(
        &self,
        py: Python<'py>,
        what: impl FnOnce(&mut Core) -> CoreStep,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (number, known, steps) = guard(py, || {
            let mut machine = self.machine(py);
            let number = machine.plans.say(what).and_then(|number| usize::try_from(number).ok());
            let known = number.and_then(|number| machine.made.get(number)).map(|made| made.clone_ref(py));
            let steps = if known.is_some() { Vec::new() } else { machine.plans.plan().to_vec() };
            Ok((number, known, steps))
        })?;
        match known {
            Some(made) => Ok(made.into_bound(py)),
            None => self.make(py, number, steps),
        }
    }

    /// Makes what is worked through of a plan. Nothing is locked meanwhile.
    fn make<'py>(
        &self,
        py: Python<'py>,
        number: Option<usize>,
        steps: Vec<CoreStep>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let steps: Vec<_> = (1..).zip(steps).map(|(ticket, step)| made(py, step, ticket)).collect();
        let made = PyTuple::new(py, steps)?;
        let mut machine = self.machine(py);
        if number == Some(machine.made.len()) {
            machine.made.push(made.clone().unbind());
        }
        Ok(made)
    }

    fn say_of<'py>(
        &self,
        py: Python<'py>,
        ticket: u32,
        what: impl FnOnce(&mut Core, u32) -> CoreStep,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let ticket = self.machine(py).plans.ticket(ticket.checked_sub(1));
        self.say(py, |core| what(core, ticket))
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)] // What Python hands over is made for the call.
impl Delivery {
    #[new]
    #[pyo3(signature = (subscribers: "list[list[str]]"))]
    fn new(subscribers: Vec<Vec<String>>) -> PyResult<Self> {
        let named = |name: String| {
            Callback::named(&name).ok_or_else(|| PyValueError::new_err(format!("not a callback: {name:?}")))
        };
        let known = |names: Vec<String>| names.into_iter().map(named).collect::<PyResult<_>>();
        let subscribers: Vec<_> = subscribers.into_iter().map(known).collect::<PyResult<_>>()?;
        let plans = Plans::new(Core::new(subscribers));
        Ok(Self(Mutex::new(Machine { plans, made: Vec::new() })))
    }

    /// True if somebody wants to know of events, or what comes of them.
    #[getter]
    fn wants_events(&self, py: Python<'_>) -> bool {
        self.machine(py).plans.delivery().wants_events()
    }

    /// A run is about to be asked for.
    #[pyo3(signature = () -> "tuple[Step, ...]")]
    fn initialized<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.say(py, Core::initialized)
    }

    /// The run has failed, or was aborted. Nobody is told who does not know of the run.
    #[pyo3(signature = () -> "tuple[Step, ...]")]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.say(py, Core::failed)
    }

    /// The run is over. The same.
    #[pyo3(signature = () -> "tuple[Step, ...]")]
    fn finalized<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.say(py, Core::finalized)
    }

    /// An event of this type has come.
    #[pyo3(signature = (kind: "str") -> "tuple[Step, ...]")]
    fn event<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyTuple>> {
        self.say(py, |core| core.event(EventType::parse(kind)))
    }

    /// The application has changed something: `kinds` are those of the changes that say what is complete.
    #[pyo3(signature = (messages: "bool", state: "bool", kinds: "list[str]") -> "tuple[Step, ...]")]
    fn changed<'py>(
        &self,
        py: Python<'py>,
        messages: bool,
        state: bool,
        kinds: Vec<PyBackedStr>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        self.say(py, |core| core.changed(reduced(messages, state, &kinds)))
    }

    /// The event was reduced, to these changes.
    #[pyo3(signature = (messages: "bool", changes: "list[Change]") -> "tuple[Step, ...]")]
    fn reduced<'py>(
        &self,
        py: Python<'py>,
        messages: bool,
        changes: &Bound<'py, PyList>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let kind = |change: Bound<'py, PyAny>| change.getattr(intern!(py, "kind"))?.extract();
        let kinds = changes.iter().map(kind).collect::<PyResult<Vec<PyBackedStr>>>()?;
        self.say(py, |core| core.reduced(reduced(messages, false, &kinds)))
    }

    /// A callback has returned something: it stops what it is about, or has put other messages or another state there.
    #[pyo3(signature = (ticket: "int", stop: "bool", messages: "bool", state: "bool") -> "tuple[Step, ...]")]
    fn answered<'py>(
        &self,
        py: Python<'py>,
        ticket: u32,
        stop: bool,
        messages: bool,
        state: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        self.say_of(py, ticket, |core, ticket| core.answered(ticket, Answer { stop, messages, state }))
    }

    /// A callback has failed.
    #[pyo3(signature = (ticket: "int") -> "tuple[Step, ...]")]
    fn raised<'py>(&self, py: Python<'py>, ticket: u32) -> PyResult<Bound<'py, PyTuple>> {
        self.say_of(py, ticket, Core::raised)
    }

    /// What a callback is about is not there.
    #[pyo3(signature = (ticket: "int") -> "tuple[Step, ...]")]
    fn absent<'py>(&self, py: Python<'py>, ticket: u32) -> PyResult<Bound<'py, PyTuple>> {
        self.say_of(py, ticket, Core::absent)
    }

    /// Nobody waits for a callback any longer, since the run ends here.
    #[pyo3(signature = (ticket: "int") -> "tuple[Step, ...]")]
    fn left<'py>(&self, py: Python<'py>, ticket: u32) -> PyResult<Bound<'py, PyTuple>> {
        self.say_of(py, ticket, Core::left)
    }

    /// What is at work is given up.
    #[pyo3(signature = () -> "None")]
    fn cut(&self, py: Python<'_>) {
        self.machine(py).plans.say(Core::cut);
    }
}

fn reduced(messages: bool, state: bool, kinds: &[PyBackedStr]) -> Reduced {
    let kinds = kinds.iter().filter_map(|kind| ChangeKind::named(kind));
    Reduced { messages, state, ..Reduced::default() }.with_kinds(kinds)
}

fn made(py: Python<'_>, step: CoreStep, ticket: u32) -> Step<'_> {
    let word = |word: &str| PyString::intern(py, word);
    match step {
        CoreStep::Tell(Tell { callback, subscriber, subject, .. }) => {
            let subject = subject.map_or(-1, usize::cast_signed);
            (name_of(py, callback), ticket, subscriber, subject)
        }
        CoreStep::Reduce(Reduce::Whole) => (word("reduce"), 0, 0, 0),
        CoreStep::Reduce(Reduce::Begin) => (word("reduce_begin"), 0, 0, 0),
        CoreStep::Reduce(Reduce::End) => (word("reduce_end"), 0, 0, 0),
        CoreStep::Done(Delivered { stopped, messages, state, counts }) => {
            let name = match counts {
                Counts::Whole => "whole",
                Counts::End => "end",
                Counts::BareEnd => "bare_end",
                Counts::Nothing => "nothing",
            };
            let flags = usize::from(stopped) + 2 * usize::from(messages) + 4 * usize::from(state);
            (word(name), 0, flags, 0)
        }
        CoreStep::Raise => (word("raise"), 0, 0, 0),
        CoreStep::Wait => (word("wait"), 0, 0, 0),
    }
}

/// The name of a callback, made once.
fn name_of(py: Python<'_>, callback: Callback) -> Bound<'_, PyString> {
    static NAMES: PyOnceLock<Vec<Py<PyString>>> = PyOnceLock::new();
    let all = || Callback::all().map(|callback| PyString::intern(py, &callback.name()).unbind()).collect();
    NAMES.get_or_init(py, all)[callback.number()].bind(py).clone()
}
