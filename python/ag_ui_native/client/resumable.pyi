"""The native rules of a run that goes on over several connections."""

from collections.abc import Mapping
from typing import Final, Literal, final

from ag_ui_native.errors import AGUIError
from ag_ui_native.limits import Limits

__all__ = ["CANCEL_TIMEOUT", "RESUME_HEADER", "ResumableStream"]

CANCEL_TIMEOUT: Final[int]
"""The longest time to wait for the answer to a cancel, in seconds."""

RESUME_HEADER: Final[str]
"""The header by which a client says that it reads on when the connection is lost; its value is `1`."""

@final
class ResumableStream:
    """The stream of a run over its connections, and the attempts to go on with it."""

    @staticmethod
    def of(
        headers: Mapping[str, str], reconnect: tuple[int, float, float, float], limits: Limits | None = None
    ) -> ResumableStream | None:
        """The stream of the response with these headers, their names in lower case; None if its server does not say how to
        resume. `reconnect` is attempts, first and longest pause in seconds, jitter. `limits` hold for each event.
        """

    @property
    def location(self) -> str:
        """The address from which the run is read on, relative to that of the request."""

    @property
    def cancel_location(self) -> str:
        """The address by which the run is cancelled, relative to that of the request."""

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the request for the rest of the run, which replace those of the application."""

    @property
    def silence(self) -> float | None:
        """The seconds of silence after which the connection counts as lost; None if silence is no fault."""

    @property
    def has_ended(self) -> bool:
        """True if the last event has ended the run."""

    def feed(self, piece: bytes) -> tuple[bytes, AGUIError | None]:
        """Takes the next bytes of the connection. Returns whole events in the same format, without those that came before,
        and the error behind them if there is one.
        """

    def next_pause(self, asked: float | None, chance: float) -> float | None:
        """The seconds until the next attempt; None if there is no further one. `asked` is the pause that the server asks
        for, in seconds; `chance` is a random number from 0 to 1.
        """

    def answered(
        self, status: int, headers: Mapping[str, str]
    ) -> tuple[Literal["read", "ended", "retry"], float | None]:
        """Takes the status and the headers of the response to a request for the rest of the run. Returns the next step
        (`read` the body, it has `ended`, or `retry` after the seconds that the server asks for). Raises AGUIError if the
        run cannot go on.
        """

    @staticmethod
    def given_up() -> AGUIError:
        """The error of a run whose attempts are used up."""
