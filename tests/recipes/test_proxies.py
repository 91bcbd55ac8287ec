"""A real nginx with the configuration of the recipe: events arrive one by one, and heartbeats keep the connection."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from example_files import example
from recipes import EACH, serving
from test_server_examples import running
from websockets.sync.client import connect
from websockets.typing import Origin

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
HERE = Path(__file__).parent
ASKED: dict[str, Any] = {"threadId": "t", "runId": "r", "messages": []}
REQUEST: dict[str, Any] = {"json": ASKED, "verify": False, "timeout": 60}
PROXY = pytest.mark.skipif(
    not (Path(NGINX).exists() and shutil.which("openssl")), reason="nginx and openssl are not installed"
)


@contextmanager
def nginx(agent: str, folder: Path, timeout: str = "2s") -> Iterator[str]:
    """Runs nginx in front of an agent; yields its address. The configuration has the test's port, files and timeout."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    subprocess.run([*made, "-keyout", folder / "k", "-out", folder / "c"], check=True, capture_output=True, timeout=60)
    text = example("examples/recipes/agent.conf").read_text("utf-8")
    for ours, here in {
        "127.0.0.1:8000": agent.removeprefix("http://"),
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/ssl/agents.crt": str(folder / "c"),
        "/etc/ssl/agents.key": str(folder / "k"),
        "proxy_read_timeout 60s": f"proxy_read_timeout {timeout}",
    }.items():
        assert ours in text, ours
        text = text.replace(ours, here)
    places = " ".join(f"{name}_temp_path {folder};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.geteuid() == 0 else ""  # its workers write bodies into the folder
    main = f"{user} daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}} http {{ access_log off; {places} {text} }}"
    (folder / "nginx.conf").write_text(main, "utf-8")
    with started(["-p", str(folder), "-c", str(folder / "nginx.conf")], port, folder):
        yield f"https://127.0.0.1:{port}"


@contextmanager
def started(arguments: list[str], port: int, folder: Path) -> Iterator[None]:
    """Runs nginx in a folder until the block ends, with these arguments; it listens at the port."""
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen([NGINX, *arguments], stderr=said, cwd=folder)
    try:
        until = time.monotonic() + 30
        with socket.socket() as probe:
            while probe.connect_ex(("127.0.0.1", port)) != 0:
                assert process.poll() is None and time.monotonic() < until, (folder / "said").read_text("utf-8")
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(params=["py", "mjs"])
def agent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The agent of the guide about deploying: it writes, works for some seconds, and writes again."""
    monkeypatch.setenv("WORK", "5")
    monkeypatch.setenv("HEARTBEAT", "0.5")
    with running(f"deployed.{request.param}") as url:
        yield url


def events_arrive_one_by_one(url: str) -> None:
    with httpx.stream("POST", f"{url}/agent", **REQUEST) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        pieces = answer.iter_text()
        said = ""
        while "\n: \n" not in said:
            said += next(pieces)  # a heartbeat
        assert "Let me see." in said and "Done." not in said, "nginx has held events back"
        said += "".join(pieces)
    # It took longer than the timeout of nginx.
    assert "Done." in said and "RUN_FINISHED" in said


@PROXY
def test_events_arrive_one_by_one(agent: str, tmp_path: Path) -> None:
    with nginx(agent, tmp_path) as url:
        events_arrive_one_by_one(url)


@contextmanager
def nginx_without_tls(agent: str, folder: Path) -> Iterator[str]:
    """Runs the complete file, by the command that it names; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    text = example("examples/recipes/nginx_local.conf").read_text("utf-8")
    command = text.splitlines()[0].rpartition(": nginx ")[2].split()
    here = {
        "127.0.0.1:8000": agent.removeprefix("http://"),
        "127.0.0.1:8080": f"127.0.0.1:{port}",
        "proxy_read_timeout 60s": "proxy_read_timeout 2s",
    }
    for ours, value in here.items():
        assert ours in text, ours
        text = text.replace(ours, value)
    (folder / "nginx_local.conf").write_text(text, "utf-8")
    with started(command, port, folder):
        yield f"http://127.0.0.1:{port}"


@PROXY
def test_events_arrive_one_by_one_without_tls(agent: str, tmp_path: Path) -> None:
    with nginx_without_tls(agent, tmp_path) as url:
        events_arrive_one_by_one(url)


@PROXY
def test_websockets_of_a_page_without_tls(tmp_path: Path) -> None:
    with ExitStack() as stack:
        url = stack.enter_context(nginx_without_tls(stack.enter_context(running("asgi_server.py")), tmp_path))
        address = url.replace("http:", "ws:") + "/agent"
        connection = stack.enter_context(connect(address, origin=Origin(url), open_timeout=60))
        connection.send(json.dumps(ASKED))
        assert [json.loads(message)["type"] for message in connection][-1] == "RUN_FINISHED"


@PROXY
def test_http_2(agent: str, tmp_path: Path) -> None:
    with nginx(agent, tmp_path) as url:
        command = ["node", str(HERE / "http2_client.mjs"), url, json.dumps(ASKED)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    pieces = json.loads(done.stdout)
    first = next(n for n, piece in enumerate(pieces) if "Let me see." in piece)
    last = next(n for n, piece in enumerate(pieces) if "Done." in piece)
    assert last - first >= 3, "there are heartbeats in between"


@PROXY
def test_websockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORK", "0")
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with ExitStack() as stack:
        url = stack.enter_context(nginx(stack.enter_context(running("deployed.py")), tmp_path))
        address = url.replace("https:", "wss:") + "/agent"
        connection = stack.enter_context(connect(address, ssl=trusting, open_timeout=60))
        connection.send(json.dumps(ASKED))
        assert [json.loads(message)["type"] for message in connection][-1] == "RUN_FINISHED"


@PROXY
def test_without_heartbeats_nginx_cuts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORK", "10")
    monkeypatch.setenv("HEARTBEAT", "30")
    with running("deployed.py") as agent, nginx(agent, tmp_path) as url, pytest.raises(httpx.RemoteProtocolError):
        httpx.post(f"{url}/agent", **REQUEST)


@PROXY
def test_long_requests(tmp_path: Path) -> None:
    sent: dict[str, Any] = {"headers": {"content-type": "application/json"}, "verify": False, "timeout": 60}
    with running("deployed.py") as agent, nginx(agent, tmp_path) as url:
        refused = httpx.post(f"{url}/agent", content=bytes((4 << 20) + 1), **sent)
        assert (refused.status_code, refused.json()["limit"]) == (413, "input_bytes"), "the agent names the limit"
        refused = httpx.post(f"{url}/agent", content=bytes((65 << 20) + 1), **sent)
        assert refused.status_code == 413 and "nginx" in refused.text


@PROXY
def test_a_load_balancer_asks_through_nginx(tmp_path: Path) -> None:
    with serving("healthy_server.py") as agent, nginx(agent, tmp_path) as url:
        assert httpx.get(f"{url}/health", verify=False, timeout=60).status_code == 200
        assert "RUN_FINISHED" in httpx.post(f"{url}/agent", **REQUEST).text


@EACH
def test_a_load_balancer_finds_the_server_well(language: str) -> None:
    with serving(f"healthy_server.{language}") as url:
        well = httpx.get(f"{url}/health", timeout=60)
        assert well.status_code == 200 and "well" in well.text
        assert httpx.get(f"{url}/agent", timeout=60).status_code == 405
        answer = httpx.post(f"{url}/agent", json=ASKED, timeout=60).text
        assert "Hello from behind a load balancer." in answer and "RUN_FINISHED" in answer


def test_lambda() -> None:
    """The function answers in a stand-in for Lambda's runtime."""
    command = ["node", str(HERE / "lambda_runtime.mjs"), str(example("examples/recipes/lambda.mjs"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    head, _, body = done.stdout.partition("\n")
    assert json.loads(head)["statusCode"] == 200 and json.loads(head)["headers"]["content-type"] == "text/event-stream"
    assert body.count('"TEXT_MESSAGE_CONTENT"') == 3 and '"RUN_FINISHED"' in body
