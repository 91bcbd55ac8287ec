"""The options of decoders and pipelines, which are given by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from ag_ui_native.errors import ProtocolWarning
    from ag_ui_native.limits import Limits
    from ag_ui_native.typing import InterruptLike, OnPatchFailure

__all__ = ["DecodeOptions", "PipelineOptions"]


class DecodeOptions(TypedDict, total=False):
    """The options of reading events.

    Examples:
        >>> from ag_ui_native.stream import DecodeOptions, EventDecoder
        >>> options: DecodeOptions = {"replace_invalid_text": True, "on_warning": print}
        >>> decoder = EventDecoder("text/event-stream", **options)
    """

    limits: Limits | None
    """The limits of events. Default: those of `Limits()`."""
    replace_invalid_text: bool
    """True to replace invalid UTF-8 and lone surrogates with U+FFFD instead of refusing them. Default False."""
    go_member_names: bool
    """True to read the member names of the protocol's Go document, too. Default False."""
    on_warning: Callable[[ProtocolWarning], object] | None
    """Called with each warning, at the end of the call in which it occurs. If it raises, the next call returns the items of this one first."""


class PipelineOptions(DecodeOptions, total=False):
    """The further options of pipelines.

    Examples:
        >>> from ag_ui_native.stream import EventPipeline, PipelineOptions
        >>> options: PipelineOptions = {"peer": "0.0.39", "on_patch_failure": "error"}
        >>> pipeline = EventPipeline("text/event-stream", **options)
    """

    pending_interrupts: Iterable[InterruptLike | dict[str, Any]] | None
    """The interrupts that wait for an answer at the start; copied."""
    peer: str | None
    """The newest version that the peer is assumed to speak, if that is an older one, such as `0.0.57`."""
    expand: bool
    """False to leave chunk events as they are. Default True."""
    verify: bool | None
    """False to leave the order of events unverified. Default True, except in the profile `relay`."""
    on_patch_failure: OnPatchFailure | None
    """`flag` for a warning, after which `state_in_sync` is False until the next snapshot; `error` to end the stream. Default `flag`, in the
    profile `strict` `error`."""
