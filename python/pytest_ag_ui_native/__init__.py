"""Fixtures for pytest, which loads this module in every project of the environment.

It is beside ``ag_ui_native``, since a module within it would load the package with its native module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ag_ui_native.testing import AgentRun

__all__ = ["run_agent"]


@pytest.fixture(scope="session")
def run_agent() -> Callable[..., AgentRun]:
    """``ag_ui_native.testing.run_agent``: runs an agent without a server and returns the result."""
    from ag_ui_native import testing

    return testing.run_agent
