"""The base classes of ``ag_ui_native.server``: they are native."""

from ag_ui_native._native import ActivityWriter, EntityWriter, RunWriter
from ag_ui_native._native import FirstStep as FirstStep  # noqa: PLC0414 The sender of this package has it from here.

__all__ = ["ActivityWriter", "EntityWriter", "RunWriter"]
