"""The native rules of a run that goes on over several connections."""

from ag_ui_native._native import CANCEL_TIMEOUT, RESUME_HEADER, ResumableStream

__all__ = ["CANCEL_TIMEOUT", "RESUME_HEADER", "ResumableStream"]
