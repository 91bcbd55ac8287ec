"""AG-UI (Agent-User Interaction Protocol) 1.0 with a native engine.

``core`` and ``encoder`` are what ``ag_ui`` 1.0.0 has under the same names; ``stream`` reads event streams.
"""

import sys

from pydantic import BaseModel

from ag_ui_native import _native
from ag_ui_native._native import PROTOCOL_VERSION, __version__
from ag_ui_native.errors import (
    AGUIError,
    AGUIInternalError,
    AGUILimitError,
    AGUIPatchError,
    AGUISequenceError,
    AGUIStreamError,
    AGUIValidationError,
    Issue,
    ProtocolWarning,
)
from ag_ui_native.limits import Limits
from ag_ui_native.run_input import RunInput, read_run_input

__all__ = [
    "PROTOCOL_VERSION",
    "AGUIError",
    "AGUIInternalError",
    "AGUILimitError",
    "AGUIPatchError",
    "AGUISequenceError",
    "AGUIStreamError",
    "AGUIValidationError",
    "Issue",
    "Limits",
    "ProtocolWarning",
    "RunInput",
    "__version__",
    "read_run_input",
    "to_json",
    "validate",
]

_native.claim_package(sys.modules[__name__])


def to_json(model: BaseModel) -> str:
    """The model as compact JSON, as it stands on the wire.

    Raises what ``model.model_dump_json(by_alias=True)`` raises.
    """
    json = _native.to_json(model)
    return model.model_dump_json(by_alias=True) if json is None else json


def validate(model: BaseModel, *, non_empty: bool = False) -> None:
    """Checks an event, a message or any other protocol object by the strict profile.

    With ``non_empty``, ids, names, texts, patches and states must also say something. Subclasses are checked as the
    protocol class they derive from. The official package's objects are taken too. Raises AGUIValidationError, and TypeError for what is no protocol object.
    """
    json = to_json(model) if isinstance(model, BaseModel) else ""
    for cls in type(model).__mro__:
        if _native.check(cls, json, non_empty):
            return
    raise TypeError(f"not a protocol object: {type(model).__name__}")
