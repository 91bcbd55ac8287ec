"""The base classes of `server`."""

from ag_ui_native._native import ActivityWriter, EntityWriter, FirstStep, RunWriter

__all__ = ["ActivityWriter", "EntityWriter", "FirstStep", "RunWriter"]
