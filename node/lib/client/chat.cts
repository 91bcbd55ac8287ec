import type { Change } from '../changes.cjs';
import type { ContentPart, Message } from '../generated/types.cjs';
import { newMessageId } from '../ids.cjs';
import type { RunLoop } from './loop.cjs';
import type { RunResult } from './result.cjs';
import { leaving, streamOf } from './stream.cjs';

/** What an agent has said. */
export interface Reply {
  /** Its text: that of the new messages of the assistant. */
  text: string;
  /** The new messages. */
  messages: Message[];
  /** The id of the run: the next one may branch from it. */
  responseId: string;
  threadId: string;
  /** How the run has ended. */
  result: RunResult;
}

/** The text of a reply as it arrives. Who leaves it or forgets it ends the run. */
export interface TextStream extends AsyncGenerator<string, void, undefined> {
  /** The reply, as far as it has come; nothing before the end. */
  readonly reply: Reply | undefined;
}

/** Something that a user says. */
export function userMessage(content: string | ContentPart[]): Message {
  return { id: newMessageId(), role: 'user', content };
}

/** The text of what comes of runs. */
export function textsOf(loop: RunLoop<any>): TextStream {
  return leaving(texts(streamOf<Change>(loop)), loop, 'reply', () => loop.result && replyOf(loop.result));
}

async function* texts(changes: AsyncIterable<Change>): AsyncGenerator<string, void, undefined> {
  for await (const change of changes) {
    if (change.kind === 'text_appended' && 'role' in change.target && change.target.role === 'assistant') yield change.value;
  }
}

export function replyOf(result: RunResult): Reply {
  const { text, newMessages: messages, runId: responseId, threadId } = result;
  return { text, messages, responseId, threadId, result };
}
