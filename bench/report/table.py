"""Writes docs/performance.md from the results of the three languages. `table.py RESULTS OUTPUT MACHINE`"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent

PEERS = {"Python": "ag-ui-protocol 1.0.0", "Node": "@ag-ui/* 1.0.0", "Rust": "ag-ui-core 0.1.0"}

HEAD = """# Performance

The times of this package, beside the official packages and the best general tools. `make bench` writes this page: do not edit it.

Machine: {machine}.

**How to read it.** Only ratios mean something: the other package's time divided by ours, so 2.0x is twice as fast. Absolute
figures differ from machine to machine; ratios repeat within about 20 %, because all packages take turns in many shuffled rounds
of one process. Figures are medians of CPU time, at the versions named, on release builds, after all packages have been seen to
give the same results. For Python the published wheel is measured. It is optimised by a profile of `bench/training.py`, whose
texts are others than those measured; pydantic-core's wheels are made in the same way. Import and load times are taken in
processes of their own.

The best general tool is the fastest library that knows nothing of the protocol. It validates less or nothing, and a program
that uses it keeps its own classes. "At least" is what this project asks of itself against the official package; **below**
marks what does not reach it. The rows that programs meet first come first; the others are folded behind them. A third table
lists each row below its goal, or below the aim beyond it: what was tried, and what stands in the way. In the plots a bar is the median of
a group of operations, and the line over it goes from the least to the most. The scale is logarithmic.

Whether a change makes something slower is judged by other means, which no machine disturbs: `make test-budget` counts the
instructions of the hottest operations against `tests/budget/budget.json`, on builds without profile-guided optimisation, and
`make bench-compare` measures two builds in the same rounds
([CONTRIBUTING.md](https://github.com/ag-ui-native/ag-ui-native/blob/main/CONTRIBUTING.md#speed)).

All three languages measure the same documents, which `bench/scenarios.py` makes:

- text deltas of 40 characters, 1 KB and Chinese with emoji, and tool arguments with escapes;
- a state snapshot of 2 KB, and a state delta of 5 operations;
- a snapshot of 100 messages, and a RunAgentInput of 57 KB (200 messages, 10 tools);
- a stream of 10,000 events.

Safety has a cost that can be seen in some rows:

- Each call of a stream object in Python takes a lock, so that callbacks never meet it half done (50 to 100 ns a call).
- The garbage collector is held off while Python's objects are written or read (5 to 10 ns).
- A patch owns what it changes (30 ns).
- Node's functions check the kind of each argument (2 to 60 ns).
- The Node package loads the addon when it is imported, so that a missing one is reported there (2 ms).

A whole request has a RunAgentInput of 58 KB as its body and 200 events as its answer; `bench/python/request_programs.py` has the
programs. "In process" calls an application as a server does; "over uvicorn" has uvloop and httptools. The CPU time of the process of
the program counts, and that of the client does not. Three programs are the floors of their rows. "FastAPI alone" reads the body into a
dictionary and sends frames that are made beforehand. "Bare loop" does the same without a framework. "pydantic-ai alone" runs the same
agent and sends such frames.

"The writes alone" of a Node server is the floor below which no server gets: the same turns of the event loop and the same
writes to the connection, with chunks made beforehand. `bench/node/servers.mjs` measures it, and the same with a new string for each
chunk, in the same shuffled rounds as the rest. The official encoder takes 2.5 to 3.8 times as long as the writes alone for one
token a write, and 13 to 22 times in bursts of 16. With a new string for each chunk that is 2.4 to 3.5 and 9 to 18 times. So the goal
of 15 for bursts leaves next to nothing for the tokens themselves. Memory that is used again would cost less than new strings, but
code that looks at what a connection is given may keep it.

Clients read runs from a server in another process, whose time does not count. "httpx alone" is the floor of a Python client: the
bytes are read and dropped. With one event a chunk, that alone is more than half of what the official way takes, so the goal of 5
cannot be reached there. The official package has no client in Python; ours is compared with httpx, httpx-sse and the official
models, which make events and no conversation. In Node each run has a process of its own, and its time begins when the package is loaded.
"""


def section(result: dict, goals: dict, first: dict, reasons: dict) -> str:
    """The section of a language: the rows that programs meet first, the others, and those below their goals."""
    language = result["language"]
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    rows = {row["operation"]: row for row in result["rows"]}
    met = {operation: group for group, operations in first.items() for operation in operations}
    lines = [
        f"## {language}",
        "",
        f"![Time of {PEERS[language]} divided by ours, by group](plots/{language.lower()}.svg)",
        "",
        f"{versions}; {result['rounds']} rounds.",
        "",
        *folded("What programs meet first", table([rows[each] for each in met if each in rows], goals, language, met)),
        *folded("The other rows", table([row for name, row in rows.items() if name not in met], goals, language)),
        "",
        *below(result["rows"], goals, language, reasons),
    ]
    return "\n".join(lines) + "\n"


def folded(title: str, lines: list[str]) -> list[str]:
    """A section that is folded, unless it is the first. On the site they are tabs."""
    is_first = title.startswith("What")
    return [f"<details{' open' * is_first}>", f"<summary><b>{title}</b></summary>", "", *lines, "", "</details>"]


def table(rows: list[dict], goals: dict, language: str, groups: dict | None = None) -> list[str]:
    """A table of rows. With `groups`, which tell the group of an operation, each group begins with its name."""
    group = "| " if groups else ""
    lines = [
        f"{group}| operation | ours | {PEERS[language]} | ratio | at least | best general tool | ratio |",
        f"{'|---' if groups else ''}|---|---:|---:|---:|---|---:|---:|",
    ]
    before = None
    for row in rows:
        cells = line(row, goals.get(row["operation"], {}), language)
        if groups:
            name = groups[row["operation"]]
            cells = f"| {name if name != before else ''} {cells}"
            before = name
        lines.append(cells)
    return lines


def below(rows: list[dict], goals: dict, language: str, reasons: dict) -> list[str]:
    """The table of the rows that do not reach their goal or their aim, with the reason of each.

    Raises ValueError for a row without a reason.
    """
    lines = [
        "Below the goal, or the aim beyond it:",
        "",
        "| operation | measured | at least | what was tried, and what stands in the way |",
        "|---|---:|---|---|",
    ]
    missed = [(row, goal) for row in rows if is_missed(row, goal := goals.get(row["operation"], {}), language)]
    for row, goal in missed:
        reason = reasons.get(row["operation"])
        if not reason:
            raise ValueError(f"{language}: {row['operation']} is below its goal: say why in bench/report/reasons.json")
        ratio = ratio_of(row, language)
        measured = (
            amount(row["times"]["ours"], row["unit"]) if "at most" in goal or ratio is None else times_as_fast(ratio)
        )
        lines.append(f"| {row['operation']} | {measured} | {wanted(row, goal, language)} | {reason} |")
    return [*lines, ""] if missed else []


def peer_of(row: dict, language: str) -> float | None:
    """What the package needs that ours replaces."""
    return row["times"].get("ag-ui-core" if language == "Rust" else "official")


def ratio_of(row: dict, language: str) -> float | None:
    peer = peer_of(row, language)
    return peer / row["times"]["ours"] if peer else None


def line(row: dict, goal: dict, language: str) -> str:
    unit, ours, peer, ratio = row["unit"], row["times"]["ours"], peer_of(row, language), ratio_of(row, language)
    times = {name: taken for name, taken in row["times"].items() if name not in ("ours", "official", "ag-ui-core")}
    tool = min(times, key=times.__getitem__, default=None)
    cells = [
        row["operation"],
        amount(ours, unit),
        amount(peer, unit) if peer else "",
        times_as_fast(ratio) if ratio else "",
        wanted(row, goal, language),
        f"{tool} {amount(times[tool], unit)}" if tool else "",
        f"{times[tool] / ours:.2f}x" if tool else "",
    ]
    return f"| {' | '.join(cells)} |"


def libraries(result: dict) -> str:
    """The section that compares core with the libraries that could do the work of core."""
    names = list(dict.fromkeys(name for row in result["rows"] for name in row["times"] if name != "ours"))
    lines = [
        "## Libraries",
        "",
        "What core does itself, beside the libraries that could do it; their time divided by ours. They read into plain structs and",
        "validate nothing; [what else they do not do](architecture.md#what-core-does-itself-and-why).",
        "",
        f"{result['rounds']} rounds.",
        "",
        f"| operation | ours | {' | '.join(names)} |",
        "|---|" + "---:|" * (len(names) + 1),
    ]
    for row in result["rows"]:
        ours = row["times"]["ours"]
        ratios = [f"{row['times'][name] / ours:.2f}x" if name in row["times"] else "" for name in names]
        lines.append(f"| {' | '.join([row['operation'], amount(ours, row['unit']), *ratios])} |")
    return "\n".join(lines) + "\n"


def times_as_fast(ratio: float) -> str:
    return f"**{ratio:.2f}x**" if ratio < 10 else f"**{ratio:,.1f}x**" if ratio < 100 else f"**{ratio:,.0f}x**"


def least(row: dict, goal: dict) -> float | None:
    """The least ratio of a row. Code that replaces code of a program must never be slower."""
    return goal.get("must", 0.97 if row.get("replaced") else None)


def is_missed(row: dict, goal: dict, language: str) -> bool:
    """True if a row is below its goal, or below its aim."""
    if "at most" in goal:
        return row["times"]["ours"] > goal["at most"]
    ratio = ratio_of(row, language)
    return ratio is not None and ratio < max(least(row, goal) or 0, goal.get("aim", 0))


def wanted(row: dict, goal: dict, language: str) -> str:
    """The goal of a row, and a mark if it is missed."""
    if "at most" in goal:
        return f"at most {goal['at most']} {row['unit']}" + (", **above**" if is_missed(row, goal, language) else "")
    must, ratio = least(row, goal), ratio_of(row, language)
    if must is None or ratio is None:
        return ""
    aim = f" (aim {goal['aim']}x)" if "aim" in goal else ""
    return f"{must}x{aim}" + (", **below**" if ratio < must else "")


def amount(value: float, unit: str) -> str:
    if unit == "ns" and value >= 10_000:
        return f"{value / 1e6:,.1f} ms" if value >= 1e7 else f"{value / 1000:.1f} µs"
    return f"{value:.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def main() -> None:
    goals, first, reasons = (
        json.loads((HERE / f"{name}.json").read_text("utf-8")) for name in ("goals", "first", "reasons")
    )
    if sys.argv[1] == "--print":
        for path in sys.argv[2:]:
            result = json.loads(Path(path).read_text(encoding="utf-8"))
            language = result["language"]
            print(f"## {language}", "", *table(result["rows"], goals.get(language, {}), language), "", sep="\n")
        return
    parts = [HEAD.format(machine=sys.argv[3])]
    for name in ("python", "node", "rust"):
        result = json.loads((Path(sys.argv[1]) / f"{name}.json").read_text(encoding="utf-8"))
        parts.append(section(result, *(each.get(result["language"], {}) for each in (goals, first, reasons))))
    parts.append(libraries(json.loads((Path(sys.argv[1]) / "libraries.json").read_text(encoding="utf-8"))))
    Path(sys.argv[2]).write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
