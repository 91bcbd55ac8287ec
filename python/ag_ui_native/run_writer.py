"""The base classes of `server`."""

from ag_ui_native._native import ActivityWriter, AgentSteps, EntityWriter, FirstStep, RunWriter

__all__ = ["ActivityWriter", "AgentSteps", "EntityWriter", "FirstStep", "RunWriter"]
