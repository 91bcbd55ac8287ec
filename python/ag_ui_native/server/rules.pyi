"""The rules of the server: which requests are answered, what is said of origins, how runs have failed."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NoReturn, final

from ag_ui_native.core.types import RunAgentInput
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.typing import InterruptLike, RunInputLike

__all__ = [
    "RequestBody",
    "agree_websocket",
    "arguments_text",
    "check_request_resume",
    "cors_headers",
    "refuse_internal",
    "request_is_binary",
    "result_text",
    "run_error_message",
    "websocket_messages",
]

@final
class RequestBody:
    """Collects the body of a request within the limit `input_bytes`, and reads the run's input from it. Raises
    `ag_ui_native.server.request.Refused` for what is refused.
    """

    def __new__(cls, limits: Limits | None) -> RequestBody: ...
    def receive(self, piece: bytes) -> None:
        """Takes the next piece."""

    def receive_message(self, text: str | None) -> None:
        """Takes the first message of a WebSocket, which is the whole body; None stands for a binary message."""

    @staticmethod
    def time_out() -> NoReturn:
        """Raises the refusal of a body that has not arrived within `body_timeout`."""

    def read(self) -> tuple[RunAgentInput, list[ProtocolWarning]]:
        """The input that the body is, and what was repaired."""

def agree_websocket(
    origin: str | None,
    host: str | None,
    accept: str | None,
    protocols: str | None,
    cors: Sequence[str] | None,
    wildcards: bool,
) -> tuple[bool, str | None]:
    """Whether events travel as protobuf, and the subprotocol that the answer names. Raises Refused for a page that may not ask."""

def websocket_messages(frames: bytes, binary: bool) -> list[str] | list[bytes]:
    """The messages that frames of a run are: one for each event."""

def request_is_binary(
    method: str,
    content_type: str | None,
    accept: str | None,
    content_length: str | None,
    wildcards: bool,
    limits: Limits | None,
) -> bool:
    """True if the answer takes the binary transport. `Accept` headers are joined with commas; the body is not read yet."""

def cors_headers(
    cors: Sequence[str], method: str, origin: str | None, asked_method: str | None, asked_headers: str | None
) -> tuple[list[tuple[str, str]], list[tuple[str, str]] | None]:
    """What an answer says of origins, by the option `cors`; and all that it says to a browser which asks whether its page
    may ask, if it may: `asked_method` and `asked_headers` are those that such a page would ask with."""

def check_request_resume(
    pending: Iterable[InterruptLike | dict[str, Any]], input: RunInputLike, limits: Limits | None
) -> list[ProtocolWarning]:
    """Whether the input answers the interrupts that wait; warnings of answers to others."""

def refuse_internal() -> NoReturn:
    """Raises the refusal of a request that fails by the server's fault."""

def run_error_message(code: Literal["agent_failed", "run_timeout", "client_too_slow", "reentrant_call"]) -> str:
    """What is said of a run that has failed with one of our codes."""

def arguments_text(arguments: object) -> str:
    """The text of a call's arguments: any JSON value, or the text of an object."""

def result_text(result: object) -> str | None:
    """What a tool has returned, as text; None for a list of content parts."""
