"""The base classes of ``ag_ui_native.server``: they are native."""

from ag_ui_native._native import ActivityWriter, EntityWriter, FirstStep, RunWriter

__all__ = ["ActivityWriter", "EntityWriter", "FirstStep", "RunWriter"]
