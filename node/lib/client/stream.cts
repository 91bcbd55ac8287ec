import type { Change } from '../reduce/changes.cjs';
import type { Event } from '../generated/types.cjs';
import type { RunLoop } from './loop.cjs';
import { ignoreErrors } from './promises.cjs';
import type { RunResult } from './result.cjs';

/**
 * The items of a run as they arrive. Leaving, disposing of or dropping the stream ends the run.
 *
 * @example
 * ```ts
 * import type { Event } from 'ag-ui-native';
 * import { LocalAgent, type RunStream } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const events: RunStream<Event> = new LocalAgent(scriptedAgent(['Hello!'])).run();
 * (await events.next()).value?.type; // => 'RUN_STARTED'
 * await events.return();
 * events.result?.outcome; // => 'aborted'
 * ```
 */
export interface RunStream<T> extends AsyncGenerator<T, void, undefined> {
  /** The result of the run; undefined until it has ended. */
  readonly result: RunResult | undefined;
  /**
   * Stops reading and resolves when the stream is over; `result` has what has arrived. On a server that keeps the logs of runs the run goes on.
   * Any other server ends it, as for a client whose connection is lost. Subscribers are not notified of a failure.
   *
   * @example
   * ```ts
   * import { LocalAgent } from 'ag-ui-native/client';
   * import { scriptedAgent } from 'ag-ui-native/testing';
   *
   * const events = new LocalAgent(scriptedAgent([{ wait: 60_000 }])).run();
   * for await (const event of events) await events.detach();
   * events.result?.outcome; // => 'aborted'
   * ```
   */
  detach(): Promise<void>;
  /** Ends the run and waits for its end; called by `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const dropped = new FinalizationRegistry<RunLoop<any>>((loop) => ignoreErrors(() => loop.close()));

/** Returns a stream of single items. */
export function streamOf<T extends Event | Change>(loop: RunLoop<any>): RunStream<T> {
  const stream = cancelOnLeave(each<T>(loop), loop);
  dropped.register(stream, loop, loop);
  return stream;
}

async function* each<T>(loop: RunLoop<any>): AsyncGenerator<T, void, undefined> {
  try {
    for (;;) {
      const { done, value } = await loop.next();
      if (done) return;
      for (const item of value) yield item as T;
    }
  } finally {
    dropped.unregister(loop);
    await loop.close();
  }
}

/** Cancels the run as soon as the caller leaves the items, also while it waits for the next one. */
export function cancelOnLeave<T>(items: AsyncGenerator<T, void, undefined>, loop: RunLoop<any>): RunStream<T> {
  const end = items.return;
  const fail = items.throw;
  // Older runtimes do not have the symbol.
  const { asyncDispose } = Symbol as unknown as Record<string, symbol | undefined>;
  Object.defineProperties(items, {
    result: { get: () => loop.result },
    detach: {
      async value() {
        loop.cancel({ how: 'detach' });
        await end.call(items, undefined);
      },
    },
    ...(asyncDispose && {
      [asyncDispose]: {
        async value() {
          await items.return(undefined);
        },
      },
    }),
    return: {
      value() {
        loop.cancel({ how: 'leave' });
        return end.call(items, undefined);
      },
    },
    throw: {
      value(error: unknown) {
        loop.cancel({ how: 'leave' });
        return fail.call(items, error);
      },
    },
  });
  return items as RunStream<T>;
}
