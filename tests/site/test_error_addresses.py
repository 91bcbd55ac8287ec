"""Every code, rule and limit is a place of the page that errors lead to."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from plain import anchors

from ag_ui_native import AGUIError, Limits

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "errors.md"
TEXT = PAGE.read_text("utf-8")
CODES = re.findall(r'^    \w+ = "(\w+)", "', (ROOT / "core/src/error.rs").read_text("utf-8"), re.MULTILINE)
RULES = re.findall(r'^    ([A-Z]\d\d) = "', (ROOT / "core/src/rule.rs").read_text("utf-8"), re.MULTILINE)


def site() -> str:
    found = re.search(r"^site_url: (\S+)$", (ROOT / "site" / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1]


def test_each_is_a_place_of_its_own() -> None:
    assert len(CODES) > 70 and len(RULES) > 50
    assert {*CODES, *RULES, *(field.name for field in fields(Limits))} <= anchors(PAGE)
    assert not [name for name, count in Counter(re.findall(r'\bid="([^"]+)"', TEXT)).items() if count > 1]


@pytest.mark.parametrize("code", CODES)
def test_a_code_leads_to_its_place(code: str) -> None:
    assert AGUIError("", code=code).documentation == f"{site()}latest/errors/#{code}"


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_leads_to_its_place(rule: str) -> None:
    assert AGUIError("", code="sequence_broken", rule=rule).documentation == f"{site()}latest/errors/#{rule}"
