"""Measurements outside of a loop: importing, in separate processes, and the memory of events that are kept."""

import compileall
import os
import random
import statistics
import subprocess
import sys
import tracemalloc
from typing import Any

from measure import Choice
from streams import collected, msgspec_stream, official_stream, our_stream

import ag_ui_native

# Asks for the validator of every class: ours are made when they are first used.
COMPLETE = """
import {0} as core, pydantic
for found in list(vars(core).values()):
    if isinstance(found, type) and issubclass(found, pydantic.BaseModel):
        found.__pydantic_validator__.title
"""
IMPORTS = {
    "nothing": "pass",
    "pydantic": "import pydantic; pydantic.create_model('Model', number=(int, 0))",
    "ours": "import ag_ui_native.core, ag_ui_native.encoder",
    "official": "import ag_ui.core, ag_ui.encoder",
    "msgspec": "import models_msgspec, msgspec.json as j; j.Decoder(models_msgspec.AnyEvent)",
    "ours, used": COMPLETE.format("ag_ui_native.core"),
    "official, used": COMPLETE.format("ag_ui.core"),
}


def import_times(rounds: int, choice: Choice) -> list[dict[str, Any]]:
    """Measures the CPU time above that of a bare interpreter, and above that of one with pydantic."""
    # As an installer leaves the package: the source tree may have no bytecode.
    compileall.compile_dir(os.path.dirname(ag_ui_native.__file__), quiet=1)
    order = ["nothing", "pydantic", *choice.of(("ours", "official", "msgspec"))]
    order += [f"{name}, used" for name in choice.of(("ours", "official"))]
    times: dict[str, list[float]] = {name: [] for name in order}
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            times[name].append(cpu_ms(IMPORTS[name]))
    taken = {name: statistics.median(values) for name, values in times.items()}
    return [
        {
            "operation": f"import, above {base}",
            "unit": "ms",
            "times": {name: taken[name + used] - taken[below] for name in choice.of(competitors)},
        }
        for base, below, competitors, used in (
            ("the bare interpreter", "nothing", ("ours", "official", "msgspec"), ""),
            ("pydantic", "pydantic", ("ours", "official"), ""),
            ("pydantic, with the validators of all classes", "pydantic", ("ours", "official"), ", used"),
        )
    ]


def cpu_ms(code: str) -> float:
    child = subprocess.Popen([sys.executable, "-c", code], cwd=os.path.dirname(__file__))
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        sys.exit(f"failed: {code}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def memory_per_event(stream: bytes, choice: Choice) -> dict[str, Any]:
    """Measures the bytes of the decoded events of a stream, strings included."""
    chunks = [stream[at : at + 16384] for at in range(0, len(stream), 16384)]
    ways = {"ours": our_stream, "official": official_stream, "split + msgspec": msgspec_stream}
    sizes = {}
    for name in choice.of(ways):
        decode = ways[name]
        collected(decode, chunks)
        tracemalloc.start()
        events = collected(decode, chunks)
        sizes[name] = tracemalloc.get_traced_memory()[0] / len(events)
        tracemalloc.stop()
    return {"operation": "memory of a held event", "unit": "B", "times": sizes}
