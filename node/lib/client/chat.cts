import type { Change } from '../reduce/changes.cjs';
import type { ContentPart, Message } from '../generated/types.cjs';
import { newMessageId } from '../types/ids.cjs';
import type { RunLoop } from './loop.cjs';
import { type Ended, ended, outcomeError, type RunResult } from './result.cjs';
import { cancelOnLeave, type RunStream, streamOf } from './stream.cjs';

/** The answer of an agent. */
export interface Reply extends Ended {
  /** Its text: that of the new messages of the assistant. */
  text: string;
  /** The new messages. */
  messages: Message[];
  /** The id of the run: the next one may branch from it. */
  responseId: string;
  threadId: string;
  /** The result of the run. */
  result: RunResult;
  /** The text, and behind it, in brackets, what is wrong with how the run has ended. */
  toString(): string;
}

/** The text of a reply as it arrives. Who leaves it or forgets it ends the run. */
export interface TextStream extends RunStream<string> {
  /** The whole reply; nothing before the end. */
  readonly reply: Reply | undefined;
}

/** Something that a user says. */
export function userMessage(content: string | ContentPart[]): Message {
  return { id: newMessageId(), role: 'user', content };
}

/** The text of what comes of runs. */
export function textsOf(loop: RunLoop<any>): TextStream {
  const stream = cancelOnLeave(texts(streamOf<Change>(loop)), loop);
  return Object.defineProperty(stream, 'reply', { get: () => loop.result && replyOf(loop.result) }) as TextStream;
}

async function* texts(changes: AsyncIterable<Change>): AsyncGenerator<string, void, undefined> {
  for await (const change of changes) {
    if (change.kind === 'text_appended' && 'role' in change.target && change.target.role === 'assistant') yield change.value;
  }
}

export function replyOf(result: RunResult): Reply {
  const { text, newMessages: messages, runId: responseId, threadId } = result;
  const reply = ended({ text, messages, responseId, threadId, result }, ({ result }) => result);
  const written = () => {
    const error = outcomeError(result);
    return [text, error && `[${error.message}]`].filter(Boolean).join('\n');
  };
  return Object.defineProperty(reply, 'toString', { value: written });
}
