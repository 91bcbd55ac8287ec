"""Two web processes behind one address, and clients that come and go: `python examples/durable/run.py`

First with servers in Python and clients in Node, then the other way round. The log is a file of SQLite, or the Redis at
REDIS_URL. Exits with 0 if nothing was lost.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

HERE = Path(__file__).parent
COMMANDS = {"py": [sys.executable], "mjs": ["node"]}
FIVE = "] 1 2 3 4 5"
TWENTY = FIVE + "".join(f" {number}" for number in range(6, 21))


def start(language: str, name: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    command = [*COMMANDS[language], str(HERE / f"{name}.{language}"), *arguments]
    return subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True)


def listen(stack: ExitStack, language: str, name: str, *arguments: str, **environment: str) -> tuple[int, int]:
    """Starts a process that listens. Returns its port and its id."""
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    given = [str(port), *arguments] if arguments else []
    process = stack.enter_context(start(language, name, *given, PORT=str(port), **environment))
    stack.callback(process.kill)
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return port, process.pid
        time.sleep(0.05)
    raise SystemExit(f"{name}.{language} ended with {process.returncode}")


def said(client: subprocess.Popen[str], until: str = "\n") -> str:
    """Reads what a client prints, until it has printed a text or ends."""
    text = ""
    assert client.stdout
    while until not in text and (letter := client.stdout.read(1)):
        text += letter
    return text.rstrip("\n")


def story(servers: str, clients: str) -> bool:
    """Returns true if the first run came whole, and the second one had an end, behind which the thread was free."""
    print(f"Servers: server.{servers}, clients: client.{clients}")
    with TemporaryDirectory() as folder, ExitStack() as stack:
        runs = str(Path(folder, "runs.db"))
        processes = [listen(stack, servers, "server", RUNS=runs) for _ in range(2)]
        address, _ = listen(stack, "py", "address", *(str(port) for port, _ in processes))
        url, first, second = f"http://127.0.0.1:{address}/", uuid4().hex, uuid4().hex
        client = stack.enter_context(start(clients, "client", first, URL=url))
        print("   a client reads:", said(client, FIVE))
        client.kill()
        client = stack.enter_context(start(clients, "client", first, URL=url))
        print("     it is killed; it comes back:", whole := said(client))

        client = stack.enter_context(start(clients, "client", second, URL=url))
        print("   another reads:", begun := said(client, FIVE))
        executing = int(re.findall(r"process (\d+)", begun)[0])
        os.kill(executing, signal.SIGKILL)
        print("     the web process is killed; it reads on:", lost := said(client))
        client = stack.enter_context(start(clients, "client", second, URL=url))
        print("     it comes back, and asks the other one:", again := said(client))
        return TWENTY in whole and "producer_lost" in lost and TWENTY in again


if __name__ == "__main__":
    survived = [story("py", "mjs"), story("mjs", "py")]
    sys.exit(0 if all(survived) else 1)
