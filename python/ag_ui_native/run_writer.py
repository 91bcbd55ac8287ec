"""What the classes of `server` derive from."""

from ag_ui_native._native import AgentSteps, EntityWriter, FirstStep, RunWriter

__all__ = ["AgentSteps", "EntityWriter", "FirstStep", "RunWriter"]
