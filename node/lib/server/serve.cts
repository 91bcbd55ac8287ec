import { describedError } from '../errors/errors.cjs';
import { EndCause } from '../generated/border.cjs';
import { after, later } from '../runtime/timers.cjs';
import type { ServerSettings } from './options.cjs';
import type { Sink } from './outlet.cjs';
import type { Asked } from './request_body.cjs';
import { type AgentFunction, Run } from './run.cjs';
import { refuseGenerator } from './scope.cjs';
import { Session } from './session.cjs';
import { whenAborted } from './shutdown.cjs';

/** Begins a run on a sink. */
export function begin(asked: Asked, sink: Sink, settings: ServerSettings): Session {
  const session = new Session(asked.run, sink, asked, settings);
  session.start();
  session.outlet.keepAlive(settings.heartbeat);
  return session;
}

/**
 * Runs the agent, and ends its run exactly once, whatever happens. The promise resolves when the agent has ended. If the agent was
 * told to stop, it resolves in the next turn, because the agent may never end.
 */
export async function answer<S>(agent: AgentFunction<S>, session: Session): Promise<void> {
  const { settings } = session;
  if (settings.signal?.aborted) return session.over(EndCause.Stopped);
  const cancel = () => session.stop(EndCause.Stopped, settings.signal?.reason);
  const late = () => session.stop(EndCause.TimedOut, describedError('run_timeout'));
  const timer = after(settings.timeLimit, late);
  const forget = whenAborted(settings.signal, cancel);
  await new Promise<void>((resolve) => {
    // The agent may clean up, but that is not awaited.
    session.signal.addEventListener('abort', () => later(resolve), { once: true });
    void conduct(agent, session).then(resolve);
  });
  clearTimeout(timer);
  // If the server shuts down, the signal closes the connection of a client that has not read the end by then.
  session.outlet.whenOver(forget);
}

/** Runs the agent and reports how it has ended. The promise is never rejected. */
async function conduct<S>(agent: AgentFunction<S>, session: Session): Promise<void> {
  try {
    const result: unknown = await agent(new Run<S>(session));
    refuseGenerator(result);
    session.returned(result);
  } catch (error) {
    const { aborted, reason } = session.signal;
    if (aborted && error === reason) session.over(EndCause.CalledOff);
    else session.raised(error);
  }
  session.leave();
}
