// Loads generated code at its first use: it is long, and many programs do not need it.

import type * as Checks from '../generated/checks.cjs';
import type * as Omit from '../generated/omit.cjs';

let checking: typeof Checks | undefined;
let omitting: typeof Omit | undefined;

/** Returns the functions that copy valid values. */
export function checks(): typeof Checks {
  return (checking ??= require('../generated/checks.cjs') as typeof Checks);
}

/** Returns the functions that leave out optional members that are null. */
export function omit(): typeof Omit {
  return (omitting ??= require('../generated/omit.cjs') as typeof Omit);
}
