//! Members that several classes have: each macro writes them as a block of `#[pymethods]`.

use ag_ui_native::host::decoder::Decoder;
use ag_ui_native::host::reduce::Reducer;

use crate::conversation::Conversation;

/// Parts with a conversation.
pub trait WithConversation {
    /// Python's side of it.
    fn conversation(&mut self) -> &mut Conversation;
    /// Core's side of it.
    fn reducer(&mut self) -> &Reducer;
}

/// Parts with a decoder.
pub trait WithDecoder {
    /// The decoder.
    fn decoder(&self) -> &Decoder;
}

/// The warnings so far.
macro_rules! warnings {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            /// What was repaired, left out or ignored so far.
            #[getter]
            fn warnings(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
                self.0.with(py, |parts| Ok(parts.reporter().warnings.clone_ref(py)))
            }
        }
    };
}

/// What an object shows of itself.
macro_rules! shown {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            fn __repr__(&self, py: Python<'_>) -> String {
                self.0.repr(py, stringify!($class))
            }
        }
    };
}

/// Where a stream stands.
macro_rules! resumption {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            /// The id last set in the stream, to resume from; empty if none was.
            #[getter]
            fn last_event_id(&self, py: Python<'_>) -> PyResult<String> {
                self.0.with(py, |parts| {
                    Ok(String::from_utf8_lossy(parts.decoder().last_event_id()).into_owned())
                })
            }

            /// How long the server asks to wait before connecting again, in milliseconds.
            #[getter]
            fn retry(&self, py: Python<'_>) -> PyResult<Option<u64>> {
                self.0.with(py, |parts| Ok(parts.decoder().retry()))
            }
        }
    };
}

/// The conversation so far.
macro_rules! conversation {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            /// The arguments of a tool call as they arrive, a `PartialArguments` that follows the call to its end; None if
            /// no call has this id.
            ///
            /// Raises AGUIValidationError if what has come so far is no JSON.
            #[pyo3(signature = (tool_call_id: "str") -> "PartialArguments | None")]
            fn partial_arguments(
                &self,
                py: Python<'_>,
                tool_call_id: &str,
            ) -> PyResult<Option<Py<crate::partial::PartialArguments>>> {
                self.0.with(py, |parts| {
                    let place = parts.reducer().call(tool_call_id);
                    place.map(|place| parts.conversation().partial_arguments(py, place)).transpose()
                })
            }

            /// The ids of the runs behind the first; and of the messages that they brought the number of their run, from 1.
            #[pyo3(name = "_later_runs", signature = () -> "tuple[list[str], dict[str, int]]")]
            fn later_runs(
                &self,
                py: Python<'_>,
            ) -> PyResult<(Vec<String>, std::collections::HashMap<String, usize>)> {
                self.0.with(py, |parts| {
                    let later = parts.reducer().later_runs();
                    let messages = later.messages().map(|(id, run)| (id.to_owned(), run)).collect();
                    Ok((later.ids().to_vec(), messages))
                })
            }

            /// The messages: always the same list, of live objects. What somebody else adds or takes out stays so, until the
            /// list is arranged anew by a snapshot.
            #[getter]
            fn messages(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
                self.0.with(py, |parts| Ok(parts.conversation().messages().clone_ref(py)))
            }

            /// The state, a live object.
            #[getter]
            fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.0.with(py, |parts| Ok(parts.conversation().state.clone_ref(py)))
            }

            /// The interrupts that wait for an answer.
            #[getter]
            fn pending_interrupts(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
                self.0.with(py, |parts| Ok(parts.conversation().pending_interrupts.clone_ref(py)))
            }

            /// Whether the state is the agent's: no patch of it has failed since the last snapshot.
            #[getter]
            fn state_in_sync(&self, py: Python<'_>) -> PyResult<bool> {
                self.0.with(py, |parts| Ok(parts.conversation().state_in_sync))
            }
        }
    };
}

pub(crate) use {conversation, resumption, shown, warnings};
