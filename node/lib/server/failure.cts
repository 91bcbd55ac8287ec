import type { Settings } from './options.cjs';

/** Tells the application, or its log, of an error that the client does not learn of, or not all. */
export function report({ onError = console.error }: Pick<Settings, 'onError'>, error: unknown): void {
  try {
    const told = onError(error) as unknown;
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // It is only told: that ends no run.
  }
}

/** The text of what was thrown, if it has one. */
export function messageOf(error: unknown): string | undefined {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return typeof message === 'string' ? (message as unknown as { toWellFormed(): string }).toWellFormed() : undefined;
  } catch {
    // Any value can be thrown.
    return undefined;
  }
}
