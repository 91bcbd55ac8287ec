"""The conversation of a client's agent between runs: messages, state, pending interrupts and subscribers."""

from __future__ import annotations

import copy
import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, cast

from typing_extensions import TypeVar

from ag_ui_native import _native
from ag_ui_native._option_reader import items_of, within
from ag_ui_native.client import rules
from ag_ui_native.client.callbacks import UNSET
from ag_ui_native.client.middleware import check_middleware
from ag_ui_native.client.notification_queue import NotificationQueue
from ag_ui_native.client.options import AgentOptions, AgentSettings, check_names
from ag_ui_native.client.resume import resume_of
from ag_ui_native.client.state import StateModel, is_model, plain_of
from ag_ui_native.client.subscriber import callbacks_of, check_subscriber
from ag_ui_native.client.tools import FrontendTool, tool_of
from ag_ui_native.errors import AGUIValidationError
from ag_ui_native.ids import get_default_generator
from ag_ui_native.pipeline.reducer import Reducer
from ag_ui_native.stream import decode_event

if TYPE_CHECKING:
    from ag_ui_native.client.chat import Content
    from ag_ui_native.client.loop import RunLoop
    from ag_ui_native.client.middleware import Middleware
    from ag_ui_native.client.resume import Answers
    from ag_ui_native.client.scope.cancel_scope import CancelScope
    from ag_ui_native.client.subscriber import AgentSubscriber
    from ag_ui_native.core import Interrupt, Message, ResumeEntry

__all__ = ["Conversation", "Subscription"]

StateT = TypeVar("StateT", default=Any)
FunctionT = TypeVar("FunctionT", bound="Callable[..., object]")

_starting = threading.Lock()
"""Guards the start of runs: two threads may start one of the same agent at the same time."""


class Live(Protocol):
    """The reducer or pipeline that holds the conversation during a run."""

    @property
    def messages(self) -> list[Any]: ...
    @property
    def state(self) -> Any: ...
    @property
    def pending_interrupts(self) -> list[Any]: ...


class Conversation(Generic[StateT]):
    """The part that asynchronous and blocking agents share."""

    _option_names: ClassVar[Collection[str]] = AgentOptions.__annotations__

    def __init__(self, state: StateT | None, options: AgentOptions) -> None:
        # An agent loads the classes of events before its first run.
        import ag_ui_native.core  # noqa: F401

        given: dict[str, Any] = dict(options)
        check_names(given)
        chosen = {name: given.pop(name) for name in AgentSettings.__slots__ if name in given}
        self._settings: AgentSettings = AgentSettings(**chosen)
        """The settings."""
        self.thread_id: str = given.pop("thread_id", None) or get_default_generator().thread_id()
        """The conversation's id."""
        self.agent_id: str = given.pop("agent_id", None) or f"agent-{uuid.uuid4()}"
        """The agent's name."""
        self.description: str = given.pop("description", "")
        """The purpose of the agent."""
        self.parent_run_id: str | None = None
        """The run that the next runs branch from; None for the last one."""
        self.subscribers: list[AgentSubscriber[Any]] = items_of(
            "subscribers", given.pop("subscribers", ()), check_subscriber
        )
        self._middleware: list[Any] = items_of("middleware", given.pop("middleware", ()), check_middleware)
        tools = items_of("tools", given.pop("tools", ()), tool_of)
        self.tools: dict[str, FrontendTool] = {tool.name: tool for tool in tools}
        """The functions that the agent may call, by name."""
        for tool in tools:
            self._check_functions(tool.function)
        for subscriber in self.subscribers:
            self._check_functions(*callbacks_of(subscriber))
        self._check_functions(*self._middleware)
        self._messages: list[Message] = items_of("messages", given.pop("messages", ()), self._copied_message)
        self._model: StateModel | None = None
        self._state: Any = {} if state is UNSET else self._copied_state(state)
        self._pending: list[Interrupt] = items_of(
            "pending_interrupts", given.pop("pending_interrupts", ()), self._copied_interrupt
        )
        self._live: Live | None = None
        self._runs: rules.Runs = rules.Runs()
        """The machine of the last call."""
        self._queue: NotificationQueue = NotificationQueue()
        """Orders the notifications of subscribers."""
        self._running: CancelScope | None = None
        self._leaving: RunLoop | None = None
        """The abandoned run until it is closed; the next run waits for it."""
        for unknown in given:
            names = ", ".join(["state", *self._option_names])
            raise TypeError(f"{type(self).__name__} has no option {unknown!r}: use one of {names}")

    # The contents of the conversation.

    @property
    def messages(self) -> list[Message]:
        """The messages. During a run they are live objects, which grow. Items that the application adds to the list
        are validated strictly when the next run begins: a dictionary becomes a message, or the run is refused.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.core import UserMessage
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent(["Hello!"]))
            >>> agent.messages.append(UserMessage(id="m1", content="Hi"))
            >>> result = agent.run_agent()
            >>> [message.content for message in agent.messages]
            ['Hi', 'Hello!']
        """
        return self._messages if self._live is None else self._live.messages

    @property
    def state(self) -> StateT:
        """The state, as the agent has set it.

        If the application has given a pydantic model or a dataclass, the state is an instance of that class. It is
        validated when it is read, and raises AGUIValidationError if the agent's state does not fit. Between runs it
        is one object, which the next run sends in its current form. During a run, plain values are live, and a
        model is a new copy each time.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.server import Run
            >>> async def count(run: Run) -> None:
            ...     run.state["count"] += 1
            >>> agent = SyncLocalAgent(count, state={"count": 1})
            >>> result = agent.run_agent()
            >>> agent.state
            {'count': 2}
        """
        if self._model is None:
            return cast(StateT, self._plain_state)
        if self._live is not None:
            return cast(StateT, self._model.read(self._live.state))
        if not isinstance(self._state, self._model.cls):
            self._state = self._model.read(self._state)
        return cast(StateT, self._state)

    @property
    def _plain_state(self) -> Any:
        """The state in plain values, as it is sent."""
        state = self._state if self._live is None else self._live.state
        return state if self._model is None or not isinstance(state, self._model.cls) else plain_of(state)

    @property
    def pending_interrupts(self) -> list[Interrupt]:
        """The interrupts that wait for an answer. The next run must answer them by `resume`.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.server import Run
            >>> async def ask(run: Run) -> None:
            ...     await run.interrupt({"id": "i1", "reason": "confirmation", "message": "Send the mail?"})
            >>> agent = SyncLocalAgent(ask)
            >>> result = agent.run_agent()
            >>> [interrupt.message for interrupt in agent.pending_interrupts]
            ['Send the mail?']
        """
        return self._pending

    @property
    def is_running(self) -> bool:
        """True while a run is active.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent([]))
            >>> [agent.is_running for event in agent.run()], agent.is_running
            ([True, True], False)
        """
        return self._running is not None

    # Changes by the application.

    def add_message(self, message: Message | Mapping[str, Any]) -> None:
        """Appends a copy of a message, which the next run sends. Raises AGUIValidationError for an invalid message.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.core import SystemMessage
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent([]))
            >>> agent.add_message(SystemMessage(id="m1", content="Answer in one sentence."))
            >>> agent.messages[0].role
            'system'
        """
        self.add_messages([message])

    def add_messages(self, messages: Iterable[Message | Mapping[str, Any]]) -> None:
        """Appends copies of messages, which the next run sends. Raises AGUIValidationError for an invalid message."""
        added = items_of("messages", messages, self._copied_message, "parameter")
        self.messages.extend(added)
        self._notify(added, messages=True)

    def set_messages(self, messages: Iterable[Message | Mapping[str, Any]]) -> None:
        """Replaces all messages by copies of these. Raises AGUIConnectionError `agent_busy` during a run.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent([]))
            >>> agent.add_messages([{"id": "m1", "role": "user", "content": "Hi"}])
            >>> agent.set_messages([])
            >>> agent.messages
            []
        """
        made = items_of("messages", messages, self._copied_message, "parameter")
        self._check_idle()
        self._messages = made
        self._notify([], messages=True)

    def set_state(self, state: StateT) -> None:
        """Replaces the state by a copy: plain values, or a model, into which later states are parsed.

        Raises AGUIConnectionError `agent_busy` during a run, AGUIValidationError for a value without a JSON form.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent([]))
            >>> agent.set_state({"tasks": []})
            >>> agent.state
            {'tasks': []}
        """
        self._check_idle()
        self._state = self._copied_state(state)
        self._notify([], state=True)

    def subscribe(self, subscriber: AgentSubscriber[Any]) -> Subscription:
        """Adds a subscriber to the runs that begin from now on."""
        self._check_functions(*callbacks_of(check_subscriber(subscriber)))
        self.subscribers.append(subscriber)
        return Subscription(self.subscribers, subscriber)

    def use(self, *middleware: Middleware) -> Self:
        """Adds middleware inside the existing middleware: the first is the outermost.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent, ToolCallFilter
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent(["Hello!"])).use(ToolCallFilter(deny=["delete_mail"]))
            >>> agent.ask("Hi").text
            'Hello!'
        """
        made = list(map(check_middleware, middleware))
        self._check_functions(*made)
        self._middleware.extend(made)
        return self

    def tool(self, function: FunctionT, /, *, name: str | None = None, description: str | None = None) -> FunctionT:
        """Registers a function that the agent may call, and returns it unchanged, so it works as a decorator. See FrontendTool.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent([]))
            >>> @agent.tool
            ... def temperature(city: str) -> int:
            ...     '''Tells the temperature of a city.'''
            ...     return 21
            >>> agent.tools["temperature"].declaration.description
            'Tells the temperature of a city.'
        """
        tool = (
            function
            if isinstance(function, FrontendTool)
            else FrontendTool(function, name=name, description=description)
        )
        self._check_functions(tool.function)
        self.tools[tool.name] = tool
        return function

    def _check_functions(self, *functions: object) -> None:
        """Raises TypeError for functions of the application that this kind of agent cannot call."""

    def build_resume(self, answers: Answers) -> list[ResumeEntry]:
        """Makes the parameter `resume` from answers to all pending interrupts: by their ids, payloads or results of
        `approve`, `edit`, `reject`, `respond` and `cancel`.

        Raises AGUISequenceError if an interrupt has no answer (rule L01) or has expired (L02), AGUIValidationError
        `unknown_interrupt`.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent, approve
            >>> from ag_ui_native.server import Run
            >>> async def ask(run: Run) -> None:
            ...     answer = run.answer("i1")
            ...     if answer is None:
            ...         await run.interrupt({"id": "i1", "reason": "confirmation"})
            ...     else:
            ...         await run.write(f"The answer: {answer.payload}")
            >>> agent = SyncLocalAgent(ask)
            >>> agent.run_agent().outcome
            'interrupt'
            >>> agent.run_agent(resume=agent.build_resume({"i1": approve()})).text
            "The answer: {'approved': True}"
        """
        return resume_of(self._pending, answers)

    def abort_run(self) -> None:
        """Aborts the current run, from any task or thread: its outcome is `aborted`, and its connection is closed.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent(["Hello!"]))
            >>> stream = agent.run()
            >>> for event in stream:
            ...     agent.abort_run()
            >>> stream.result.outcome
            'aborted'
        """
        running = self._running
        if running is not None:
            running.abort()

    def clone(self) -> Self:
        """Returns another agent with copies of the conversation and the same connection, but without the current run.

        Examples:
            >>> from ag_ui_native.client import SyncLocalAgent
            >>> from ag_ui_native.testing import scripted_agent
            >>> agent = SyncLocalAgent(scripted_agent(["Hello!"]))
            >>> twin = agent.clone()
            >>> twin.ask("Hi").text, len(twin.messages), len(agent.messages)
            ('Hello!', 2, 0)
        """
        twin = copy.copy(self)
        twin._messages = copy.deepcopy(self.messages)
        twin._state = copy.deepcopy(self._plain_state)
        twin._pending = copy.deepcopy(self._pending)
        twin.subscribers, twin._middleware, twin.tools = (
            list(self.subscribers),
            list(self._middleware),
            dict(self.tools),
        )
        twin._runs = copy.copy(self._runs)
        twin._queue = NotificationQueue()
        twin._live = twin._running = twin._leaving = None
        return twin

    # Used by runs.

    def _start(self, scope: CancelScope) -> None:
        """Marks the beginning of a run. Raises AGUIConnectionError `agent_busy` during another one."""
        with _starting:
            self._check_idle()
            self._running = scope

    def _read_messages(self) -> list[Message]:
        """Reads the items that the application has added to the list itself, such as dictionaries, as `add_message`
        reads them. Returns the messages.

        Raises AGUIValidationError with the place of the item in the input; then nothing has changed.
        """
        messages = self.messages
        given = [place for place, message in enumerate(messages) if not hasattr(message, "id")]
        made = []
        for place in given:
            try:
                made.append(self._copied_message(messages[place]))
            except AGUIValidationError as error:
                raise within(f"/messages/{place}", error) from error
        for place, message in zip(given, made, strict=True):
            messages[place] = message
        return messages

    def _new_messages(self, known: Collection[str]) -> list[Message]:
        """Returns the messages whose ids are not among these."""
        return [message for message in self.messages if hasattr(message, "id") and message.id not in known]

    def _user_message(self, content: Content) -> Message:
        """Makes the user's message. Raises AGUIValidationError, with its place in the input."""
        said = list(content) if isinstance(content, Iterable) and not isinstance(content, (str, Mapping)) else content
        members = {"id": get_default_generator().message_id(), "role": "user", "content": said}
        try:
            return self._copied_message(members)
        except AGUIValidationError as error:
            raise within(f"/messages/{len(self.messages)}", error) from error

    def _append_message(self, message: Message) -> None:
        """Appends a tool's answer or a message of the user."""
        self._messages.append(message)

    def _remove_message(self, message: Message, place: int) -> None:
        """Removes a message that no run has used. It is found by its id, because a run has copies of the messages."""
        messages = self._messages
        if place < len(messages) and messages[place].id == message.id:
            self._messages = messages[:place] + messages[place + 1 :]

    def _begin_run(self, live: Live) -> None:
        """Reads messages and state from the reducer or pipeline of the current run."""
        self._live = live

    def _end_run(self) -> None:
        """Keeps the messages and the state of the run that has ended."""
        live, self._live = self._live, None
        if live is not None:
            self._messages, self._state = live.messages, live.state

    def _keep_interrupts(self) -> None:
        """Takes over the pending interrupts of the current run."""
        if self._live is not None:
            self._pending = list(self._live.pending_interrupts)

    def _replace(self, messages: Iterable[Message | Mapping[str, Any]] | None, state: Any) -> None:
        """Replaces messages (unless None) and state (unless UNSET) as a subscriber asks. Replaces neither if one is invalid."""
        made = None if messages is None else items_of("messages", messages, self._copied_message, "parameter")
        live = self._live if isinstance(self._live, Reducer) else None
        if state is not UNSET and live is not None:
            live.replace_state(self._copied_state(state) if is_model(state) else state)
        elif state is not UNSET:
            self._state = self._copied_state(state)
        if made is not None and live is not None:
            live.replace_messages(made)
        elif made is not None:
            self._messages = made

    def _check_idle(self) -> None:
        """Raises AGUIConnectionError `agent_busy` during a run."""
        if self._running is not None:
            raise rules.client_error("agent_busy")

    def _copied_state(self, state: Any) -> Any:
        """Copies a state to plain values. If it is a model, later states are parsed into its class."""
        made = plain_of(state)
        if is_model(state):
            self._model = StateModel(type(state))
        return made

    def _copied_message(self, given: Message | Mapping[str, Any]) -> Message:
        """Copies a message, validated strictly because it will be sent. Raises AGUIValidationError."""
        return rules.read_message(json_of(given), self._settings.limits)

    def _copied_interrupt(self, given: Interrupt | Mapping[str, Any]) -> Interrupt:
        """Copies an interrupt. Raises AGUIValidationError if it is invalid."""
        return cast("Interrupt", decode_event(json_of(given), type_name="Interrupt", limits=self._settings.limits))

    def _notify(self, added: list[Message], *, messages: bool = False, state: bool = False) -> None:
        """Notifies subscribers of changes by the application."""
        # Abstract: an agent on asyncio notifies in a task, a blocking one at once.
        raise NotImplementedError


class Subscription:
    """A subscription, which `unsubscribe` ends.

    Examples:
        >>> from ag_ui_native.client import AgentSubscriber, SyncLocalAgent
        >>> from ag_ui_native.testing import scripted_agent
        >>> agent = SyncLocalAgent(scripted_agent(["Hello!"]))
        >>> subscription = agent.subscribe(AgentSubscriber())
        >>> subscription.unsubscribe()
        >>> agent.subscribers
        []
    """

    def __init__(self, subscribers: list[AgentSubscriber[Any]], subscriber: AgentSubscriber[Any]) -> None:
        self._subscribers = subscribers
        self._subscriber = subscriber

    def unsubscribe(self) -> None:
        """Removes the subscriber from later runs."""
        for place, known in enumerate(self._subscribers):
            if known is self._subscriber:
                del self._subscribers[place]
                return


def json_of(given: object) -> str:
    """Returns the JSON text of a model or mapping. Raises AGUIValidationError if it has none."""
    return _native.json_text(dict(given) if isinstance(given, Mapping) else given)
