/** Reports an error to `onError` of the application, or to the console. */
export function report({ onError = console.error }: { onError?: ((error: unknown) => void) | undefined }, error: unknown): void {
  try {
    const result = onError(error) as unknown;
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // An error of `onError` must not end the run.
  }
}

/** Returns the message of a thrown value, or undefined if it has none. */
export function messageOf(error: unknown): string | undefined {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return typeof message === 'string' ? (message as unknown as { toWellFormed(): string }).toWellFormed() : undefined;
  } catch {
    // Any value can be thrown.
    return undefined;
  }
}
