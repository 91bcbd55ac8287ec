"""Joins adjacent deltas, one event at a time."""

from ag_ui_native._native import Coalescer

__all__ = ["Coalescer"]
