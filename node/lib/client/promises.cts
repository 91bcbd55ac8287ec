/** Calls a function and ignores its errors, also those of the promise that it returns. */
export function ignoreErrors(work: () => unknown): void {
  new Promise((resolve) => resolve(work())).catch(() => undefined);
}

/** Calls a function and reports its errors, also those of the promise that it returns. */
export function reportErrors(work: () => unknown, report: (error: unknown) => void): void {
  try {
    const result = work();
    if (isThenable(result)) result.then(undefined, report);
  } catch (error) {
    report(error);
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === 'function';
}
