"""The wheel and the sdist in dist/, installed offline into empty environments and used from outside the project."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from environments import CLEAN, DIST, ROOT, download, environment, interpreter, run

SMOKE = """
import ag_ui_native, ag_ui_native.core as core
from ag_ui_native.encoder import EventEncoder
assert ag_ui_native.__file__.startswith({home!r}), ag_ui_native.__file__
print(EventEncoder().encode(core.StepStartedEvent(step_name="x")).strip())
"""


def only(pattern: str) -> Path:
    (found,) = DIST.glob(pattern)
    return found


@contextmanager
def served(python: Path, program: str, cwd: Path) -> Iterator[str]:
    """The URL of an example that serves, while it does."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([python, program], cwd=cwd, env={**CLEAN, "PORT": str(port)}) as server:
        try:
            until = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    assert server.poll() is None and time.monotonic() < until, f"{program} does not serve"
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.kill()


def use(python: Path, home: Path) -> None:
    """Does the first steps of a user: the classes, a program under `install()`, and a server with its client."""
    assert run(python, "-c", SMOKE.format(home=str(home)), cwd=home) == 'data: {"type":"STEP_STARTED","stepName":"x"}\n'
    said = run(python, "-m", "ag_ui_native.run", "-c", "import ag_ui.core; print(ag_ui.__name__)", cwd=home)
    assert said == "ag_ui_native\n"
    for name in ("servers/asgi_server.py", "clients/chat_client.py"):
        shutil.copy(ROOT / "examples" / name, home)
    with served(python, "asgi_server.py", home) as url:
        done = subprocess.run(
            [python, "chat_client.py"],
            cwd=home,
            env={**CLEAN, "URL": url},
            input="Hi\n",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stdout) == (0, "> Hello from Python.\n> "), done.stderr


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_wheel(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no CPython {version} here")
    wheel = only("*.whl")
    download(python, tmp_path / "wheels", f"{wheel}[all]", "uvicorn")
    plain = environment(python, tmp_path / "plain", tmp_path / "wheels", "ag-ui-native")
    assert "httpx" not in run(plain, "-m", "pip", "list", "--disable-pip-version-check")
    run(plain, "-c", SMOKE.format(home=str(tmp_path)), cwd=tmp_path)
    use(environment(python, tmp_path / "all", tmp_path / "wheels", "ag-ui-native[all]", "uvicorn"), tmp_path)


def test_the_sdist_builds_with_rust_and_pip(tmp_path: Path) -> None:
    python = interpreter("3.11")
    assert python, "no CPython 3.11 here"
    sdist = only("*.tar.gz")
    (maturin,) = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    download(python, tmp_path / "wheels", f"{only('*.whl')}[client]", "uvicorn", maturin)
    (tmp_path / "wheels" / only("*.whl").name).unlink()
    wanted = f"ag-ui-native[client] @ {sdist.as_uri()}"
    use(environment(python, tmp_path / "venv", tmp_path / "wheels", wanted, "uvicorn"), tmp_path)
