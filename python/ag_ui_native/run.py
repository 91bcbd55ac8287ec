"""Runs an unchanged program that imports ``ag_ui`` on this package: ``python -m ag_ui_native.run PROGRAM [ARGUMENT
...]``.

Takes the arguments of ``python`` itself: a file, ``-m MODULE`` or ``-c COMMAND`` with arguments, and options before
them. Python is started again with a directory on PYTHONPATH whose ``sitecustomize`` calls ``install()``. So Python
alone runs the program, and the processes that it starts are covered, too. ``--pythonpath`` prints that directory, for
environments where a variable is easier to set than a command.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MODULE = "ag_ui_native.run"
STARTUP = str(Path(__file__).with_name("startup"))


def main(arguments: list[str]) -> int:
    """Starts Python with these arguments. Returns the exit code if the process cannot be replaced."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    if arguments == ["--pythonpath"]:
        print(STARTUP)
        return 0
    if sys.flags.ignore_environment or sys.flags.no_site:
        print(
            "ag_ui_native.run needs PYTHONPATH and sitecustomize: start python without -E, -I and -S",
            file=sys.stderr,
        )
        return 2
    entries = [STARTUP, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(entries))
    os.environ["AG_UI_NATIVE"] = "1"
    command = [sys.executable, *python_options(), *arguments]
    if os.name == "nt":  # There, a process cannot be replaced.
        return subprocess.run(command, check=False).returncode
    os.execv(sys.executable, command)


def python_options() -> list[str]:
    """The options before ``-m ag_ui_native.run``."""
    options = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]
    head, found, _ = options.pop().rpartition("m" + MODULE)
    if not found:  # `-m` and the name are two arguments.
        head = options.pop().removesuffix("m") if options else "-"
    return options if head == "-" else [*options, head]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
