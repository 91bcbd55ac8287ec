import { answerOf } from './errors/errors.cjs';
import type { RunAgentInput } from './generated/types.cjs';
import { stringify } from './json/text.cjs';
import { expect } from './options/kinds.cjs';
import { native } from './native/native.cjs';
import type { Warning } from './options/options.cjs';

// Translates inputs for peers that speak AG-UI 0.x. Events from such peers are translated by the profile `tolerant`, with warnings.

/**
 * An input, and warnings for the parts that were lost or converted.
 *
 * @example
 * ```ts
 * import { type Translated, upgradeInput } from 'ag-ui-native/compat';
 *
 * const { input, warnings }: Translated = upgradeInput({ threadId: 't1', runId: 'r1', messages: [] });
 * warnings; // => []
 * ```
 */
export interface Translated {
  input: RunAgentInput;
  warnings: Warning[];
}

/**
 * Returns a run's input as an older peer reads it.
 *
 * @param peer the newest version that the peer speaks, such as `0.0.39`
 * @throws AGUIValidationError for an invalid input or version
 *
 * @example
 * ```ts
 * import { downgradeInput } from 'ag-ui-native/compat';
 *
 * const input = { threadId: 't1', runId: 'r1', messages: [], tools: [], context: [] };
 * downgradeInput(input, '0.0.39').input.threadId; // => 't1'
 * ```
 */
export function downgradeInput(input: RunAgentInput, peer: string): Translated {
  expect('object', 'input', input);
  expect('text', 'peer', peer);
  return answerOf(native().downgradeInput(stringify(input) ?? 'null', peer));
}

/**
 * Returns a run's input with the retired binary parts of its messages as AG-UI 1.0 has them. Other members stay unchanged.
 *
 * @throws AGUILimitError for an input that is nested too deeply
 *
 * @example
 * ```ts
 * import { upgradeInput } from 'ag-ui-native/compat';
 *
 * const part = { type: 'binary', mimeType: 'image/png', url: 'https://example.org/cat.png' };
 * const messages = [{ id: 'm1', role: 'user', content: [part] }];
 * upgradeInput({ threadId: 't1', runId: 'r1', messages }).warnings.length; // => 1
 * ```
 */
export function upgradeInput(input: object): Translated {
  expect('object', 'input', input);
  return answerOf(native().upgradeInput(stringify(input) ?? 'null'));
}

/**
 * Returns a warning if the version that a peer declares is newer than ours or is not a version.
 *
 * @example
 * ```ts
 * import { checkProtocolVersion } from 'ag-ui-native/compat';
 *
 * checkProtocolVersion('1.0'); // => undefined
 * checkProtocolVersion('9.0')?.code; // => 'foreign_version'
 * ```
 */
export function checkProtocolVersion(declared: string | undefined): Warning | undefined {
  if (declared !== undefined) expect('text', 'declared', declared);
  const warnings = declared === undefined ? null : native().checkProtocolVersion(declared);
  return warnings === null ? undefined : (JSON.parse(warnings) as Warning[])[0];
}
