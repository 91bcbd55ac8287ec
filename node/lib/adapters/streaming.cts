import { answerOf, errorFrom } from '../errors/errors.cjs';
import { stringify } from '../json/text.cjs';
import { jsonOf } from '../json/encode.cjs';
import { native } from '../native/native.cjs';
import { expect, expectIfGiven, wrongKind } from '../options/kinds.cjs';
import { known } from '../options/option_reader.cjs';
import { Scope } from '../server/scope.cjs';
import { ModelCall, type Reply } from './reply.cjs';

/** The APIs of providers. */
export type ModelApi = 'openai_chat' | 'openai_responses' | 'anthropic';

/**
 * The options of a stream.
 *
 * @example
 * ```ts
 * import { type StreamOptions, streamChat } from 'ag-ui-native/adapters/openai';
 * import type { Run } from 'ag-ui-native/server';
 * import { runAgent } from 'ag-ui-native/testing';
 *
 * const options: StreamOptions = { provider: 'groq' };
 * async function* chunks() {
 *   yield { choices: [{ index: 0, delta: { content: 'Hello!' }, finish_reason: 'stop' }] };
 * }
 * (await runAgent(async (run: Run) => (await streamChat(run, chunks(), options)).text)).result; // => 'Hello!'
 * ```
 */
export interface StreamOptions {
  /** The provider that the token usage names. */
  provider?: string | undefined;
}

/** A stream of an SDK: its requests end when its controller is aborted. */
interface Stream extends AsyncIterable<unknown> {
  readonly controller?: AbortController;
}

/** Returns a conversation as the API's request has it. */
export function modelMessages<Made>(api: ModelApi, messages: readonly object[]): Made {
  expect('items', 'messages', messages);
  return answerOf<Made>(native().modelMessages(api, jsonOf([...messages])));
}

/** Returns tools as the API's request has them. */
export function modelTools<Made>(api: ModelApi, tools: readonly object[]): Made {
  expect('items', 'tools', tools);
  return answerOf<Made>(native().modelTools(api, jsonOf([...tools])));
}

/** Writes the events of a stream to a run, or to a subagent's part of it, and returns the whole reply. The stream is closed in any case. */
export async function streamReply(api: ModelApi, scope: Scope, stream: AsyncIterable<object>, options: StreamOptions): Promise<Reply> {
  const { provider } = known<StreamOptions>({ provider: 1 }, options);
  expectIfGiven('text', 'provider', provider);
  if (typeof stream?.[Symbol.asyncIterator] !== 'function') throw wrongKind('stream', 'the stream of an SDK, whose request has `stream: true` and is awaited', stream);
  const { session, tag } = Scope.writing(scope);
  const machine = native().ModelStream.open(api, session.ids.messageId(), provider)!;
  const send = (events: string) => {
    if (events.startsWith('{"error":')) throw errorFrom(events.slice('{"error":'.length, -1));
    session.asOneCall(() => {
      for (const event of events.split('\n')) if (event !== '') session.writer.sendText(event, tag);
    });
    return session.sent;
  };
  try {
    for await (const chunk of untilAborted(stream, session.signal)) await send(machine.push(stringify(chunk) ?? 'null'));
  } finally {
    if (session.writer.isRunning) {
      if (machine.usage != null) session.writer.addUsage([JSON.parse(machine.usage)]);
      send(machine.close());
    }
  }
  session.signal.throwIfAborted();
  await session.sent;
  const { toolCalls, usage, ...reply } = answerOf<any>(machine.reply());
  const calls = toolCalls.map(({ id, function: called }: any) => new ModelCall(id, called.name, called.arguments, scope));
  return { ...reply, toolCalls: calls, usage: usage ?? undefined };
}

/** Iterates over a stream, and ends its request when the loop is left. An aborted signal ends it too, also while the provider is silent. */
async function* untilAborted(stream: Stream, signal: AbortSignal): AsyncGenerator<unknown, void> {
  const iterator = stream[Symbol.asyncIterator]();
  let refuse: (reason: unknown) => void = () => undefined;
  const abort = () => refuse(signal.reason);
  const next = () =>
    new Promise<IteratorResult<unknown>>((resolve, reject) => {
      refuse = reject;
      if (signal.aborted) abort();
      else iterator.next().then(resolve, reject);
    });
  let isOver = false;
  signal.addEventListener('abort', abort);
  try {
    while (true) {
      const { done, value } = await next();
      if (done === true) return void (isOver = true);
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    if (!isOver) close(stream, iterator);
  }
}

/** Ends the request of a stream. A generator that waits for its provider would not answer, so it is not awaited. */
function close(stream: Stream, iterator: AsyncIterator<unknown>): void {
  for (const end of [() => stream.controller?.abort(), () => iterator.return?.()]) {
    try {
      Promise.resolve(end()).catch(() => undefined);
    } catch {
      // What has ended the loop is told, and not that the stream cannot be closed.
    }
  }
}
