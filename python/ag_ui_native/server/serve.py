"""Runs an agent and ends its run exactly once, whatever happens."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ag_ui_native._exits import Exited, is_failure

if TYPE_CHECKING:
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.server.run import Run

__all__ = ["AgentFunction", "checked", "drive"]

_logger = logging.getLogger("ag_ui_native.server")

AgentFunction: TypeAlias = "Callable[[Run[Any]], Awaitable[object] | object]"
"""A function of a run. Its return value is the run's result. A plain function runs in a thread of its own.

Examples:
    >>> from ag_ui_native.server import AgentFunction, Run, asgi_app
    >>> async def greet(run: Run) -> None:
    ...     await run.write("Hello!")
    >>> agent: AgentFunction = greet
    >>> app = asgi_app(agent)
"""


def checked(agent: AgentFunction) -> AgentFunction:
    """Returns the agent. Raises TypeError for a wrong kind, at the place where the server is made."""
    if not callable(agent):
        raise TypeError(f"agent: expected a function that takes a Run, got {type(agent).__name__}")
    for function in (agent, getattr(agent, "__call__", None)):  # noqa: B004
        if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
            raise TypeError(
                "agent: expected a function that writes to its run, got a generator function; serve the events of a generator with guard"
            )
    return agent


async def drive(
    run: Run[Any],
    agent: AgentFunction,
    outlet: Outlet,
    finish: Callable[[], Awaitable[None]],
    *,
    on_exit: Callable[[BaseException], object] | None = None,
    before: Awaitable[object] | None = None,
) -> None:
    """Runs the agent to its end, and ends the run. ``before`` is awaited before the agent begins; ``finish``, which ends the
    response, once the run has ended.

    An agent that ends its run itself continues after that within ``time_limit``, even if the client disconnects. If
    this coroutine is cancelled, the agent is cancelled, and the run ends as cancelled before the cancellation is
    passed on. ``on_exit`` is called for a SystemExit or KeyboardInterrupt of an agent that was not told to stop,
    before the run ends as failed.
    """
    time_limit = run._settings.time_limit
    loop = asyncio.get_running_loop()
    task = loop.create_task(_call(agent, run, outlet, before))
    is_left = False

    def lose() -> None:
        # An agent that has ended its run needs no client.
        if run.is_running:
            task.cancel()

    def stop(cause: Literal["timed_out", "stopped"]) -> None:
        outlet.decide(cause)
        task.cancel()

    outlet.on_lost = lose
    if outlet.is_lost:
        lose()
    timer = None if time_limit is None else loop.call_later(time_limit, stop, "timed_out")
    try:
        try:
            await _until({task, outlet.ended}, task, stop)
        finally:
            outlet.on_lost = _nothing
            is_left = run.is_running and not task.done()
            _conclude(run, outlet, task, on_exit)
            is_concluded = task.done()
            await finish()
    except asyncio.CancelledError:
        task.cancel()
        raise
    finally:
        if not is_left:
            await _until({task}, task, stop)
            if not is_concluded:
                _conclude(run, outlet, task, on_exit)
        if timer is not None:
            timer.cancel()


async def _until(
    futures: set[asyncio.Future[Any]], task: asyncio.Task[object], stop: Callable[[Literal["stopped"]], None]
) -> None:
    """Waits for one of these. If this is cancelled, it stops the agent's task and waits for it.

    A second cancellation stops waiting for an agent that ignores the first.
    """
    try:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        stop("stopped")
        await asyncio.wait({task})
        raise


def _conclude(
    run: Run[Any], outlet: Outlet, task: asyncio.Task[object], on_exit: Callable[[BaseException], object] | None
) -> None:
    """Reports to core how the agent has ended. Core decides how the run ends."""
    if not task.done() or task.cancelled():
        run._conclude("called_off")
    elif (failure := task.exception()) is None:
        run._conclude("returned", task.result())
    else:
        # An agent that was told to stop ends only itself.
        is_stopped = run.is_running and outlet.is_decided
        if isinstance(failure, Exited) and on_exit is not None and not is_stopped:
            on_exit(_raised(failure))
        run._conclude("raised", _raised(failure))


async def _call(agent: AgentFunction, run: Run[Any], outlet: Outlet, before: Awaitable[object] | None) -> object:
    if before is not None:
        await before
    try:
        if is_async(agent):
            result = agent(run)
        else:
            result = await _in_thread(agent, run, outlet)
        return await result if inspect.isawaitable(result) else result
    except (SystemExit, KeyboardInterrupt) as failure:
        if is_failure(failure):
            raise Exited from failure
        # The event loop ends after this: it is the last chance to end the run.
        run._conclude("called_off")
        outlet.push()
        raise


def _raised(failure: BaseException) -> BaseException:
    """Returns the exception that the agent itself has raised."""
    return failure.__cause__ or failure if isinstance(failure, Exited) else failure


def is_async(agent: AgentFunction) -> bool:
    """True if calling the agent returns an awaitable."""
    return inspect.iscoroutinefunction(agent) or inspect.iscoroutinefunction(getattr(agent, "__call__", None))  # noqa: B004


async def _in_thread(agent: AgentFunction, run: Run[Any], outlet: Outlet) -> object:
    """Runs a plain function in a thread of its own, and returns its result."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[tuple[object, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def set_result(result: object, error: BaseException | None) -> None:
        if not ended.done():
            ended.set_result((result, error))

    def work() -> None:
        result: object = None
        failure: BaseException | None = None
        try:
            result = context.run(agent, run)
        except (SystemExit, KeyboardInterrupt) as error:
            # This is not Ctrl-C: that is raised in the main thread.
            failure = Exited()
            failure.__cause__ = error
        except BaseException as error:  # noqa: BLE001 Raised again for the waiting task.
            failure = error
        try:
            loop.call_soon_threadsafe(set_result, result, failure)
        except RuntimeError:
            _logger.debug("the agent returned after its event loop was closed: its result is not sent")

    threading.Thread(target=work, name=f"run {run.run_id!r}", daemon=True).start()
    cancelled = False
    try:
        await asyncio.shield(ended)
    except asyncio.CancelledError:
        cancelled = True
        outlet.cancel_threads()
        await asyncio.shield(ended)
    result, error = ended.result()
    if error is not None:
        raise error
    if cancelled:
        raise asyncio.CancelledError
    return result


def _nothing() -> None:
    """Does nothing: the agent has ended."""
