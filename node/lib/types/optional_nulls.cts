import { wrongKind } from '../options/kinds.cjs';
import { omit } from './lazy.cjs';

/**
 * Removes optional members that are `null`, in all declared types: in 1.0 an absent member means "no value". Free values and
 * undeclared members are not read, and nothing is validated. Returns the value itself if nothing is removed, otherwise a copy of
 * the changed parts.
 *
 * @param root the type of `value`
 * @see AG-UI 1.0, serialization
 *
 * @example
 * ```ts
 * import { omitOptionalNulls } from 'ag-ui-native';
 *
 * omitOptionalNulls({ type: 'RUN_ERROR', message: 'No model.', code: null }, 'Event'); // => { type: 'RUN_ERROR', message: 'No model.' }
 * ```
 */
export function omitOptionalNulls<T>(value: T, root: 'Event' | 'RunAgentInput'): T {
  if (root !== 'Event' && root !== 'RunAgentInput') throw wrongKind('root', "'Event' or 'RunAgentInput'", root);
  return (root === 'RunAgentInput' ? omit().omitRunAgentInput(value) : omit().omitEvent(value)) as T;
}
