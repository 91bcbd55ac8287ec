"""Removes from bodies the parts that differ in each run: ids and times."""

from __future__ import annotations

import re

UUID = r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"
# In an id of its own making, a framework's prefix stays.
IDS = re.compile(rf"{UUID}|(?<=pyd_ai_)[0-9a-f]{{32}}", re.IGNORECASE)
TIMES = re.compile(
    r'(\\*"(?:timestamp|created_at|createdAt|expires_at|time_to_first_token|duration|latencyMs|time)\\*"\s*:\s*)\\*"?[0-9][0-9T:.+eZ-]*\\*"?'
)


def normalize(body: str) -> str:
    """Replaces ids by numbers in order of appearance, and times by 0."""
    seen: dict[str, str] = {}
    numbered = IDS.sub(lambda found: seen.setdefault(found[0].lower(), f"id-{len(seen) + 1}"), body)
    return TIMES.sub(r"\g<1>0", numbered)
