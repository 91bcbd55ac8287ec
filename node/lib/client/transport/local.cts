import type { State } from '../../generated/types.cjs';
import { expect } from '../../options/kinds.cjs';
import type * as FetchHandler from '../../server/fetch_handler.cjs';
import type { RunOptions } from '../../server/options.cjs';
import type { AgentFunction } from '../../server/run.cjs';
import { Agent } from '../agent.cjs';
import { type AgentOptions, checkNames } from '../options.cjs';

/**
 * The options of an agent in the same program.
 *
 * @example
 * ```ts
 * import { LocalAgent, type LocalAgentOptions } from 'ag-ui-native/client';
 *
 * const options: LocalAgentOptions = { threadId: 't1', server: { timeLimit: 60_000 } };
 * new LocalAgent((run) => run.write('Hello!'), options).threadId; // => 't1'
 * ```
 */
export interface LocalAgentOptions<S = State> extends AgentOptions<S> {
  /** The options of the server for the function. */
  server?: RunOptions | undefined;
}

/**
 * An agent in this process, without a socket: a function as servers take it. It runs as fast as its events are read, and is aborted when the
 * reader stops.
 *
 * @example
 * ```ts
 * import { LocalAgent } from 'ag-ui-native/client';
 *
 * const agent = new LocalAgent(async (run) => {
 *   await run.write('Hello!');
 * });
 * (await agent.ask('Hi')).text; // => 'Hello!'
 * ```
 */
export class LocalAgent<S = State> extends Agent<S> {
  constructor(agent: AgentFunction<any>, given: LocalAgentOptions<S> = {}) {
    expect('callback', 'agent', agent);
    checkNames({ server: 1 }, given);
    const { server, ...options } = given;
    // The server is loaded here because most clients do not need it.
    const { fetchHandler } = require('../../server/fetch_handler.cjs') as typeof FetchHandler;
    const handle = fetchHandler(agent, server);
    super(({ body, accept, signal }) => {
      const headers = { 'content-type': 'application/json', accept };
      return handle(new Request('http://localhost/', { method: 'POST', headers, body, signal }));
    }, options);
  }
}
