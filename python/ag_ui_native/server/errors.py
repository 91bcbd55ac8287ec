"""What is said of runs that fail."""

from ag_ui_native import _native

__all__ = ["AGENT_FAILED", "RUN_TIMEOUT"]

AGENT_FAILED = _native.run_error_message("agent_failed")
RUN_TIMEOUT = _native.run_error_message("run_timeout")
