import type { Change } from '../reduce/changes.cjs';
import type { ContentPart, Message } from '../generated/types.cjs';
import { newMessageId } from '../types/ids.cjs';
import type { RunLoop } from './loop.cjs';
import { type Ended, ended, outcomeError, type RunResult } from './result.cjs';
import { cancelOnLeave, type RunStream, streamOf } from './stream.cjs';

/**
 * The reply of an agent.
 *
 * @example
 * ```ts
 * import { LocalAgent, type Reply } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const reply: Reply = (await new LocalAgent(scriptedAgent(['Hello!'])).ask('Hi')).throwForOutcome();
 * reply.text; // => 'Hello!'
 * reply.toString(); // => 'Hello!'
 * ```
 */
export interface Reply extends Ended {
  /** The text of the assistant's new messages. */
  text: string;
  /** The new messages. */
  messages: Message[];
  /** The id of the run. A later run can branch from it. */
  responseId: string;
  threadId: string;
  /** The result of the run. */
  result: RunResult;
  /** Returns the text, followed by the error of the run in brackets. */
  toString(): string;
}

/**
 * The text of a reply as it arrives. Leaving or dropping the stream ends the run.
 *
 * @example
 * ```ts
 * import { LocalAgent, type TextStream } from 'ag-ui-native/client';
 * import { scriptedAgent } from 'ag-ui-native/testing';
 *
 * const pieces: TextStream = new LocalAgent(scriptedAgent(['Hello!'])).askStream('Hi');
 * for await (const piece of pieces) console.log(piece);
 * pieces.reply?.text; // => 'Hello!'
 * ```
 */
export interface TextStream extends RunStream<string> {
  /** The whole reply; undefined until the run has ended. */
  readonly reply: Reply | undefined;
}

/** Returns a message of the user. */
export function userMessage(content: string | ContentPart[]): Message {
  return { id: newMessageId(), role: 'user', content };
}

/** Returns a stream of the text of a call's runs. */
export function textsOf(loop: RunLoop<any>): TextStream {
  const stream = cancelOnLeave(texts(streamOf<Change>(loop)), loop);
  return Object.defineProperty(stream, 'reply', { get: () => loop.result && replyOf(loop.result) }) as TextStream;
}

async function* texts(changes: AsyncIterable<Change>): AsyncGenerator<string, void, undefined> {
  for await (const change of changes) {
    if (change.kind === 'text_appended' && 'role' in change.target && change.target.role === 'assistant') yield change.value;
  }
}

/** Returns the reply in a result. */
export function replyOf(result: RunResult): Reply {
  const { text, newMessages: messages, runId: responseId, threadId } = result;
  const reply = ended({ text, messages, responseId, threadId, result }, ({ result }) => result);
  const written = () => {
    const error = outcomeError(result);
    return [text, error && `[${error.message}]`].filter(Boolean).join('\n');
  };
  return Object.defineProperty(reply, 'toString', { value: written });
}
