"""The native rules of the server: accepting requests, CORS, error messages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, final

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
    "websocket_messages",
]

@final
class RequestBody:
    """Collects the body of a request within the limit `input_bytes`, and reads the run's input from it. Raises
    `ag_ui_native.server.request.Refused` for a refused body.
    """

    def __new__(cls, limits: Limits | None) -> RequestBody: ...
    def receive(self, piece: bytes) -> None:
        """Takes the next piece of the body."""

    def receive_message(self, text: str | None) -> None:
        """Takes the first message of a WebSocket, which is the whole body; None stands for a binary message."""

    @staticmethod
    def time_out() -> NoReturn:
        """Raises the refusal of a body that has not arrived within `body_timeout`."""

    def read(self) -> tuple[RunAgentInput, list[ProtocolWarning]]:
        """Reads the input from the body. Returns it with the warnings about repairs."""

def agree_websocket(
    origin: str | None,
    host: str | None,
    accept: str | None,
    protocols: str | None,
    cors: Sequence[str] | None,
    accept_wildcards: bool,
) -> tuple[bool, str | None]:
    """Returns true if events are sent as protobuf, and the subprotocol of the answer. Raises Refused for a page whose
    origin is not allowed.
    """

def websocket_messages(frames: bytes, binary: bool) -> list[str] | list[bytes]:
    """Splits the frames of a run into messages, one for each event."""

def accept_request(
    method: str, headers: Mapping[str, str], cors: Sequence[str] | None, accept_wildcards: bool, limits: Limits | None
) -> tuple[bool, list[tuple[str, str]]]:
    """Checks the head of a request; names of headers are in lower case. Returns true if the response uses the binary
    transport, and the CORS headers of every response. Raises Refused with the answer to a preflight, and for a
    request that is refused before its body is received.
    """

def check_request_resume(
    pending: Iterable[InterruptLike | dict[str, Any]], input: RunInputLike, limits: Limits | None
) -> list[ProtocolWarning]:
    """Checks that the input answers the pending interrupts; returns warnings about answers to others."""

def refuse_internal() -> NoReturn:
    """Raises the refusal of a request that fails because of the server."""

def arguments_text(arguments: object) -> str:
    """Returns the text of a call's arguments, which are any JSON value, or the text of an object."""

def result_text(result: object) -> str | None:
    """Returns the text of a tool's result; None for a list of content parts."""
