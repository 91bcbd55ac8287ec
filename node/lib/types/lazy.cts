// Generated code that is long, and that many programs never use. It is loaded when it is needed.

import type * as Checks from '../generated/checks.cjs';
import type * as Omit from '../generated/omit.cjs';

let checking: typeof Checks | undefined;
let omitting: typeof Omit | undefined;

/** What copies values that are plainly valid. */
export function checks(): typeof Checks {
  return (checking ??= require('../generated/checks.cjs') as typeof Checks);
}

/** What leaves out optional members that are null. */
export function omit(): typeof Omit {
  return (omitting ??= require('../generated/omit.cjs') as typeof Omit);
}
