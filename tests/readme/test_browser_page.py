"""The page of docs/guides/browsers.md: the official client, with servers of this package in both languages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from example_files import ROOT
from listening import listening

FOLDER = ROOT / "examples" / "browser"
PAGE = {"origin": "http://localhost:5173"}
INPUT = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "salad"}]}


@pytest.fixture
def built() -> Iterator[Path]:
    """A folder in the tree, below which Node finds both packages."""
    folder = ROOT / "node" / "node_modules" / ".cache" / "browser"
    folder.mkdir(parents=True, exist_ok=True)
    yield folder


@contextmanager
def serving(name: str, folder: Path) -> Iterator[str]:
    def command(port: int) -> list[str]:
        if name.endswith(".py"):
            uvicorn = [sys.executable, "-m", "uvicorn", "--app-dir", str(FOLDER), "browser_server:app"]
            return [*uvicorn, "--log-level", "warning", "--port", str(port)]
        program = folder / f"{port}.mjs"
        program.write_text((FOLDER / name).read_text("utf-8").replace("8000", str(port)), "utf-8")
        return ["node", str(program)]

    with listening(command) as url:
        yield url


def shown(url: str, folder: Path, dish: str, answer: str) -> dict[str, object]:
    """Sends the form of the page, and answers its questions. Returns what the page has shown."""
    main = folder / "main.mjs"
    main.write_text((FOLDER / "main.mjs").read_text("utf-8").replace("http://127.0.0.1:8000", url), "utf-8")
    page = ["node", str(Path(__file__).with_name("page.mjs")), str(main), dish, answer]
    done = subprocess.run(page, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, object] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("name", ["browser_server.py", "browser_server.mjs"])
def test_the_page(name: str, built: Path) -> None:
    with serving(name, built) as url:
        assert shown(url, built, "salad", "yes") == {
            "asked": ["Order it?"],
            "shown": "For salad you need tomatoes. \nIt comes at six.\nShopping list: \n",
        }
        assert shown(url, built, "pancakes", "no") == {
            "asked": ["Order it?"],
            "shown": "For pancakes you need eggs. \nThen I order nothing.\nShopping list: eggs\n",
        }

        # What a browser asks before it lets the page send JSON, and looks for in the answer.
        preflight = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
        allowed = httpx.options(url, headers=PAGE | preflight, timeout=60)
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (204, PAGE["origin"])
        assert "content-type" in allowed.headers["access-control-allow-headers"].lower()
        answer = httpx.post(url, json=INPUT, headers=PAGE, timeout=60)
        assert answer.headers["access-control-allow-origin"] == PAGE["origin"]
        elsewhere = httpx.post(url, json=INPUT, headers={"origin": "https://elsewhere.example"}, timeout=60)
        assert "access-control-allow-origin" not in elsewhere.headers
    assert shown(url, built, "salad", "yes") == {"asked": [], "shown": "[TypeError: fetch failed]\n"}  # no server


def test_the_form_has_what_the_program_asks_for() -> None:
    page = (FOLDER / "index.html").read_text("utf-8")
    assert 'src="main.js"' in page
    asked = re.findall(r"\.get\('(\w+)'\)", (FOLDER / "main.mjs").read_text("utf-8"))
    assert asked == re.findall(r'name="(\w+)"', page)
