"""Draws the ratios of other packages' times to ours, by group: an SVG for each language. `plots.py RESULTS FOLDER`

A bar is the median of the group; the line over it reaches from its minimum to its maximum.
"""

import json
import math
import re
import statistics
import sys
from html import escape
from pathlib import Path

from table import PEERS

# The first matching pattern determines the group of an operation.
GROUPS = {
    "Whole requests": "^request ",
    "Memory": "memory",
    "Import": "import|load the ",
    "Server": "server,",
    "Client, whole runs": "client, ",
    "From dictionaries": "dictionar|model_validate|validate a body|TypeAdapter",
    "Make events": "construct|one token",
    "Messages and state": "defaultApplyEvents|reduce|STATE_DELTA",
    "Verify": "verifyEvents",
    "Expand chunks": "transformChunks|expandChunks",
    "Enforce": "enforceEvents",
    "Compact and validate": "compactEvents of a list",
    "Compact": "compactEvents",
    "Read responses": "parseSSEStream|parseProtoStream|transformHttpEventStream",
    "Decode streams": "decode a|the same beside the official parser|decode 10,000",
    "Protobuf": "protobuf",
    "Validate": "parse|Parse|omitOptionalNulls",
    "Helpers": "aggregateTokenUsage|tokenUsage|mergeMetadata|content",
    "Encode": "encode|model_dump_json",
    "Decode": "decode",
    "Use models": "attribute|isinstance|==|model_|deepcopy",
}
WIDTH, LEFT, RIGHT, ROW, TOP = 760, 170, 190, 26, 56
STYLE = "text{font:13px system-ui,sans-serif;fill:#1f2933}.t{font-weight:600}.g{fill:#66788a;font-size:11px}"


def ratios(result: dict) -> dict[str, list[float]]:
    """Returns the other package's times divided by ours, by group."""
    found: dict[str, list[float]] = {group: [] for group in GROUPS}
    for row in result["rows"]:
        peer = row["times"].get("official") or row["times"].get("ag-ui-core")
        if peer:
            found[group_of(row["operation"])].append(peer / row["times"]["ours"])
    return dict(
        sorted(((group, each) for group, each in found.items() if each), key=lambda at: -statistics.median(at[1]))
    )


def group_of(operation: str) -> str:
    return next(group for group, pattern in GROUPS.items() if re.search(pattern, operation))


def times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"


def plot(result: dict) -> str:
    groups = ratios(result)
    low = min(0.5, *(min(each) for each in groups.values()))
    high = max(max(each) for each in groups.values()) * 1.1
    scale = (WIDTH - LEFT - RIGHT) / math.log(high / low)

    def x(ratio: float) -> float:
        return round(LEFT + math.log(ratio / low) * scale, 1)

    height = TOP + ROW * len(groups) + 12
    title = f"{result['language']}: time (or memory) of {PEERS[result['language']]}, divided by ours"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">',
        f'<style>{STYLE}</style><rect width="{WIDTH}" height="{height}" rx="6" fill="#fff"/>',
        f'<text class="t" x="12" y="22">{escape(title)}</text>',
    ]
    for tick in (tick for power in range(5) for tick in (10**power, 3 * 10**power) if tick < high):
        line = "#9aa5b1" if tick == 1 else "#e4e7eb"
        lines.append(f'<path d="M{x(tick)} {TOP - 8}V{height - 8}" stroke="{line}"/>')
        lines.append(f'<text class="g" x="{x(tick)}" y="{TOP - 12}" text-anchor="middle">{tick:,}x</text>')
    for row, (group, each) in enumerate(groups.items()):
        y, median = TOP + ROW * row, statistics.median(each)
        left, right = sorted((x(1), x(median)))
        color = "#3f8fd2" if median >= 1 else "#d9822b"
        range_of = f"({times(min(each))} to {times(max(each))})" if len(each) > 1 else ""
        middle = y + ROW / 2 - 3
        lines += [
            f'<text x="{LEFT - 10}" y="{y + 14}" text-anchor="end">{escape(group)}</text>',
            f'<rect x="{left}" y="{y + 2}" width="{round(right - left, 1)}" height="{ROW - 10}" fill="{color}"/>',
            f'<path d="M{x(min(each))} {middle}H{x(max(each))}" stroke="#1f2933" stroke-opacity=".55"/>',
            f'<text x="{WIDTH - RIGHT + 12}" y="{y + 14}">{times(median)}x<tspan class="g" dx="4">{range_of}</tspan></text>',
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def main() -> None:
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("python", "node", "rust"):
        result = json.loads((Path(sys.argv[1]) / f"{name}.json").read_text("utf-8"))
        (folder / f"{name}.svg").write_text(plot(result), "utf-8")


if __name__ == "__main__":
    main()
