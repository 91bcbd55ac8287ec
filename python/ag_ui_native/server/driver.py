"""Runs an agent, and ends its run whatever happens: exactly once."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ag_ui_native._ends import Exited, is_failure
from ag_ui_native.run_writer import AgentSteps
from ag_ui_native.server import errors

if TYPE_CHECKING:
    from ag_ui_native.server.outlet import Outlet
    from ag_ui_native.server.run import Run

__all__ = ["Agent", "checked", "drive"]

_logger = logging.getLogger("ag_ui_native.server")

Agent: TypeAlias = "Callable[[Run[Any]], Awaitable[object] | object]"
"""A function of a run. What it returns is the run's result; a plain function runs in a thread of its own."""


def checked(agent: Agent) -> Agent:
    """The agent. Raises TypeError for what can be none, so that it is said where the server is made."""
    if not callable(agent):
        raise TypeError(f"an agent is a function of a run, not {type(agent).__name__}")
    for function in (agent, getattr(agent, "__call__", None)):  # noqa: B004
        if inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
            raise TypeError("an agent writes to its run: a function that yields is none")
    return agent


async def drive(
    run: Run[Any],
    agent: Agent,
    outlet: Outlet,
    finish: Callable[[bool], Awaitable[None]],
    *,
    on_exit: Callable[[BaseException], object] | None = None,
) -> None:
    """Runs the agent to its end, and ends the run. ``finish``, which ends the answer, is awaited once the run has ended: it is told whether
    that was stopped.

    An agent that ends its run itself goes on beside that, whether the client listens or not, within the time that it has.
    Where this is cancelled, the agent is, and the run ends as cancelled before the cancellation goes on. ``on_exit`` hears of
    SystemExit and KeyboardInterrupt of the agent before the run ends as failed.
    """
    time_limit = run._settings.time_limit
    loop = asyncio.get_running_loop()
    task = loop.create_task(_call(agent, run, outlet))
    timed_out = is_left = is_stopped = False

    def lose() -> None:
        # Whoever has ended the run needs nobody to listen.
        if run.is_running:
            task.cancel()

    def expire() -> None:
        nonlocal timed_out
        timed_out = True
        task.cancel()

    outlet.on_lost = lose
    if outlet.is_lost:
        lose()
    timer = None if time_limit is None else loop.call_later(time_limit, expire)
    try:
        try:
            await _until({task, outlet.ended}, task)
        except asyncio.CancelledError:
            is_stopped = True
            raise
        finally:
            outlet.on_lost = _nothing
            is_left = run.is_running and not task.done()
            _conclude(run, task, timed_out, on_exit)
            is_concluded = task.done()
            await finish(timed_out or is_stopped)
    except asyncio.CancelledError:
        task.cancel()
        raise
    finally:
        if not is_left:
            await _until({task}, task)
            if not is_concluded:
                _conclude(run, task, timed_out, on_exit)
        if timer is not None:
            timer.cancel()


async def _until(futures: set[asyncio.Future[Any]], task: asyncio.Task[object]) -> None:
    """Waits for one of these. Where this is cancelled, the agent's task is, and waited for.

    A second cancellation leaves an agent alone that does not care about the first.
    """
    try:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise


def _conclude(
    run: Run[Any],
    task: asyncio.Task[object],
    timed_out: bool,
    on_exit: Callable[[BaseException], object] | None,
) -> None:
    """Ends the run as its agent has, unless it has ended."""
    if not task.done():
        conclude_cancelled(run)
    elif timed_out and run.is_running:
        _log_failure(task)
        conclude_error(run, errors.RUN_TIMEOUT, "run_timeout")
    elif task.cancelled():
        conclude_cancelled(run)
    elif (failure := task.exception()) is not None:
        if isinstance(failure, Exited) and on_exit is not None:
            on_exit(_raised(failure))
        conclude_failure(run, _raised(failure))
    else:
        conclude_success(run, task.result())


async def _call(agent: Agent, run: Run[Any], outlet: Outlet) -> object:
    try:
        if is_async(agent):
            result = agent(run)
        else:
            result = await _in_thread(agent, run, outlet)
        return await AgentSteps(outlet, result) if inspect.isawaitable(result) else result
    except (SystemExit, KeyboardInterrupt) as failure:
        if is_failure(failure):
            raise Exited from failure
        # The event loop ends here, and nobody else may end the run.
        conclude_cancelled(run)
        outlet.push()
        raise


def _raised(failure: BaseException) -> BaseException:
    """What the agent itself has raised."""
    return failure.__cause__ or failure if isinstance(failure, Exited) else failure


def is_async(agent: Agent) -> bool:
    """Whether calling it makes something to await."""
    return inspect.iscoroutinefunction(agent) or inspect.iscoroutinefunction(getattr(agent, "__call__", None))  # noqa: B004


async def _in_thread(agent: Agent, run: Run[Any], outlet: Outlet) -> object:
    """What a plain function returns that runs in a thread of its own."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[tuple[object, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def tell(result: object, error: BaseException | None) -> None:
        if not ended.done():
            ended.set_result((result, error))

    def work() -> None:
        result: object = None
        failure: BaseException | None = None
        try:
            result = context.run(agent, run)
        except (SystemExit, KeyboardInterrupt) as error:
            # No Ctrl-C: that is raised in the main thread.
            failure = Exited()
            failure.__cause__ = error
        except BaseException as error:  # noqa: BLE001 It is raised where the thread is waited for.
            failure = error
        try:
            loop.call_soon_threadsafe(tell, result, failure)
        except RuntimeError:
            _logger.debug("the agent has outlived its event loop")

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


def conclude_success(run: Run[Any], result: object) -> None:
    """The agent has returned."""
    if not run.is_running:
        if result is not None:
            _logger.warning("the agent returned a value after it had ended its run itself: the value is lost")
        return
    try:
        run._end("success", result)
    except Exception as error:  # noqa: BLE001 The run has to end.
        conclude_failure(run, error)


def conclude_cancelled(run: Run[Any]) -> None:
    """The agent was cancelled."""
    if run.is_running:
        _flush_at_failure(run)
        run._outlet.end_run("cancelled")


def conclude_failure(run: Run[Any], failure: BaseException) -> None:
    """The agent has raised."""
    _logger.error("the agent failed", exc_info=failure)
    run._failure = run._failure or failure
    conclude_error(run, run._failure_message(failure), "agent_failed")


def conclude_error(run: Run[Any], message: str, code: str) -> None:
    """The run ends with an error, if it has not ended."""
    if run.is_running:
        _flush_at_failure(run)
        run._outlet.end_run("error", message, code)


def _flush_at_failure(run: Run[Any]) -> None:
    """What the client knows of the state is to be true, but a state that cannot be sent is no reason not to end."""
    try:
        run._state.flush_before_end()
    except Exception as error:
        _logger.error("the state could not be sent", exc_info=error)


def _log_failure(task: asyncio.Task[object]) -> None:
    if not task.cancelled() and (failure := task.exception()) is not None:
        _logger.error("the agent failed when it was cancelled", exc_info=_raised(failure))


def _nothing() -> None:
    """The agent has ended."""
