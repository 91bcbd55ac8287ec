"""Compatibility with peers of AG-UI 0.x.

Events of such peers need no call: the tolerant profile translates them, with warnings. These functions convert input
that is sent to such peers, and check versions.
"""

from ag_ui_native._native import check_protocol_version, downgrade_input, upgrade_input

__all__ = ["check_protocol_version", "downgrade_input", "upgrade_input"]
