"""The protocol version."""

from typing import Final

from ag_ui_native import _native
from ag_ui_native.core.base import LACKED

# As a drop-in for the official package, it is that package's version: programs tell by it which members the
# classes have.
PROTOCOL_VERSION: Final[str] = "1.0" if LACKED else _native.PROTOCOL_VERSION

__all__ = ["PROTOCOL_VERSION"]
