"""One address for several web processes: each connection goes to the next one that listens. `python address.py PORT BEHIND...`"""

import asyncio
import sys
from contextlib import closing, suppress
from itertools import cycle


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copies bytes until one of the two connections ends."""
    with closing(writer), suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()


async def serve(port: int, behind: list[int]) -> None:
    """Listens at `port`, for the processes that listen at `behind`."""
    turns = cycle(behind)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in behind:
            with suppress(OSError):
                there, to = await asyncio.open_connection("127.0.0.1", next(turns))
                await asyncio.gather(copy(reader, to), copy(there, writer))
                return
        writer.close()

    server = await asyncio.start_server(connect, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    first, *rest = map(int, sys.argv[1:])
    asyncio.run(serve(first, rest))
