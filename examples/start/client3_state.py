from contextlib import suppress

from ag_ui_native.client import SyncHttpAgent

with suppress(KeyboardInterrupt), SyncHttpAgent("http://127.0.0.1:8000/") as agent:  # Ctrl-C
    while dish := input("What shall we cook? "):
        with agent.ask_stream(dish) as answer:
            for text in answer:
                print(text, end="", flush=True)
        print()
        print("Shopping list:", ", ".join(agent.state["shopping"]))  # New
