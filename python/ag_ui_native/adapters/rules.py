"""The native rules of the adapters."""

from ag_ui_native._native import ModelStream, model_messages, model_tools, read_arguments, result_text

__all__ = ["ModelStream", "model_messages", "model_tools", "read_arguments", "result_text"]
