import { answerOf } from './errors/errors.cjs';
import type { RunAgentInput } from './generated/types.cjs';
import { stringify } from './json/text.cjs';
import { expect } from './options/kinds.cjs';
import { native } from './native/native.cjs';
import type { Warning } from './options/options.cjs';

// Peers that speak AG-UI 0.x. What they send is read without asking: the profile `tolerant` translates it, with
// warnings. This is for what is sent to them, and for checks.

/** An input, and what was lost or converted on the way. */
export interface Translated {
  input: RunAgentInput;
  warnings: Warning[];
}

/**
 * A run's input as an older peer takes it.
 *
 * @param peer the newest version that the peer speaks, such as `0.0.39`
 * @throws AGUIValidationError for what is no input or no version
 */
export function downgradeInput(input: RunAgentInput, peer: string): Translated {
  expect('object', 'input', input);
  expect('text', 'peer', peer);
  return answerOf(native().downgradeInput(stringify(input) ?? 'null', peer));
}

/**
 * A run's input as 1.0 has it, if its messages have the retired binary parts. Nothing else is looked at.
 *
 * @throws AGUILimitError for what is nested too deeply
 */
export function upgradeInput(input: object): Translated {
  expect('object', 'input', input);
  return answerOf(native().upgradeInput(stringify(input) ?? 'null'));
}

/** Returns a warning if the version that a peer declares is newer than ours or is not a version. */
export function checkProtocolVersion(declared: string | undefined): Warning | undefined {
  if (declared !== undefined) expect('text', 'declared', declared);
  const warnings = declared === undefined ? null : native().checkProtocolVersion(declared);
  return warnings === null ? undefined : (JSON.parse(warnings) as Warning[])[0];
}
