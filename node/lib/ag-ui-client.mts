import { HttpAgent as OfficialHttpAgent, runHttpRequest } from '@ag-ui/client';
import { type AskLog, connected, logRequest } from './official/connect.cjs';
import { addressed, applied, classBehind, eventsOf } from './official/drop_in.cjs';

type Run = OfficialHttpAgent['run'];
type Apply = Parameters<OfficialHttpAgent['apply']>;

/**
 * The `HttpAgent` of `@ag-ui/client` with the native pipeline: the pipeline reads the response and applies the events. Everything
 * else works as before: observables, middleware, subscribers.
 *
 * @example
 * ```ts
 * import { HttpAgent } from 'ag-ui-native/ag-ui-client';
 *
 * const agent = new HttpAgent({ url: 'http://127.0.0.1:8000/', threadId: 't1' });
 * agent.threadId; // => 't1'
 * ```
 */
export class HttpAgent extends OfficialHttpAgent {
  override run(input: Parameters<Run>[0]): ReturnType<Run> {
    const ask = (sent: typeof input) => this.fetch(...addressed(this.url, this.requestInit(sent)));
    return eventsOf(Observable, ask, input, this.debugLogger);
  }

  /** Returns what the server keeps of the thread, and the events of its active run. A server without a log is not connected to. */
  protected override connect(input: Parameters<Run>[0]): ReturnType<Run> {
    // `abortRun` ends it.
    this.abortController = new AbortController();
    const ask: AskLog = (subject) => this.fetch(...logRequest(this.url, this.requestInit(input), subject));
    return connected(Observable, ask, input as any, this.debugLogger, () => super.connect(input));
  }

  protected override apply(...[input, events, subscribers]: Apply): ReturnType<OfficialHttpAgent['apply']> {
    return applied(input, events, this, subscribers, this.debugLogger);
  }

  override clone(): HttpAgent {
    return super.clone() as HttpAgent;
  }
}

const Observable = classBehind(runHttpRequest);
