import type { Event, Interrupt, Message, RunAgentInput } from '../generated/types.cjs';
import type { Subject } from '../client/transport/transport.cjs';
import { native } from '../native/native.cjs';
import { eventsOf } from './drop_in.cjs';
import { errorOf } from './http.cjs';
import type { ObservableClass, Subscribable, Subscriber, Unsubscribable } from './observable.cjs';

// The thread that a user interface opens, as events: `connectAgent` of `@ag-ui/client` applies those of `connect`.

/** What a server with a log keeps of a thread. */
interface Thread {
  readonly threadId: string;
  readonly activeRunId?: string;
  readonly lastRunId?: string;
  readonly messages?: readonly Message[];
  readonly state?: unknown;
  readonly interrupts?: readonly Interrupt[];
}

/** Sends a request about a thread or a run. */
export type AskLog = (subject: Subject) => Promise<Response>;

/** Returns the address and the options of a request about a thread or a run, from those of a request that starts one. */
export function logRequest(address: string, { body, ...init }: RequestInit, subject: Subject): [url: string, init: RequestInit] {
  const headers = new Headers(init.headers);
  headers.delete('content-type');
  const machine = native().createRequest(JSON.stringify({ subject }));
  const url = URL.canParse(address) ? new URL(address).href : address;
  const names: string[] = [];
  headers.forEach((_, name) => names.push(name));
  const input = { input: 'prepared', now: 0, url, headers: names };
  const sending = JSON.parse(machine(JSON.stringify(input))) as { url: string; method: string; headers: Record<string, string> };
  for (const [name, value] of Object.entries(sending.headers)) headers.set(name, value);
  return [sending.url, { ...init, method: sending.method, headers }];
}

/**
 * Returns the events of a thread as an observable of a class: the messages and the state that are kept, and the events of the active run,
 * if there is one. `refuse` throws for a server that keeps no threads.
 */
export function connected<R>(Class: ObservableClass<any>, ask: AskLog, input: RunAgentInput, debug: object | undefined, refuse: () => unknown): R {
  return new Class((subscriber: Subscriber<object>) => {
    let active: Unsubscribable | undefined;
    const open = async () => {
      const thread = await read(await ask({ purpose: 'thread', threadId: input.threadId, runId: '' }), refuse);
      if (subscriber.closed) return;
      const { activeRunId } = thread;
      if (activeRunId === undefined) {
        for (const event of eventsOfEnded(thread, input)) subscriber.next(event);
        return subscriber.complete();
      }
      const join = () => ask({ purpose: 'join', threadId: input.threadId, runId: activeRunId });
      const events = eventsOf<Subscribable<Event>>(Class, join, input, debug);
      active = events.subscribe({
        next(event) {
          subscriber.next(event);
          // The run goes on with them, so they come first.
          if (event.type === 'RUN_STARTED') for (const kept of snapshots(thread)) subscriber.next(kept);
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    };
    open().catch((error: unknown) => subscriber.error(error));
    return () => active?.unsubscribe();
  }) as R;
}

async function read(response: Response, refuse: () => unknown): Promise<Thread> {
  const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
  // A server without a log does not know the request, or answers with a page.
  const isUnknown = [404, 405, 501].includes(response.status) || (response.ok && !isJson);
  if (!response.ok && !isUnknown) throw await errorOf(response);
  const thread = isUnknown ? void response.body?.cancel() : ((await response.json()) as Partial<Thread> | null);
  if (typeof thread?.threadId !== 'string') refuse();
  return thread as Thread;
}

/** The events of a thread without an active run. */
function eventsOfEnded(thread: Thread, { threadId, runId }: RunAgentInput): object[] {
  const ids = { threadId, runId: thread.lastRunId ?? runId };
  const outcome = thread.interrupts?.length ? { type: 'interrupt', interrupts: thread.interrupts } : { type: 'success' };
  return [{ type: 'RUN_STARTED', ...ids }, ...snapshots(thread), { type: 'RUN_FINISHED', ...ids, outcome }];
}

function snapshots({ messages, state }: Thread): object[] {
  const events: object[] = messages === undefined ? [] : [{ type: 'MESSAGES_SNAPSHOT', messages }];
  return state === undefined ? events : [{ type: 'STATE_SNAPSHOT', snapshot: state }, ...events];
}
