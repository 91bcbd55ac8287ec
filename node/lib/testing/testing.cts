import { CALLBACK_GRACE } from '../generated/border.cjs';
import type { Event, Interrupt, Message, RunAgentInput, State } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { expect } from '../options/kinds.cjs';
import type { Warning } from '../options/options.cjs';
import { EventPipeline } from '../stream/pipeline.cjs';
import { EventDecoder } from '../stream.cjs';
import { after } from '../runtime/timers.cjs';
import { report } from '../errors/failure.cjs';
import { refusalError } from '../server/request.cjs';
import { type RunOptions, settingsOf } from '../server/options.cjs';
import type { Sink } from '../server/outlet.cjs';
import { RequestBody } from '../server/request_body.cjs';
import type { AgentFunction } from '../server/run.cjs';
import { answer, begin } from '../server/serve.cjs';

/**
 * The run of an agent in a test.
 *
 * @example
 * ```ts
 * import { type AgentRun, runAgent, scriptedAgent } from 'ag-ui-native/testing';
 *
 * const done: AgentRun = await runAgent(scriptedAgent(['Hello!']), 'Hi');
 * [done.text, done.outcome, done.events.length]; // => ['Hello!', 'success', 5]
 * ```
 */
export interface AgentRun<S = State> {
  /** The events, as a client reads them. */
  events: Event[];
  /** The messages of the client at the end, with those of the input. */
  messages: Message[];
  /** The text of the messages that the agent has written. */
  text: string;
  /** The state of the client at the end. */
  state: S;
  /** The outcome of the run. */
  outcome: 'success' | 'interrupt' | 'cancelled' | 'error';
  /** The agent's result, as a client reads it. */
  result?: unknown;
  /** The interrupts that the run waits for. */
  interrupts: Interrupt[];
  /** The error that the agent has thrown, or the fault of its state or result. */
  error?: unknown;
  /** The warnings about repairs of the input. */
  warnings: Warning[];
}

/**
 * Runs an agent without a server. Its events are written as text, decoded strictly and verified. An agent that continues after the
 * end of its run may run until its time limit, or one second without a limit.
 *
 * @param input the text of a user's message, or the request; ids and empty lists are filled in
 * @throws AGUIValidationError for an invalid input
 *
 * @example
 * ```ts
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const greet = async (run: Run) => run.write(`You wrote: ${run.messages.at(-1)?.content}`);
 * (await runAgent(greet, 'Hi')).text; // => 'You wrote: Hi'
 * ```
 */
export async function runAgent<S = State>(agent: AgentFunction<S>, input: Partial<RunAgentInput> | string = {}, options: RunOptions = {}): Promise<AgentRun<S>> {
  expect('callback', 'agent', agent);
  const given = typeof input === 'string' ? { messages: [{ id: 'user', role: 'user', content: input }] } : input;
  expect('object', 'input', given);
  const served = settingsOf(options);
  let error: { thrown: unknown } | undefined;
  const onError = (thrown: unknown) => {
    error ??= { thrown };
    if (served.onError) report(served, thrown);
  };
  const settings = { ...served, heartbeat: 0, onError };
  const body = { threadId: 'thread', runId: 'run', messages: [], ...given };
  const request = new RequestBody('text', settings);
  request.receive(new TextEncoder().encode(stringify(body)));
  request.end();
  const asked = (await request.asked)!;
  if (typeof asked === 'string') throw refusalError(asked);
  const chunks: Uint8Array[] = [];
  let over!: () => void;
  const ended = new Promise<void>((resolve) => (over = resolve));
  const sink: Sink = { send: (frames) => chunks.push(frames.bytes()) > 0, end: over, cut() {} };
  const session = begin(asked, sink, settings);
  const answered = answer(agent, session);
  await Promise.race([answered, ended]);
  // The agent may have ended its run itself, and may still be running.
  await within(answered, settings.timeLimit === undefined ? CALLBACK_GRACE : undefined);
  session.outlet.push();
  const decoder = new EventDecoder({ profile: 'strict' });
  const events = [...chunks.flatMap((chunk) => decoder.feed(chunk)), ...decoder.close()];
  const { messages, state = {} } = asked.input;
  const client = new EventPipeline<S>({ profile: 'strict', messages, state });
  for (const chunk of chunks) client.feed(chunk);
  client.close();
  const end = outcomeOf(events.at(-1) as Event);
  const text = events.map((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? event.delta : '')).join('');
  return { events, messages: [...client.messages], text, state: client.state, ...end, ...(error && { error: error.thrown }), warnings: asked.warnings };
}

/** Waits for a promise, up to `duration` milliseconds if it is given. */
async function within(promise: Promise<void>, duration: number | undefined): Promise<void> {
  let timer: ReturnType<typeof after>;
  const late = new Promise<void>((resolve) => (timer = after(duration, resolve)));
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

function outcomeOf(event: Event): Pick<AgentRun, 'outcome' | 'result' | 'interrupts'> {
  if (event.type !== 'RUN_FINISHED') return { outcome: 'error', interrupts: [] };
  const { outcome, result } = event;
  const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
  return { outcome: outcome?.type ?? 'success', ...(result !== undefined && { result }), interrupts };
}
