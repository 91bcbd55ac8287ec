import type { Change } from '../reduce/changes.cjs';
import type { Event } from '../generated/types.cjs';
import type { RunLoop } from './loop.cjs';
import { ignoreErrors } from './promises.cjs';
import type { RunResult } from './result.cjs';

/** The items of a run as they arrive; at the end, its result. Leaving the stream, disposing of it or dropping it ends the run. */
export interface RunStream<T> extends AsyncGenerator<T, void, undefined> {
  /** The result, however the run has ended; nothing before. */
  readonly result: RunResult | undefined;
  /** Called by `await using`: ends the run, if it has not ended, and waits for that. */
  [Symbol.asyncDispose](): Promise<void>;
}

const forgotten = new FinalizationRegistry<RunLoop<any>>((loop) => ignoreErrors(() => loop.close()));

/** Makes a stream of single items. */
export function streamOf<T extends Event | Change>(loop: RunLoop<any>): RunStream<T> {
  const stream = cancelOnLeave(each<T>(loop), loop);
  forgotten.register(stream, loop, loop);
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
    forgotten.unregister(loop);
    await loop.close();
  }
}

/** Items of runs: cancelOnLeave them ends the runs at once, even if somebody waits for the next one. */
export function cancelOnLeave<T>(items: AsyncGenerator<T, void, undefined>, loop: RunLoop<any>): RunStream<T> {
  const end = items.return;
  const fail = items.throw;
  // Older runtimes do not have the symbol.
  const { asyncDispose } = Symbol as unknown as Record<string, symbol | undefined>;
  Object.defineProperties(items, {
    result: { get: () => loop.result },
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
