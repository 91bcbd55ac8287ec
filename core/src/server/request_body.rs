//! The body of a request while it arrives. Over WebSockets it is the first message.

use super::refusal::Refusal;
use crate::Issue;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::run_input::read_run_input;
use crate::types::RunAgentInput;

/// Collects the body of a request within the limit `input_bytes`, and reads the run's input from it. Servers wait for each piece, and end the
/// wait after `body_timeout`.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::RequestBody;
///
/// let mut body = RequestBody::new(Limits::default());
/// body.receive(br#"{"threadId":"t","runId":"r","#)?;
/// body.receive(br#""messages":[]}"#)?;
/// assert_eq!(body.read()?.0.run_id, "r");
/// # Ok::<(), ag_ui_native::server::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct RequestBody {
    bytes: Vec<u8>,
    limits: Limits,
}

impl RequestBody {
    /// Makes an empty body.
    pub fn new(limits: Limits) -> Self {
        Self { bytes: Vec::new(), limits }
    }

    /// Takes the next piece.
    ///
    /// # Errors
    /// `limit_exceeded` for a body that is longer than the limit `input_bytes`; the rest need not be received.
    pub fn receive(&mut self, piece: &[u8]) -> Result<(), Refusal> {
        check_length(self.bytes.len() + piece.len(), &self.limits)?;
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    /// Takes the first message of a WebSocket, which is the whole body.
    ///
    /// # Errors
    /// `unsupported_media_type` for a binary message; those of [`receive`](Self::receive).
    #[doc(hidden)]
    pub fn receive_message(&mut self, message: &[u8], is_binary: bool) -> Result<(), Refusal> {
        if is_binary {
            return Err(Error::new(Code::UnsupportedMediaType, "").into());
        }
        self.receive(message)
    }

    /// The refusal of a body that has not arrived within `body_timeout`.
    ///
    /// ```
    /// use ag_ui_native::server::RequestBody;
    ///
    /// assert_eq!(RequestBody::timed_out().status(), 408);
    /// ```
    pub fn timed_out() -> Refusal {
        Error { limit: Some("body_timeout"), ..Error::new(Code::RequestTimeout, "") }.into()
    }

    /// The count of received bytes.
    #[doc(hidden)]
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes, and the limits of reading them.
    #[doc(hidden)]
    pub fn parts(&self) -> (&[u8], Limits) {
        (&self.bytes, self.limits)
    }

    /// Reads the body as [`read_run_input`] does, by the profile `tolerant`.
    ///
    /// # Errors
    /// Those of validation; `limit_exceeded` for more values than `input_values`.
    pub fn read(&self) -> Result<(RunAgentInput, Vec<Issue>), Refusal> {
        Ok(read_run_input(&self.bytes, Profile::Tolerant, self.limits)?)
    }
}

/// Refuses a body whose length exceeds the limit `input_bytes`.
pub(super) fn check_length(length: usize, limits: &Limits) -> Result<(), Refusal> {
    if length > limits.input_bytes {
        return Err(Error::limit("input_bytes", limits.input_bytes).into());
    }
    Ok(())
}
