"""The rules of the server: which requests are answered, what is said of origins, how runs have failed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NoReturn, final

from ag_ui_native.core.types import RunAgentInput
from ag_ui_native.errors import ProtocolWarning
from ag_ui_native.limits import Limits
from ag_ui_native.typing import InterruptLike, RunInputLike

__all__ = [
    "RequestBody",
    "accept_request",
    "agree_websocket",
    "arguments_text",
    "check_request_resume",
    "refuse_internal",
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
    """True if events travel as protobuf; and the subprotocol that the answer names. Raises Refused for a page that may not ask."""

def websocket_messages(frames: bytes, binary: bool) -> list[str] | list[bytes]:
    """The messages that frames of a run are: one for each event."""

def accept_request(
    method: str, headers: Mapping[str, str], cors: Sequence[str] | None, wildcards: bool, limits: Limits | None
) -> tuple[bool, list[tuple[str, str]]]:
    """Judges the head of a request, whose headers have names in lower case: whether the answer takes the binary transport, and
    what every answer to it says of origins. Raises Refused with the answer to a preflight, and to what is refused before the
    body is received.
    """

def check_request_resume(
    pending: Iterable[InterruptLike | dict[str, Any]], input: RunInputLike, limits: Limits | None
) -> list[ProtocolWarning]:
    """Checks that the input answers the pending interrupts; returns warnings about answers to others."""

def refuse_internal() -> NoReturn:
    """Raises the refusal of a request that fails by the server's fault."""

def run_error_message(code: Literal["agent_failed", "run_timeout", "client_too_slow", "reentrant_call"]) -> str:
    """The message of a run that has failed with one of our codes."""

def arguments_text(arguments: object) -> str:
    """The text of a call's arguments: any JSON value, or the text of an object."""

def result_text(result: object) -> str | None:
    """The text of a tool's result; None for a list of content parts."""
