// The class of the addon for a client that reads on when the connection of a run with a log is lost.

/** The headers of a response. */
export interface ResumableHead {
  cursor?: string | undefined;
  prefix?: string | undefined;
  heartbeat?: string | undefined;
  location?: string | undefined;
  contentType: string;
  retryAfter?: string | undefined;
}

/** The next step: `pause` has milliseconds, `fail` an error's description. */
export interface ResumedStep {
  kind: 'read' | 'ended' | 'pause' | 'fail';
  pause?: number | null | undefined;
  error?: string | null | undefined;
}

/** The stream of a run over its connections. `chance` is a random number from 0 to 1. */
export interface ResumableRun {
  /** Takes the next bytes. Returns whole events, and the description of the error behind them. */
  feed(bytes: Uint8Array): { bytes: Uint8Array; error?: string | null | undefined };
  /** The connection is lost, or an attempt had no answer. */
  lost(chance: number): ResumedStep;
  /** Takes the response to a request for the rest of the run. */
  answered(status: number, head: ResumableHead, chance: number, wall: number): ResumedStep;
  /** The headers of that request, as JSON text. */
  headers(): string;
  readonly hasEnded: boolean;
  /** The addresses of the rest of the run, and to cancel it. */
  readonly location: string;
  readonly cancelLocation: string;
  /** The time of silence after which the connection counts as lost, in milliseconds. */
  readonly silence?: number | null;
}

/** The class. */
export interface ResumableNative {
  ResumableRun: {
    /** The time to wait for the answer to a cancel, in milliseconds. */
    cancelTimeout(): number;
    /** Returns nothing if the server does not say how to resume. The options are JSON text. */
    open(head: ResumableHead, reconnect: string, options: string): ResumableRun | null | undefined;
  };
}
