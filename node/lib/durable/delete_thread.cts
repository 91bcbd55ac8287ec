import { errorFrom } from '../errors/errors.cjs';
import type { NativeOperation } from '../native/durable.cjs';
import { native } from '../native/native.cjs';
import { expect } from '../options/kinds.cjs';
import { engineOf } from './engine.cjs';
import type { Log } from './log.cjs';

/**
 * Deletes a thread: its messages, its state, and the logs of its runs. If a run is active, its agent is stopped. `scope` is that which
 * `authorize` returns for it; `''` with `authorize: 'public'`. Rejects with the error of the engine: then try it again.
 *
 * @example
 * ```ts
 * import { deleteThread, MemoryLog } from 'ag-ui-native/durable';
 *
 * await deleteThread(new MemoryLog(), 'user-7', 't1');
 * ```
 */
export async function deleteThread(log: Log, scope: string, threadId: string): Promise<void> {
  expect('object', 'log', log);
  expect('text', 'scope', scope);
  expect('text', 'threadId', threadId);
  await engineOf(log).run(operation(scope, threadId));
}

function operation(scope: string, threadId: string): NativeOperation {
  try {
    return native().LogOperation.deleteThread(scope, threadId);
  } catch (error) {
    throw errorFrom((error as Error).message);
  }
}
