import { type ContentPart, type TextPart } from '../generated/types.cjs';
import { wrongKind } from '../options/kinds.cjs';

// These functions stay in JavaScript: a call of native code costs more (300 ns and up) than the whole work (20 ns).

const CONTENT = 'a string or an array of parts';

/**
 * Returns the text of content: the string, or its text parts without separators. Other parts are left out.
 *
 * @example
 * ```ts
 * import { contentToText } from 'ag-ui-native';
 *
 * contentToText([{ type: 'text', text: 'What is ' }, { type: 'text', text: 'this?' }]); // => 'What is this?'
 * ```
 */
export function contentToText(content: string | ContentPart[] | undefined): string {
  if (typeof content === 'string') return content;
  if (content !== undefined && !Array.isArray(content)) throw wrongKind('content', CONTENT, content);
  let text = '';
  if (content !== undefined) for (const part of content) if (part?.type === 'text') text += part.text ?? '';
  return text;
}

/**
 * True if content has parts that are not text.
 *
 * @example
 * ```ts
 * import { contentHasMedia } from 'ag-ui-native';
 *
 * contentHasMedia([{ type: 'image', source: { type: 'url', value: 'https://example.org/cat.png' } }]); // => true
 * ```
 */
export function contentHasMedia(content: string | ContentPart[] | undefined): boolean {
  if (!Array.isArray(content)) return false;
  // Read by index: the list may have an iterator of its own.
  for (let at = 0; at < content.length; at++) if (content[at]?.type !== 'text') return true;
  return false;
}

/**
 * Returns content as a list of parts. A string is one text part, absent content is an empty list.
 *
 * @example
 * ```ts
 * import { contentParts } from 'ag-ui-native';
 *
 * contentParts('Hello!'); // => [{ type: 'text', text: 'Hello!' }]
 * ```
 */
export function contentParts(content: string | ContentPart[] | undefined): ContentPart[] {
  if (content === undefined) return [];
  if (Array.isArray(content)) return content;
  if (typeof content !== 'string') throw wrongKind('content', CONTENT, content);
  return [{ type: 'text', text: content } satisfies TextPart];
}
