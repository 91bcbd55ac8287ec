"""The figures with their aims, as a table and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

REASONS = json.loads((Path(__file__).parent / "reasons.json").read_text())
"""Why an aim is not reached, by the beginning of a figure's name."""


@dataclass
class Row:
    """A figure. Its aim is the most that it may be, or the least."""

    name: str
    value: float
    unit: str
    aim: float | None = None
    is_least: bool = False

    @property
    def is_reached(self) -> bool:
        if self.aim is None:
            return True
        return self.value >= self.aim if self.is_least else self.value <= self.aim

    def verdict(self) -> str:
        if self.aim is None:
            return ""
        if self.is_reached:
            return "reached"
        reason = next((reason for name, reason in REASONS.items() if self.name.startswith(name)), "")
        return f"**not reached**{': ' if reason else ''}{reason}"

    def line(self) -> str:
        aim = (
            "" if self.aim is None else f"{'at least ' if self.is_least else 'at most '}{spelled(self.aim)} {self.unit}"
        )
        return f"| {self.name} | {spelled(self.value)} {self.unit} | {aim} | {self.verdict()} |"


def percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) * percent // 100, len(values) - 1)]


def spelled(value: float) -> str:
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


HEAD = """# Performance of runs with a log

The times and sizes of runs with a log, in each engine, beside their aims. `make bench-durable` writes this page: do not edit it.

Machine: {machine}. Redis and SQLite are on the machine of the servers, and so are the clients: no figure has the time of a network. Latencies count from a request, or from
the agent, until the bytes are in the memory of a client; CPU is what processes report. All engines take turns in every round. Absolute figures differ from machine to machine.

A run of "100 tokens a second" stores each token by itself, as none comes within 5 ms of another; "at once" means as fast as the server goes, up to 32 tokens in one step.
[Sizing](durable-sizing.md) says what follows from the figures.
"""


def page(groups: dict[str, list[Row]], machine: str) -> str:
    return f"{HEAD.format(machine=machine)}\n{markdown(groups)}"


def from_json(text: str) -> dict[str, list[Row]]:
    return {group: [Row(**row) for row in rows] for group, rows in json.loads(text).items()}


def markdown(groups: dict[str, list[Row]]) -> str:
    tables = []
    for group, rows in groups.items():
        lines = [
            f"## {group}",
            "",
            "| figure | measured | aim | |",
            "|---|---:|---:|---|",
            *(row.line() for row in rows),
        ]
        tables.append("\n".join(lines) + "\n")
    return "\n".join(tables)


def to_json(groups: dict[str, list[Row]]) -> str:
    return (
        json.dumps(
            {group: [asdict(row) for row in rows] for group, rows in groups.items()}, indent=1, ensure_ascii=False
        )
        + "\n"
    )
