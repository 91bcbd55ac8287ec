// Agents that do random things, some of them refused; each by its seed.

/** Returns a function that gives random numbers below a limit, the same ones for the same seed. */
export function randomness(seed) {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}

const texts = ['', 'a', 'Grüße', '😀 "x"\n', '\u2028\\', 'x'.repeat(300), '\ud800'];
const values = [null, 0, -1.5, 'x', [], {}, { a: { b: [1, 'é'] } }, [[1], { c: null }], 1e21];

/**
 * An agent that takes `steps` random steps and ends in a random way. `record` receives the state that the client must have, as JSON
 * text, and unexpected errors.
 */
export function randomAgent(seed, record) {
  const random = randomness(seed);
  const pick = (list) => list[random(list.length || 1)];
  return async (run) => {
    const scopes = [run];
    const writers = [];
    const activities = [];
    const id = () => (random(3) === 0 ? undefined : String(random(5)));
    const refusals = new Set(['sequence_broken', 'lone_surrogate', 'patch_target_missing', 'reentrant_call']);
    const actions = [
      () => writers.push(pick(scopes).textMessage({ id: id(), role: pick([undefined, 'user', 'system']) })),
      () => writers.push(pick(scopes).reasoning({ id: id() })),
      () => writers.push(pick(scopes).toolCall('f', undefined, { id: id() })),
      () => pick(scopes).toolCall('f', pick([...values.filter((value) => value !== 'x'), '{"a":1}']), { id: id() }).result(pick(texts)),
      () => pick(scopes).write(pick(texts)),
      () => pick(scopes).toolResult(String(random(5)), [{ type: 'text', text: 'x' }]),
      () => writers.push(pick(scopes).step(`step ${random(4)}`)),
      () => scopes.push(pick(scopes).subagent('s', { id: id() })),
      () => pick(scopes.slice(1))?.finish(pick(values)),
      () => pick(scopes.slice(1))?.fail('no'),
      () => pick(scopes).custom('c', pick(values)),
      () => pick(scopes).raw(pick(values)),
      // Two of one id would not know of each other.
      () => activities.push(pick(scopes).activity('a', { at: random(9) })),
      () => pick(activities)?.update({ at: random(9), list: values.slice(0, random(4)) }),
      () => pick(activities)?.patch([{ op: 'remove', path: '/list' }]),
      () => run.messagesSnapshot([{ id: String(random(5)), role: 'user', content: 'Hi' }]),
      () => run.usage({ model: pick(['m', 'n']), inputTokens: random(100) }),
      () => run.flushState(),
      () => run.stateSnapshot(),
      () => pick(scopes).event({ type: 'TEXT_MESSAGE_END', messageId: String(random(5)) }),
      () => new Promise(setImmediate),
    ];
    const states = [
      () => (run.state = { plan: run.state.plan }),
      () => (run.state = { ...run.state, [pick(['a', 'b/~', 'é'])]: pick(values) }),
      () => (run.state.list ??= []).push(random(9)),
      () => run.state.list?.splice(random(3), 1),
      () => delete run.state.a,
    ];
    const writing = [
      () => pick(writers)?.write?.(pick(texts)),
      () => pick(writers)?.end(),
      () => pick(writers)?.encryptedValue?.('secret', pick([undefined, 'p.t'])),
      () => pick(writers)?.result?.('done'),
    ];
    const ends = [
      () => pick(values),
      () => undefined,
      () => {
        throw new Error('password');
      },
      () => run.interrupt({ id: 'i', reason: 'confirmation' }),
      () => run.cancel(),
      () => run.fail('no', { code: 'c' }),
      () => run.finish(pick(values)),
    ];
    const attempt = async (work) => {
      try {
        const answer = work();
        if (random(2) === 0) await answer;
      } catch (error) {
        if (run.signal.aborted && error === run.signal.reason) throw error;
        // Errors that random steps may cause.
        if (!refusals.has(error?.code)) record({ error });
      }
    };
    try {
      for (let step = random(40); step > 0; step--) await attempt(pick(pick([actions, states, writing])));
    } finally {
      if (run.isRunning) record({ state: JSON.stringify(run.state) });
    }
    const result = pick(ends)();
    return typeof result === 'object' && result !== null && 'then' in result ? undefined : result;
  };
}
