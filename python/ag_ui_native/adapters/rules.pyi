"""The native rules of the adapters."""

from collections.abc import Iterable, Mapping
from typing import Any, final

from ag_ui_native.client.rules import read_arguments
from ag_ui_native.core import Message
from ag_ui_native.run_writer import RunWriter
from ag_ui_native.server.rules import result_text

__all__ = ["ModelStream", "model_messages", "model_tools", "read_arguments", "result_text"]

@final
class ModelStream:
    """The stream of one reply of a model, which is written to a run. `message_id` is the id of its first message."""

    def __new__(cls, api: str, message_id: str, provider: str | None = None) -> ModelStream: ...
    def write(self, chunk: object, writer: RunWriter, tag: str | None = None) -> None:
        """Writes the events of a chunk: a mapping, or an instance of a model. Raises AGUIStreamError `model_failed` if
        the chunk is the provider's error.
        """

    def close(self, writer: RunWriter, tag: str | None = None) -> None:
        """Ends what the reply has left open, and reports its tokens."""

    def reply(
        self,
    ) -> tuple[str, bool, list[tuple[str, str, str]], str, list[Message], dict[str, Any] | None]:
        """Returns the reply: its text, whether that is a refusal, its calls (id, name, arguments), the reason of its
        end, its messages, and the counted tokens. Raises AGUIStreamError `model_truncated` if the stream has ended
        before the reply has.
        """

def model_messages(api: str, messages: Iterable[object]) -> Any:
    """Returns the conversation as the API's request has it."""

def model_tools(api: str, tools: Iterable[object] | Mapping[str, Any]) -> Any:
    """Returns the tools as the API's request has them."""
