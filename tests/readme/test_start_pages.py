"""The start pages, as a beginner follows them: each program is saved under the name that its page gives, started by the
command below it, and asked as the page says; what comes is what the page shows. Only the port is another one, and on the
last page the agent waits for the client that comes back instead of three seconds.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import Self

import pytest
from example_files import ROOT
from listening import listening

from ag_ui_native.client import SyncHttpAgent, approve, edit, reject

DOCS = ROOT / "docs" / "start"
LANGUAGES = {"Python": "py", "Node": "mjs"}
# The server and the client that a page ends with.
STEPS = {
    "first-agent": ("step1_text", None),
    "first-client": ("step1_text", "client1_text"),
    "tool": ("step2_tool", "client1_text"),
    "state": ("step3_state", "client3_state"),
    "approval": ("step4_approval", "client4_approval"),
    "resume": ("step5_resume", "client5_resume"),
}
TALKS = [page for page, (_, client) in STEPS.items() if client and page != "resume"]
PROMPT = re.compile(r"(?:What shall we cook\?|\[y/n\]) $")
TYPED = re.compile(r"^(.*?(?:What shall we cook\?|\[y/n\])) (.+)$", re.MULTILINE)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAM = r"`(\w+\.{ending})`\n\n<!-- code: (examples/start/{stem}\.{ending}) -->\n```\w+\n.*?^```\n\n```sh\n(.*?)```"
SECONDS = 300
# What the agent of the last page awaits before each word, and what it awaits here: from the second word on, a file.
PACE = {
    "py": ("asyncio.sleep(3)", '__import__("pace").wait()'),
    "mjs": ("sleep(3000)", "(await import('./pace.mjs')).wait()"),
}
WAITS = {
    "py": """import asyncio
from pathlib import Path

words = 0

async def wait():
    global words
    words += 1
    while words > 1 and not Path("go").exists():
        await asyncio.sleep(0.02)
""",
    "mjs": """import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

let words = 0

export async function wait() {
  words += 1
  while (words > 1 && !existsSync('go')) await sleep(20)
}
""",
}


def blocks(page: str, language: str) -> list[str]:
    """Returns the blocks of a page in one language, such as those of `text`."""
    found = BLOCK.findall((DOCS / f"{page}.md").read_text("utf-8"))
    return [text for name, text in found if name == language]


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip()


def saved(page: str, stem: str, ending: str, folder: Path, port: str) -> list[str]:
    """Saves the program of a page in a folder. Returns the command that the page starts it by."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    if stem not in text:  # the page says that it stays
        page = next(other for other, steps in STEPS.items() if stem in steps)
        text = (DOCS / f"{page}.md").read_text("utf-8")
    found = re.search(PROGRAM.format(stem=stem, ending=ending), text, re.DOTALL | re.MULTILINE)
    assert found, f"{page}.md has no {stem}.{ending}"
    source = (ROOT / found[2]).read_text("utf-8").replace("8000", port)
    if stem == "step5_resume":
        assert PACE[ending][0] in source
        source = source.replace(*PACE[ending])
        (folder / f"pace.{ending}").write_text(WAITS[ending], "utf-8")
    (folder / found[1]).write_text(source, "utf-8")
    command = found[3].split()
    return [*command, "--port", port, "--log-level", "warning"] if command[0] == "uvicorn" else command


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder of the beginner's. It is in the tree, where Node finds the package."""
    path = ROOT / ".build" / "start" / re.sub(r"\W+", "-", request.node.name)
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    yield path
    shutil.rmtree(path)


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)


@contextmanager
def serving(page: str, ending: str, folder: Path) -> Iterator[str]:
    """Runs the server of a page. Yields its port."""
    stem, _ = STEPS[page]
    with listening(lambda port: saved(page, stem, ending, folder, str(port)), cwd=folder) as url:
        yield url.rpartition(":")[2]


class Terminal:
    """A client in a terminal: what it prints, with what is typed."""

    def __init__(self, page: str, ending: str, folder: Path, port: str) -> None:
        stem = STEPS[page][1]
        assert stem
        # Programs in the background, as those of nohup, start with these signals ignored, and so would the client.
        command = ["env", "--default-signal=HUP,INT", *saved(page, stem, ending, folder, port)]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.limit = Timer(SECONDS, self.process.kill)
        self.limit.start()
        self.shown = ""

    def read_until(self, last: re.Pattern[str] = PROMPT) -> str:
        assert self.process.stdout
        while not last.search(self.shown):
            letter = self.process.stdout.read(1)
            assert letter, f"the client ended behind {self.shown!r}"
            self.shown += letter.decode()
        return self.shown

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.shown += f"{line}\n"
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def close(self) -> None:
        """Closes its window."""
        self.process.send_signal(signal.SIGHUP)
        self.process.wait()
        self.limit.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.limit.cancel()
        self.process.kill()
        self.process.communicate()


def talk(terminal: Terminal, shown: str) -> None:
    """Types what stands in the page behind the prompts, and compares what is shown at last."""
    for typed in TYPED.findall(shown):
        terminal.read_until()
        terminal.type(typed[1])
    assert trimmed(terminal.read_until()) == trimmed(shown)


@pytest.mark.parametrize("ending", LANGUAGES.values())
def test_only_the_plain_answer_is_a_yes(ending: str, folder: Path) -> None:
    """The program does not take edited arguments: it would order what the person has changed."""
    said = []
    with serving("approval", ending, folder) as port:
        for answer in (edit({"items": ["tea"]}), approve(until="noon"), approve(), reject()):
            with SyncHttpAgent(f"http://127.0.0.1:{port}/") as agent:
                (interrupt,) = agent.ask("pancakes").result.interrupts
                agent.run_agent(resume=agent.build_resume({interrupt.id: answer})).raise_for_outcome()
                said.append(agent.messages[-1].content)
    assert said == ["Then I order nothing.", "Then I order nothing.", "It comes at six.", "Then I order nothing."]


@pytest.mark.parametrize("ending", LANGUAGES.values())
@pytest.mark.parametrize("page", [page for page in STEPS if page not in ("first-client", "resume")])
def test_events(page: str, ending: str, folder: Path) -> None:
    (command,) = (text for text in blocks(page, "sh") if text.startswith("curl"))
    (shown,) = (text for text in blocks(page, "text") if text.startswith("data:"))
    with serving(page, ending, folder) as port:
        asked = ["bash", "-c", command.replace("8000", port)]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=SECONDS, check=True)
    said = re.sub(r"(msg|tool)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"\1-...", done.stdout)
    assert trimmed(said) == trimmed(shown)


@pytest.mark.parametrize(
    ("page", "server", "client"),
    [
        *((page, ending, ending) for page in TALKS for ending in LANGUAGES.values()),
        ("approval", "py", "mjs"),
        ("approval", "mjs", "py"),
    ],
)
def test_talks(page: str, server: str, client: str, folder: Path) -> None:
    (shown,) = (text for text in blocks(page, "text") if text.startswith("What shall we cook?"))
    with serving(page, server, folder) as port, Terminal(page, client, folder, port) as terminal:
        talk(terminal, shown)
        terminal.type("")
        assert terminal.process.wait(SECONDS) == 0


@pytest.mark.parametrize("ending", LANGUAGES.values())
def test_without_a_server_the_client_says_so(ending: str, folder: Path) -> None:
    command = saved("first-client", "client1_text", ending, folder, "9")  # nothing listens there
    done = subprocess.run(
        command, cwd=folder, input="pancakes\n", capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode != 0 and "connection_failed" in done.stderr
    assert "check the address, and that the server is running" in done.stderr


@pytest.mark.parametrize("ending", LANGUAGES.values())
def test_a_client_comes_back(ending: str, folder: Path) -> None:
    cut, rest, answered = blocks("resume", "text")
    with serving("resume", ending, folder) as port:
        with Terminal("resume", ending, folder, port) as terminal:
            terminal.read_until()
            terminal.type("pancakes")
            assert trimmed(terminal.read_until(re.compile("For "))) == trimmed(cut)
            terminal.close()
        with Terminal("resume", ending, folder, port) as terminal:
            terminal.read_until(re.compile("For "))  # it has joined the run
            (folder / "go").touch()
            talk(terminal, rest)
            terminal.close()
    with serving("resume", ending, folder) as port, Terminal("resume", ending, folder, port) as terminal:
        talk(terminal, answered)


def test_ctrl_c_ends_the_client_of_node_and_the_run_goes_on(folder: Path) -> None:
    with serving("resume", "mjs", folder) as port:
        command = saved("resume", "client5_resume", "mjs", folder, port)
        screen, terminal = os.openpty()  # with a pipe, Node's readline does not read the key itself
        process = subprocess.Popen(command, cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal)
        limit = Timer(SECONDS, process.kill)
        limit.start()
        try:
            shown = b""
            for awaited, typed in ((b"cook? ", b"pancakes\n"), (b"For ", b"\x03")):
                while awaited not in shown:
                    assert process.poll() is None, shown
                    shown += os.read(screen, 1000)
                os.write(screen, typed)
            assert process.wait(SECONDS) == 0
        finally:
            limit.cancel()
            process.kill()
            process.wait()
            os.close(screen)
            os.close(terminal)
        with Terminal("resume", "mjs", folder, port) as client:
            client.read_until(re.compile("For "))  # it has joined the run
            (folder / "go").touch()
            talk(client, blocks("resume", "text")[1])


@pytest.mark.parametrize("page", [*TALKS, "resume"])
def test_ctrl_c_ends_the_client_of_python(page: str, folder: Path) -> None:
    """There is no traceback: with one, the program would end by the signal."""
    with serving(page, "py", folder) as port, Terminal(page, "py", folder, port) as terminal:
        terminal.read_until()
        terminal.type("pancakes")
        terminal.read_until(re.compile("For "))
        terminal.process.send_signal(signal.SIGINT)
        (folder / "go").touch()  # the words that still come wake a client that began to wait as the signal came
        assert terminal.process.wait(SECONDS) == 0


def changes(before: str, after: str) -> Iterator[list[str]]:
    """Yields the lines of each place where a program was changed. What earlier pages have said to be new is left out."""

    def bare(text: str) -> list[str]:
        lines = (re.sub(r"\s*(?:#|//) New\b.*", "", line) for line in text.splitlines())
        return [line for line in lines if line]

    shown = [line for line in after.splitlines() if line]
    new = [re.sub(r"\s*(?:#|//) New\b.*", "", line) for line in shown]
    for kind, _, _, start, end in difflib.SequenceMatcher(None, bare(before), new, autojunk=False).get_opcodes():
        if kind in ("insert", "replace"):
            yield shown[start:end]


@pytest.mark.parametrize("ending", LANGUAGES.values())
def test_new_lines_say_so(ending: str) -> None:
    for kind in (0, 1):
        stems = list(dict.fromkeys(stem for steps in STEPS.values() if (stem := steps[kind])))
        for earlier, later in pairwise(stems):
            texts = [(ROOT / "examples" / "start" / f"{stem}.{ending}").read_text("utf-8") for stem in (earlier, later)]
            found = list(changes(*texts))
            assert found
            for lines in found:
                assert any("New" in line for line in lines), "\n".join([f"{later}.{ending}:", *lines])
