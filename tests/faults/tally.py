"""What the tests of faults have done. `make test-durable` names a file in FAULTS_REPORT: tests try all they can, and each adds a
line with its numbers; `python tests/faults/tally.py FILE` sums them.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from pathlib import Path

REPORT = os.environ.get("FAULTS_REPORT")
IS_LONG = REPORT is not None
NUMBERS = ("runs", "cuts", "faults", "events", "lost", "doubled")


def tally(row: str, **numbers: int) -> None:
    """Adds the numbers of a test to a row of the table. Events are those that readers got; lost ones were stored, and not read."""
    assert numbers.keys() <= set(NUMBERS)
    if REPORT is not None:
        with Path(REPORT).open("a") as report:
            report.write(json.dumps({"row": row, **numbers}) + "\n")


def summary(lines: list[str]) -> dict[str, dict[str, int]]:
    """The sums of each row, and of all."""
    rows: defaultdict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(NUMBERS, 0))
    for line in lines:
        numbers = json.loads(line)
        for row in (numbers.pop("row"), "all"):
            for name, number in numbers.items():
                rows[row][name] += number
    return dict(sorted(rows.items(), key=lambda row: (row[0] == "all", row[0])))


if __name__ == "__main__":
    (file,) = sys.argv[1:]
    rows = summary(Path(file).read_text().splitlines())
    print(f"{'':34}" + "".join(f"{name:>9}" for name in NUMBERS))
    for row, numbers in rows.items():
        print(f"{row:34}" + "".join(f"{number:9}" for number in numbers.values()))
    Path(file).with_suffix(".json").write_text(json.dumps(rows, indent=2) + "\n")
    sys.exit(any(rows["all"][name] for name in ("lost", "doubled")))
