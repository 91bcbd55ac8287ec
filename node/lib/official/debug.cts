/** The parts of a pipeline that are printed. */
export interface ResolvedAgentDebugConfig {
  enabled: boolean;
  events: boolean;
  lifecycle: boolean;
  verbose: boolean;
}

/** The same, as it is asked for. */
export type AgentDebugConfig = boolean | { events?: boolean; lifecycle?: boolean; verbose?: boolean };

/** The option `debug` of a function: a logger, `true` for one that prints all, or nothing. */
export type DebugLoggerInput = DebugLogger | boolean | null | undefined;

/** Says what an agent's `debug` asks for. */
export function resolveAgentDebugConfig(debug: AgentDebugConfig | undefined): ResolvedAgentDebugConfig {
  if (!debug) return { enabled: false, events: false, lifecycle: false, verbose: false };
  if (debug === true) return { enabled: true, events: true, lifecycle: true, verbose: true };
  const { events = true, lifecycle = true, verbose = false } = debug;
  return { enabled: events || lifecycle, events, lifecycle, verbose };
}

/** Prints to the debug console what happens in a pipeline. */
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

  /** Prints what happens to a stream. */
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

/** A logger, if there is anything to print. */
export function createDebugLogger(config: ResolvedAgentDebugConfig): DebugLogger | undefined {
  return config.enabled ? new DebugLogger(config) : undefined;
}

/** The logger that is meant, of this package or another. */
export function resolveDebugLogger(input: DebugLoggerInput): DebugLogger | undefined {
  if (input === true) return new DebugLogger(resolveAgentDebugConfig(true));
  const isLogger = typeof input === 'object' && typeof input?.event === 'function' && typeof input.lifecycle === 'function';
  return isLogger ? input : undefined;
}
