"""Peers that speak AG-UI 0.x.

What they send is read without asking: the tolerant profile translates it, with warnings. This is for what is sent to
them, and for checks.
"""

from ag_ui_native._native import check_protocol_version, downgrade_input, upgrade_input

__all__ = ["check_protocol_version", "downgrade_input", "upgrade_input"]
