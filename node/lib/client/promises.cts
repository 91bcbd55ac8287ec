/** Cleans up: what fails with that, at once or later, is no notification to anybody. */
export function ignoreErrors(work: () => unknown): void {
  new Promise((resolve) => resolve(work())).catch(() => undefined);
}

/** Tells somebody: what is thrown at that, at once or later, is reported, and changes nothing. */
export function reportErrors(work: () => unknown, report: (error: unknown) => void): void {
  try {
    const told = work();
    if (isThenable(told)) told.then(undefined, report);
  } catch (error) {
    report(error);
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === 'function';
}
