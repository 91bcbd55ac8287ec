import { describedError, errorFrom } from '../errors/errors.cjs';
import { EndCause } from '../generated/border.cjs';
import type { Command, Recorder } from '../native/durable.cjs';
import { report } from '../errors/failure.cjs';
import type { FrameBuffer } from '../server/frame_buffer.cjs';
import type { ServerSettings } from '../server/options.cjs';
import type { Sink } from '../server/outlet.cjs';
import type { Asked } from '../server/request_body.cjs';
import type { AgentFunction } from '../server/run.cjs';
import { answer, begin as beginSession } from '../server/serve.cjs';
import type { Session } from '../server/session.cjs';
import { Driver } from './driver.cjs';
import type { LogSettings } from './log_options.cjs';

/** Runs the agent, and stores what it writes. No connection owns the run. */
export function startRun<S>(agent: AgentFunction<S>, asked: Asked, settings: ServerSettings, log: LogSettings, recorder: Recorder, key: string): void {
  let session: Session;
  try {
    session = new LogRun(asked, settings, log, recorder, key).session;
  } catch (error) {
    recorder.close();
    throw error;
  }
  const begin: AgentFunction<S> = async (run) => {
    // A log without events says that the agent has not begun.
    await session.sent;
    return agent(run);
  };
  void answer(begin, session);
}

/** A run whose frames go to a log. */
class LogRun implements Sink {
  readonly session: Session;
  readonly #recorder: Recorder;
  readonly #driver: Driver;
  readonly #unwatch: () => void;
  readonly #forget: () => void;
  /** The number of the frame whose storage the agent awaits. */
  #awaited = 0;

  constructor(asked: Asked, settings: ServerSettings, { engine, notify, work, signal }: LogSettings, recorder: Recorder, key: string) {
    this.#recorder = recorder;
    const { machine } = recorder;
    this.#driver = new Driver(machine, engine, (command) => this.#take(command), notify);
    // The readers send heartbeats. At the shutdown of the server the run has time to end.
    this.session = beginSession(asked, this, { ...settings, heartbeat: 0, signal: undefined });
    this.#forget = work.run(signal, () => this.#drain());
    this.#unwatch = engine.listen(key, (hint) => {
      machine.hint(hint);
      this.#driver.wake();
    });
    this.#driver.wake();
  }

  /** Gives frames to the recorder. Returns false if the agent has to wait. */
  send(frames: FrameBuffer): boolean {
    let recorded: ReturnType<Recorder['write']>;
    try {
      recorded = this.#recorder.write(performance.now(), frames.bytes());
    } catch (error) {
      // Without this frame the run cannot end as it should: the end of the lease ends it.
      this.#over();
      throw errorFrom((error as Error).message);
    }
    if (recorded.isAwaited) this.#awaited = recorded.last;
    this.#driver.wake();
    return !recorded.isAwaited && recorded.hasRoom;
  }

  /** The machine knows the end of the run from its frames. */
  end(): void {}

  /** Called when the time to store the end is over. */
  cut(): void {
    if (!this.session.outlet.isOver) this.#over();
  }

  #take({ kind, text, number }: Command): void {
    if (kind === 'stored') {
      if (number! >= this.#awaited && this.#recorder.hasRoom) this.session.outlet.resume();
    } else if (kind === 'stop') {
      this.#stop(text!, number === 1);
    } else {
      this.#over();
    }
  }

  #drain(): void {
    this.#recorder.drain(performance.now());
    this.#driver.hold();
  }

  #stop(reason: string, hasEnd: boolean): void {
    const { session } = this;
    if (reason === 'cancelled' || reason === 'unattended') {
      return session.stop(EndCause.Stopped, new DOMException(reason === 'cancelled' ? 'The run was cancelled.' : 'No client reads the run.', 'AbortError'));
    }
    const { threadId, runId } = session.input;
    const code = !hasEnd ? 'log_failed' : reason === 'drained' ? 'producer_lost' : 'limit_exceeded';
    const error = describedError(code, `thread ${threadId}, run ${runId}: ${reason}`);
    if (!hasEnd && this.#driver.failure !== undefined) error.cause = this.#driver.failure;
    report(session.settings, error);
    if (!hasEnd) this.#over();
    session.disconnect(error);
  }

  #over(): void {
    this.#unwatch();
    this.#forget();
    this.#driver.close();
    this.#recorder.close();
  }
}
