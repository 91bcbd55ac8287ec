//! Members that several classes share. Each macro writes them as a block of `#[pymethods]`.

use ag_ui_native::bindings::decoder::Decoder;
use ag_ui_native::bindings::reduce::Reducer;

use crate::conversation::Conversation;

/// Objects with a conversation.
pub trait WithConversation {
    /// Python's part of the conversation.
    fn conversation(&mut self) -> &mut Conversation;
    /// Core's part of the conversation.
    fn reducer(&mut self) -> &Reducer;
}

/// Objects with a decoder.
pub trait WithDecoder {
    /// The decoder.
    fn decoder(&self) -> &Decoder;
}

/// The warnings so far.
macro_rules! warnings {
    ($class:ident) => {
        #[pyo3::pymethods]
        impl $class {
            /// The warnings about repaired, dropped and ignored parts so far.
            #[getter]
            fn warnings(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
                self.0.with(py, |parts| Ok(parts.reporter().warnings.clone_ref(py)))
            }
        }
    };
}

/// The text for `repr`.
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

/// The state of a stream, for resuming it.
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

            /// The pause that the server asks for before a new connection, in milliseconds.
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
            /// A `PartialArguments` that follows the arguments of a tool call while they arrive; None if no call has this
            /// id.
            ///
            /// Raises AGUIValidationError if the text so far is not JSON.
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

            /// The ids of the runs after the first; and for each of their messages the number of its run, from 1.
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

            /// The messages: always the same list of live objects. Items that other code adds or removes stay so, until a
            /// snapshot rearranges the list.
            #[getter]
            fn messages(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
                self.0.with(py, |parts| Ok(parts.conversation().messages().clone_ref(py)))
            }

            /// The state, a live object.
            #[getter]
            fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.0.with(py, |parts| Ok(parts.conversation().state.clone_ref(py)))
            }

            /// The pending interrupts.
            #[getter]
            fn pending_interrupts(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
                self.0.with(py, |parts| Ok(parts.conversation().pending_interrupts.clone_ref(py)))
            }

            /// True if the state follows the agent's: no patch of it has failed since the last
            /// snapshot.
            #[getter]
            fn state_in_sync(&self, py: Python<'_>) -> PyResult<bool> {
                self.0.with(py, |parts| Ok(parts.conversation().state_in_sync))
            }
        }
    };
}

pub(crate) use {conversation, resumption, shown, warnings};
