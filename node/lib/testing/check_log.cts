import type { Log, LogOperation } from '../durable/log.cjs';
import type { NativeLogCase } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { after } from '../runtime/timers.cjs';

/**
 * Checks that an engine of logs replies as every engine does. It uses threads of its own, which stay there, and takes about as long as its
 * longest case waits: some seconds.
 *
 * @throws Error with the cases in which the engine differs
 *
 * @example
 * ```ts
 * import { MemoryLog } from 'ag-ui-native/durable';
 * import { checkLog } from 'ag-ui-native/testing';
 *
 * await checkLog(new MemoryLog());
 * ```
 */
export async function checkLog(log: Log): Promise<void> {
  const cases = native().logCases(crypto.randomUUID());
  const ended = await Promise.all(cases.map((one) => play(log, one)));
  const differences = ended.filter((difference) => difference !== null);
  if (differences.length === 0) return;
  const error = new Error(`the engine differs from all others\n${differences.join('\n')}`);
  throw Object.assign(error, { name: 'AssertionError', code: 'ERR_ASSERTION' });
}

/** Executes a case. Returns the first difference. */
async function play(log: Log, one: NativeLogCase): Promise<string | null> {
  for (let step = one.step(); step; step = one.step()) {
    if (step.operation === undefined) {
      await new Promise<void>((resolve) => after(step!.wait!, resolve));
      continue;
    }
    const reply = await log.execute(JSON.parse(step.operation) as LogOperation);
    const difference = one.difference(JSON.stringify(reply) ?? '');
    if (difference !== null) return difference;
  }
  return null;
}
