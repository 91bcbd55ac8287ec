import { type ContentPart, type TextPart } from '../generated/types.cjs';
import { wrongKind } from '../options/kinds.cjs';

// These stay in JavaScript: crossing into native code costs more (300 ns and up) than the whole job (20 ns).

const CONTENT = 'a string or an array of parts';

/** The text of content: the string, or its text parts without anything in between. Other parts are left out. */
export function contentToText(content: string | ContentPart[] | undefined): string {
  if (typeof content === 'string') return content;
  if (content !== undefined && !Array.isArray(content)) throw wrongKind('content', CONTENT, content);
  let text = '';
  if (content !== undefined) for (const part of content) if (part?.type === 'text') text += part.text ?? '';
  return text;
}

/** True if content holds anything but text. */
export function contentHasMedia(content: string | ContentPart[] | undefined): boolean {
  if (!Array.isArray(content)) return false;
  // By place: the list may have an iterator of its own.
  for (let at = 0; at < content.length; at++) if (content[at]?.type !== 'text') return true;
  return false;
}

/** Content as a list of parts: a string is one part of text, none is no part. */
export function contentParts(content: string | ContentPart[] | undefined): ContentPart[] {
  if (content === undefined) return [];
  if (Array.isArray(content)) return content;
  if (typeof content !== 'string') throw wrongKind('content', CONTENT, content);
  return [{ type: 'text', text: content } satisfies TextPart];
}
