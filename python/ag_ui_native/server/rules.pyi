"""The rules of the server: which requests are answered, what is said of origins, how runs have failed."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NoReturn

from ag_ui_native.core.types import RunAgentInput
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.typing import InterruptLike, RunInputLike

__all__ = [
    "CLOSE_DONE",
    "CLOSE_GOING_AWAY",
    "agree_websocket",
    "arguments_text",
    "check_request_length",
    "check_request_resume",
    "cors_headers",
    "read_request",
    "refuse_request",
    "request_is_binary",
    "result_text",
    "run_error_message",
    "websocket_messages",
]

CLOSE_DONE: Final[int]
"""The code by which a WebSocket is closed behind a run."""

CLOSE_GOING_AWAY: Final[int]
"""The same where the server shuts down."""

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

def check_request_length(length: int, limits: Limits | None) -> None:
    """Whether so many bytes of a body may come."""

def read_request(body: bytes, limits: Limits | None) -> tuple[RunAgentInput, list[ProtocolWarning]]:
    """The input that a body is, and what was repaired."""

def check_request_resume(
    pending: Iterable[InterruptLike | dict[str, Any]], input: RunInputLike, limits: Limits | None
) -> list[ProtocolWarning]:
    """Whether the input answers the interrupts that wait; warnings of answers to others."""

def refuse_request(code: Literal["request_timeout", "unsupported_media_type", "internal"]) -> NoReturn:
    """Raises the refusal with a code."""

def run_error_message(code: Literal["agent_failed", "run_timeout", "client_too_slow", "reentrant_call"]) -> str:
    """What is said of a run that has failed with one of our codes."""

def arguments_text(arguments: object) -> str:
    """The text of a call's arguments: any JSON value, or the text of an object."""

def result_text(result: object) -> str | None:
    """What a tool has returned, as text; None for a list of content parts."""
