"""The protocol version."""

from typing import Final

from ag_ui_native import _native
from ag_ui_native.core.base import LACKED

# What stands in for the official package says what that says: programs tell by it which members the classes have.
PROTOCOL_VERSION: Final[str] = "1.0" if LACKED else _native.PROTOCOL_VERSION

__all__ = ["PROTOCOL_VERSION"]
