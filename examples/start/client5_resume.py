from contextlib import suppress

from ag_ui_native.client import SyncHttpAgent, approve, reject
from ag_ui_native.core import EventType  # New


def decide(agent: SyncHttpAgent) -> None:
    while agent.pending_interrupts:
        question = agent.pending_interrupts[0]
        agrees = input(f"{question.message} [y/n] ") == "y"
        resume = agent.build_resume({question.id: approve() if agrees else reject()})
        print(agent.run_agent(resume=resume).text)


with suppress(KeyboardInterrupt), SyncHttpAgent("http://127.0.0.1:8000/", thread_id="kitchen") as agent:  # New: a name
    # New: gets the conversation from the server, and reads on where a run still goes on.
    with agent.connect() as unread:
        for event in unread:
            if event.type == EventType.TEXT_MESSAGE_CONTENT:
                print(event.delta, end="", flush=True)
    decide(agent)

    while dish := input("What shall we cook? "):
        with agent.ask_stream(dish) as answer:
            for text in answer:
                print(text, end="", flush=True)
        print()
        decide(agent)
        print("Shopping list:", ", ".join(agent.state["shopping"]))
