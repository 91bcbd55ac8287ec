"""Counts the instructions of imports: each part of the package starts in little more than pydantic alone."""

from __future__ import annotations

import sys

import pytest
from budget import can_count
from counting import counted

PYDANTIC = """
import pydantic
class Model(pydantic.BaseModel):
    number: int = 0
"""
ENTRANCES = [
    "ag_ui_native",
    "ag_ui_native.core",
    "ag_ui_native.encoder",
    "ag_ui_native.stream",
    "ag_ui_native.client",
    "ag_ui_native.server",
    "ag_ui_native.durable",
    "ag_ui_native.testing",
    "ag_ui_native.drop_in.install",
]
AT_MOST = 1.3


def instructions(program: str) -> int:
    command = [sys.executable, "-c", program]
    counted(command)  # Its bytecode is written then.
    return sum(counted(command))


@pytest.fixture(scope="module")
def pydantic_alone() -> int:
    return instructions(PYDANTIC)


@pytest.mark.skipif(not can_count(), reason="valgrind is not installed")
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_an_import_takes_little_more_than_pydantic_alone(entrance: str, pydantic_alone: int) -> None:
    ratio = instructions(f"import {entrance}") / pydantic_alone
    print(f"{entrance}: {ratio:.3f}")
    assert ratio <= AT_MOST
