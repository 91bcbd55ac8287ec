"""A chat in the terminal, with any agent that speaks AG-UI.

URL=http://127.0.0.1:8000/ python chat_client.py
"""

import asyncio
import os

from ag_ui_native import AGUIError
from ag_ui_native.client import HttpAgent

URL = os.environ.get("URL", "http://127.0.0.1:8000/")


async def main() -> None:
    async with HttpAgent(URL) as agent:
        while True:
            try:
                said = await asyncio.to_thread(input, "> ")
            except EOFError:
                return
            try:
                async with agent.ask_stream(said) as answer:
                    async for text in answer:
                        print(text, end="", flush=True)
                failed = answer.result.error
                print(f"[{failed.message}]" if failed else "")
            except AGUIError as error:
                print(f"[{error}]")  # what came before it is in the conversation


if __name__ == "__main__":
    asyncio.run(main())
