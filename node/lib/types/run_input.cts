import { bytesOf } from '../runtime/bytes.cjs';
import { answerOf } from '../errors/errors.cjs';
import type { Limits } from '../generated/border.cjs';
import type { RunAgentInput } from '../generated/types.cjs';
import { stringify } from '../json/text.cjs';
import { wrongKind } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { checkOptions, optionsText, type Profile, type Warning } from '../options/options.cjs';

/**
 * The input of a run, and the warnings of reading it.
 *
 * @example
 * ```ts
 * import { readRunInput, type RunInput } from 'ag-ui-native';
 *
 * const read: RunInput = readRunInput('{"threadId": "t1", "runId": "r1", "messages": []}');
 * read.input.threadId; // => 't1'
 * ```
 */
export interface RunInput {
  /** The input in the form of 1.0. */
  input: RunAgentInput;
  /** The warnings about repairs, translations, dropped parts and a different version of the peer. */
  warnings: Warning[];
}

/**
 * Reads the body of a request: bytes, text, or the object that a framework has parsed. Input of 0.x is translated; absent
 * `tools` and `context` are empty lists.
 *
 * @throws AGUIValidationError with code and path for an invalid input; AGUILimitError for one that is too large or nested too deeply
 *
 * @example
 * ```ts
 * import { readRunInput } from 'ag-ui-native';
 *
 * const { input, warnings } = readRunInput('{"threadId": "t1", "runId": "r1", "messages": [], "mood": "fine"}');
 * input.runId; // => 'r1'
 * warnings.map((warning) => warning.path); // => ['/mood']
 * ```
 */
export function readRunInput(
  body: Uint8Array | ArrayBuffer | string | object,
  options: { profile?: Profile | undefined; limits?: Limits | undefined } = {},
): RunInput {
  checkOptions(options, 'input');
  return answerOf(native().readRunInput(bodyBytes(body), optionsText(options)));
}

const utf8 = new TextEncoder();

/** Returns the bytes of a body; for an object, the bytes of its JSON text. */
export function bodyBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return utf8.encode(body);
  if (typeof body !== 'object' || body === null) throw wrongKind('body', 'bytes, a string or an object', body);
  const isBytes = ArrayBuffer.isView(body) || body instanceof ArrayBuffer || body instanceof SharedArrayBuffer;
  if (!isBytes) return utf8.encode(stringify(body) ?? 'null');
  const bytes = bytesOf(body);
  // Native code does not read memory that another thread may write to.
  return bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}
