"""Counts the instructions of the hottest operations, and compares them with `budget.json`: `make test-budget` and `make budget` run it.

A count does not depend on the speed or the load of a machine: from one process to the next it differs by 0.3 % at
most, since maps are seeded by the clock. In Node it depends on addresses, too, so Node is counted in several
layouts. It depends on the compiler, the interpreter, the C library and the packages, so the budget names these
versions (`with`). CONTRIBUTING.md says which counts are compared if versions differ.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tests" / "growth"))

from counting import MARK_OF_NODE, MARK_OF_PYTHON, MARK_OF_RUST, NODE, between_marks, can_count

TOLERANCE = 0.03
TOLERANCE_OF_OTHERS = 0.10
"""The tolerance if a count was made with another version of something."""

COMMITTED = HERE / "budget.json"

INCOMPARABLE = ("machine", "profile", "interpreter")
"""If one of these differs, counts cannot be compared."""

AGAIN = ("0",) * 4
LAYOUTS_OF_NODE = ("0", "1", "20", "40", "100", "7", "60", "200")
"""The numbers of shapes that `operations.mjs` makes first. V8 caches its lookups in a table by a shape's address: if
two shapes share a place in it, a row takes up to 11 % more, and the addresses differ by machine. The smallest count
of these layouts is that of the work itself."""

Section = dict[str, Any]
"""`with`: the versions with which it was counted, by name. `counts`: the instructions of one operation, by operation."""


@dataclass(frozen=True)
class Host:
    """A program that does operations between marks."""

    section: str
    command: list[str]
    mark: str
    versions: dict[str, str]
    layouts: tuple[str, ...] = AGAIN

    def count(self, budget: Section | None) -> Section:
        """Returns the least count, because a process may collect garbage during an operation. Without a budget all
        layouts are counted, otherwise two, and more as long as a row is beyond it.
        """
        lines = [line.partition(" ") for line in output(*self.command).splitlines()]
        found: list[list[int]] = []
        for layout in self.layouts:
            found.append(between_marks([*self.command, "count", layout], self.mark))
            if len(found[-1]) != len(lines):
                sys.exit(
                    f"{self.section}: {len(found[-1])} counts of {len(lines)} operations: does anything else call {self.mark}?"
                )
            rows = zip(lines, zip(*found, strict=True), strict=True)
            counts = {name: round(min(same) / int(times)) for (times, _, name), same in rows}
            counted = {"with": self.versions, "counts": counts}
            if budget and len(found) > 1 and not judge(self.section, counted, budget)[1]:
                break
        return counted


def hosts(rust: str, data: str) -> list[Host]:
    """The three languages, and what counts depend on in each."""
    flags = Path("/proc/cpuinfo").read_text("utf-8").split()
    everywhere = {
        # valgrind shows a program the same processor on every machine that has AVX2: the same ways through memcpy and the like.
        "machine": platform.machine() + (", AVX2" if "avx2" in flags else ""),
        "libc": " ".join(platform.libc_ver()),
        "valgrind": output("valgrind", "--version"),
        "rustc": output("rustc", "--version").split()[1],
    }
    node = output("node", "--version").removeprefix("v")
    optimised = "optimised" if "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "") else "plain"
    of_python = {
        "profile": profile((ROOT / ".build" / "python").read_text("utf-8")),
        "interpreter": f"{platform.python_compiler()}, {optimised}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("pydantic", "pydantic-core")},
    }
    of_node = {"profile": profile((ROOT / ".build" / "node").read_text("utf-8")), "node": node}
    of_rust = {"profile": profile("\n".join(f"{name}={value}" for name, value in os.environ.items()))}
    return [
        Host(
            f"Python {sys.version_info.major}.{sys.version_info.minor}",
            [sys.executable, str(HERE / "operations.py"), data],
            MARK_OF_PYTHON,
            everywhere | of_python,
        ),
        Host(
            f"Node {node.partition('.')[0]}",
            [*NODE, str(HERE / "operations.mjs"), data],
            MARK_OF_NODE,
            everywhere | of_node,
            LAYOUTS_OF_NODE,
        ),
        Host("Rust", [rust, data], MARK_OF_RUST, everywhere | of_rust),
    ]


def profile(settings: str) -> str:
    """Returns the build settings of Rust: those of Cargo.toml, or those that the environment sets."""
    return " ".join(["release", *sorted(line for line in settings.split("\n") if line.startswith("CARGO_PROFILE_"))])


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def judge(name: str, counted: Section, budget: Section | None) -> tuple[list[str], list[str]]:
    """A section's lines to print, and those of its rows that fail."""
    if budget is None:
        rows = [f"{'':>8} {name}: {row}: {count:,}" for row, count in counted["counts"].items()]
        return [*rows, f"-- {name} has no budget yet: nothing is judged"], []
    differing = [key for key in counted["with"] | budget["with"] if counted["with"].get(key) != budget["with"].get(key)]
    judged = not set(INCOMPARABLE) & set(differing)
    tolerance = TOLERANCE_OF_OTHERS if differing else TOLERANCE
    lines, failures = [], []
    for row, count in counted["counts"].items():
        allowed = budget["counts"].get(row)
        change = "new" if allowed is None else f"{count / allowed - 1:+.1%}"
        lines.append(f"{change:>8} {name}: {row}: {count:,}")
        if judged and allowed is not None and count > allowed * (1 + tolerance):
            failures.append(
                f"{name}: {row}: {count:,} instructions, the budget is {allowed:,}: {change}, allowed {tolerance:+.0%}"
            )
    failures += [
        f"{name}: {row}: in the budget, and counted no longer" for row in budget["counts"].keys() - counted["counts"]
    ]
    if differing:
        what = ", ".join(f"{key} {counted['with'].get(key)} (budget: {budget['with'].get(key)})" for key in differing)
        how = f"judged with {tolerance:.0%}" if judged else "not judged"
        lines.append(f"-- {name} was counted with {what}: {how}; `make budget` writes the budget anew")
    return lines, failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rust", help="the example `budget`, built")
    parser.add_argument("data", help="what bench/scenarios.py has written")
    parser.add_argument("--write", action="store_true", help="write the budget anew")
    parser.add_argument("--budget", type=Path, default=COMMITTED)
    options = parser.parse_args()
    if not can_count():
        return 0
    budget: dict[str, Section] = json.loads(options.budget.read_text("utf-8")) if options.budget.exists() else {}
    found = {host.section: host for host in hosts(options.rust, options.data)}
    with ThreadPoolExecutor(2) as pool:
        counting = {
            name: pool.submit(host.count, None if options.write else budget.get(name)) for name, host in found.items()
        }
        counted = {name: count.result() for name, count in counting.items()}
    failed = []
    for name, section in counted.items():
        lines, failures = judge(name, section, budget.get(name))
        print(*lines, sep="\n")
        failed += failures
    if options.write:
        changed = {
            name: built for name, section in counted.items() if (built := section["with"]["profile"]) != profile("")
        }
        if changed and options.budget == COMMITTED:
            builds = "".join(f"\n  {name}: {built}" for name, built in changed.items())
            sys.exit(
                f"not written: these were built with other settings than those of Cargo.toml:{builds}\nBuild without them: `rm .build/python .build/node`"
            )
        options.budget.write_text(json.dumps(budget | counted, indent=2) + "\n", encoding="utf-8")
        print(f"written: {options.budget}; beyond the budget before: {len(failed)}", *failed, sep="\n  ")
        return 0
    rows = sum(len(section["counts"]) for section in counted.values())
    if failed:
        print(
            "",
            *failed,
            "If a change is worth it, `make budget` writes the budget anew; say why where it is committed.",
            sep="\n",
        )
    print(f"{rows - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
