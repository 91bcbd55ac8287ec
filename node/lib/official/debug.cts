/**
 * The parts of a pipeline that are printed.
 *
 * @example
 * ```ts
 * import { resolveAgentDebugConfig, type ResolvedAgentDebugConfig } from 'ag-ui-native/operators';
 *
 * const config: ResolvedAgentDebugConfig = resolveAgentDebugConfig(true);
 * config.enabled; // => true
 * ```
 */
export interface ResolvedAgentDebugConfig {
  enabled: boolean;
  events: boolean;
  lifecycle: boolean;
  verbose: boolean;
}

/**
 * The setting of an agent for the parts that are printed.
 *
 * @example
 * ```ts
 * import { type AgentDebugConfig, resolveAgentDebugConfig } from 'ag-ui-native/operators';
 *
 * const config: AgentDebugConfig = { events: true };
 * resolveAgentDebugConfig(config).events; // => true
 * ```
 */
export type AgentDebugConfig = boolean | { events?: boolean; lifecycle?: boolean; verbose?: boolean };

/**
 * The option `debug` of a function: a logger, `true` for one that prints all, or nothing.
 *
 * @example
 * ```ts
 * import { type DebugLoggerInput, verifyEvents } from 'ag-ui-native/operators';
 *
 * const debug: DebugLoggerInput = false;
 * const verify = verifyEvents(debug);
 * ```
 */
export type DebugLoggerInput = DebugLogger | boolean | null | undefined;

/**
 * Returns the parts that an agent's setting `debug` selects.
 *
 * @example
 * ```ts
 * import { resolveAgentDebugConfig } from 'ag-ui-native/operators';
 *
 * resolveAgentDebugConfig(undefined).enabled; // => false
 * ```
 */
export function resolveAgentDebugConfig(debug: AgentDebugConfig | undefined): ResolvedAgentDebugConfig {
  if (!debug) return { enabled: false, events: false, lifecycle: false, verbose: false };
  if (debug === true) return { enabled: true, events: true, lifecycle: true, verbose: true };
  const { events = true, lifecycle = true, verbose = false } = debug;
  return { enabled: events || lifecycle, events, lifecycle, verbose };
}

/**
 * Prints the steps of a pipeline to the debug console.
 *
 * @example
 * ```ts
 * import { DebugLogger, resolveAgentDebugConfig } from 'ag-ui-native/operators';
 *
 * const logger = new DebugLogger(resolveAgentDebugConfig({ events: false, lifecycle: true }));
 * [logger.enabled, logger.lifecycleEnabled, logger.eventsEnabled]; // => [true, true, false]
 * ```
 */
export class DebugLogger {
  readonly #config: ResolvedAgentDebugConfig;

  constructor(config: ResolvedAgentDebugConfig) {
    this.#config = config;
  }

  /** Prints an event: whole if verbose, else its summary. */
  event(prefix: string, label: string, data: unknown, summary?: Record<string, unknown>): void {
    const { events, verbose } = this.#config;
    if (!events) return;
    const shown = verbose ? (typeof data === 'string' ? data : JSON.stringify(data)) : (summary ?? data);
    console.debug(`[${prefix}] ${label}`, shown);
  }

  /** Prints a step of a stream. */
  lifecycle(prefix: string, label: string, data?: Record<string, unknown>): void {
    if (this.#config.lifecycle) console.debug(`[${prefix}] ${label}`, ...(data ? [data] : []));
  }

  get eventsEnabled(): boolean {
    return this.#config.events;
  }

  get lifecycleEnabled(): boolean {
    return this.#config.lifecycle;
  }

  get enabled(): boolean {
    return this.#config.enabled;
  }
}

/**
 * Returns a logger if any part is printed.
 *
 * @example
 * ```ts
 * import { createDebugLogger, resolveAgentDebugConfig } from 'ag-ui-native/operators';
 *
 * createDebugLogger(resolveAgentDebugConfig(false)); // => undefined
 * ```
 */
export function createDebugLogger(config: ResolvedAgentDebugConfig): DebugLogger | undefined {
  return config.enabled ? new DebugLogger(config) : undefined;
}

/**
 * Returns the logger for an option `debug`; it may be one of another package.
 *
 * @example
 * ```ts
 * import { resolveDebugLogger } from 'ag-ui-native/operators';
 *
 * resolveDebugLogger(true)?.enabled; // => true
 * ```
 */
export function resolveDebugLogger(input: DebugLoggerInput): DebugLogger | undefined {
  if (input === true) return new DebugLogger(resolveAgentDebugConfig(true));
  const isLogger = typeof input === 'object' && typeof input?.event === 'function' && typeof input.lifecycle === 'function';
  return isLogger ? input : undefined;
}
