import { wrongKind } from '../options/kinds.cjs';
import { omit } from './lazy.cjs';

/**
 * Leaves out optional members that are `null`, wherever the declaration reaches: 1.0 spells "no value" by leaving the
 * member out. Free values and undeclared members are not looked into, nothing is validated, and the value itself is
 * returned when there is nothing to leave out; otherwise a copy of what changed.
 *
 * @param root what `value` is
 * @see AG-UI 1.0, serialization
 */
export function omitOptionalNulls<T>(value: T, root: 'Event' | 'RunAgentInput'): T {
  if (root !== 'Event' && root !== 'RunAgentInput') throw wrongKind('root', "'Event' or 'RunAgentInput'", root);
  return (root === 'RunAgentInput' ? omit().omitRunAgentInput(value) : omit().omitEvent(value)) as T;
}
