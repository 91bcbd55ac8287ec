import { HttpAgent as OfficialHttpAgent, runHttpRequest } from '@ag-ui/client';
import { addressed, applied, classBehind, eventsOf } from './official/drop_in.cjs';

type Run = OfficialHttpAgent['run'];
type Apply = Parameters<OfficialHttpAgent['apply']>;

/**
 * The `HttpAgent` of `@ag-ui/client` with the native pipeline: the pipeline reads the response and applies the events. Everything
 * else works as before: observables, middleware, subscribers.
 */
export class HttpAgent extends OfficialHttpAgent {
  override run(input: Parameters<Run>[0]): ReturnType<Run> {
    const ask = (sent: typeof input) => this.fetch(...addressed(this.url, this.requestInit(sent)));
    return eventsOf(Observable, ask, input, this.debugLogger);
  }

  protected override apply(...[input, events, subscribers]: Apply): ReturnType<OfficialHttpAgent['apply']> {
    return applied(input, events, this, subscribers, this.debugLogger);
  }

  override clone(): HttpAgent {
    return super.clone() as HttpAgent;
  }
}

const Observable = classBehind(runHttpRequest);
