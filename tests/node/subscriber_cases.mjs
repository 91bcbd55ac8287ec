// The input of tests/fixtures/client/subscriber_cases.json: events in, subscribers as data. record_subscribers.mjs adds the results
// of the official client. tests/fixtures/README.md explains the members.

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const run = (...events) => [started, ...events, finished];

const text = (id, ...deltas) => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
const reasoning = (id, ...deltas) => [
  { type: 'REASONING_START', messageId: `${id}-span` },
  { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' },
  ...deltas.map((delta) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId: id, delta })),
  { type: 'REASONING_MESSAGE_END', messageId: id },
  { type: 'REASONING_END', messageId: `${id}-span` },
];
const call = (id, ...deltas) => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'look' },
  ...deltas.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })),
  { type: 'TOOL_CALL_END', toolCallId: id },
];
const result = (id, toolCallId, content) => ({ type: 'TOOL_CALL_RESULT', messageId: id, toolCallId, content });
const snapshot = (value) => ({ type: 'STATE_SNAPSHOT', snapshot: value });
const delta = (...operations) => ({ type: 'STATE_DELTA', delta: operations });
const activity = (id, content, replace) => ({ type: 'ACTIVITY_SNAPSHOT', messageId: id, activityType: 'plan', content, ...(replace === undefined ? {} : { replace }) });

const user = { id: 'u', role: 'user', content: 'Hi' };
const other = { id: 'o', role: 'user', content: 'Other' };
const plan = { id: 'a', role: 'activity', activityType: 'plan', content: { steps: 1 } };
const interrupt = { id: 'i', reason: 'confirm', message: 'Sure?' };

/** The value that a callback returns, at each call or at the `at`-th one. */
const answer = (what, at) => (at === undefined ? [what] : [{ at, ...what }]);
const throws = (words = 'refused') => ({ throw: words });
const stop = { stopPropagation: true };

/** A subscriber that has every callback, and returns these answers. */
const says = (answers = {}) => ({ answers });
const watch = says();

const everything = run(
  { type: 'STEP_STARTED', stepName: 's' },
  ...text('m', 'Hel', 'lo'),
  ...reasoning('q', 'Hm', 'm'),
  ...call('c', '{"a":', '1}'),
  result('n', 'c', 'seen'),
  snapshot({ n: 1 }),
  delta({ op: 'replace', path: '/n', value: 2 }),
  activity('p', { steps: 1 }),
  { type: 'ACTIVITY_DELTA', messageId: 'p', activityType: 'plan', patch: [{ op: 'replace', path: '/steps', value: 2 }] },
  { type: 'SUBAGENT_STARTED', subagentRunId: 'sub', name: 'helper' },
  { type: 'SUBAGENT_FINISHED', subagentRunId: 'sub' },
  { type: 'SUBAGENT_STARTED', subagentRunId: 'bad', name: 'helper' },
  { type: 'SUBAGENT_ERROR', subagentRunId: 'bad', message: 'oh' },
  { type: 'RAW', event: { any: 1 } },
  { type: 'CUSTOM', name: 'c', value: 1 },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'q', encryptedValue: 'x' },
  { type: 'MESSAGES_SNAPSHOT', messages: [user, { id: 'm', role: 'assistant', content: 'Hello!' }] },
  { type: 'STEP_FINISHED', stepName: 's' },
);

/** Every callback that may stop, with a stream in which it is called. */
const stopping = {
  onEvent: run(...text('m', 'Hi'), snapshot({ n: 1 })),
  onRunStartedEvent: [{ ...started, input: { threadId: 't', runId: 'r', state: {}, messages: [user], tools: [], context: [], forwardedProps: {} } }, finished],
  onRunFinishedEvent: [started, ...call('c', '{}'), { ...finished, result: 7 }],
  onRunErrorEvent: [started, { type: 'RUN_ERROR', message: 'oh', code: 'e' }],
  onStepStartedEvent: run({ type: 'STEP_STARTED', stepName: 's' }, { type: 'STEP_FINISHED', stepName: 's' }),
  onTextMessageStartEvent: run(...text('m', 'Hi')),
  onTextMessageContentEvent: run(...text('m', 'Hi', ' you')),
  onTextMessageEndEvent: run(...text('m', 'Hi').slice(0, -1), { type: 'TEXT_MESSAGE_END', messageId: 'm', metadata: { k: 1 } }),
  onReasoningMessageStartEvent: run(...reasoning('q', 'Hm')),
  onReasoningMessageContentEvent: run(...reasoning('q', 'Hm', 'm')),
  onReasoningMessageEndEvent: run(...reasoning('q', 'Hm')),
  onReasoningEncryptedValueEvent: run(...reasoning('q', 'Hm'), { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'q', encryptedValue: 'x' }),
  onToolCallStartEvent: run(...call('c', '{}')),
  onToolCallArgsEvent: run(...call('c', '{"a":', '1}')),
  onToolCallEndEvent: run(...call('c', '{}')),
  onToolCallResultEvent: run(...call('c', '{}'), result('n', 'c', 'seen')),
  onStateSnapshotEvent: run(snapshot({ n: 1 }), delta({ op: 'add', path: '/m', value: 1 })),
  onStateDeltaEvent: run(snapshot({ n: 1 }), delta({ op: 'add', path: '/m', value: 1 })),
  onMessagesSnapshotEvent: run({ type: 'MESSAGES_SNAPSHOT', messages: [other] }),
  onActivitySnapshotEvent: run(activity('p', { steps: 1 }), activity('p', { steps: 2 })),
  onActivityDeltaEvent: run(activity('p', { steps: 1 }), { type: 'ACTIVITY_DELTA', messageId: 'p', activityType: 'plan', patch: [{ op: 'replace', path: '/steps', value: 2 }] }),
  onCustomEvent: run({ type: 'CUSTOM', name: 'c', value: 1 }),
};

const found = 'the target was found before the callback replaced the list: the effect of the event itself is lost';
/** Callbacks for which the reference finds the target before it calls them, and where this changes the result. */
const early = new Set([
  'onTextMessageContentEvent', 'onTextMessageEndEvent', 'onReasoningMessageEndEvent', 'onToolCallEndEvent', 'onActivityDeltaEvent',
]);

export const cases = [
  { name: 'every callback, two subscribers', events: everything, subscribers: [watch, watch] },
  { name: 'no subscribers', messages: [user], events: run(...text('m', 'Hi')), subscribers: [] },
  { name: 'slow callbacks are waited for', events: run(...text('m', 'Hi'), snapshot({ n: 1 })), subscribers: [{ ...watch, slow: true }, watch] },
  { name: 'a history, and a state', messages: [user, plan], state: { n: 0 }, events: run(...text('m', 'Hi'), delta({ op: 'replace', path: '/n', value: 1 })), subscribers: [watch] },
  { name: 'chunks are offered as what they stand for', events: run({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Hi' }, { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'look', delta: '{}' }), subscribers: [watch] },
  { name: 'the message is there already', messages: [{ id: 'm', role: 'assistant', content: 'So: ' }], events: run(...text('m', 'Hi')), subscribers: [watch] },
  { name: 'text of an unknown message, and of an activity', messages: [plan], events: run(...text('a', 'Hi')), subscribers: [watch] },
  { name: 'a patch that does not apply', events: run(delta({ op: 'remove', path: '/none' })), subscribers: [watch] },
  { name: 'an empty patch', events: run(delta()), subscribers: [watch] },
  { name: 'arguments that are no JSON', events: run(...call('c', '{"a')), subscribers: [watch] },
  { name: 'arguments that are no object', events: run(...call('c', '[1,', '2]')), subscribers: [watch] },
  { name: 'a call without arguments', events: run(...call('c')), subscribers: [watch] },
  { name: 'a call in a message, with metadata', events: run(...text('m', 'Hi'), { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'look', parentMessageId: 'm', metadata: { k: 1 } }, { type: 'TOOL_CALL_END', toolCallId: 'c', metadata: { l: 2 } }), subscribers: [watch] },
  { name: 'an activity again, with and without replace', events: run(activity('p', { n: 1 }), activity('p', { n: 2 }), activity('p', { n: 3 }, false)), subscribers: [watch] },
  { name: 'an activity in place of a message', messages: [user], events: run(activity('u', { n: 1 })), subscribers: [watch] },
  { name: 'a delta of no activity', messages: [user], events: run({ type: 'ACTIVITY_DELTA', messageId: 'u', activityType: 'plan', patch: [] }, { type: 'ACTIVITY_DELTA', messageId: 'none', activityType: 'plan', patch: [] }), subscribers: [watch] },
  { name: 'the input has messages', messages: [user], events: stopping.onRunStartedEvent, subscribers: [watch] },
  { name: 'an interrupt', events: [started, { ...finished, outcome: { type: 'interrupt', interrupts: [interrupt] } }], subscribers: [watch] },
  { name: 'an answer to an interrupt', pendingInterrupts: [interrupt], resume: [{ interruptId: 'i', status: 'resolved', payload: true }], events: run(), subscribers: [watch] },
  { name: 'no answer to an interrupt', pendingInterrupts: [interrupt], events: run(), subscribers: [watch] },
  { name: 'a cancelled run', events: [started, { ...finished, outcome: { type: 'cancelled' } }], subscribers: [watch] },
  { name: 'calls that are pending', events: [started, ...call('c', '{}'), ...call('d', '{}'), result('n', 'c', 'seen'), { ...finished, result: { a: 1 } }], subscribers: [watch] },
  { name: 'calls that the agent says are pending', events: [started, ...call('c', '{}'), { ...finished, outcome: { type: 'success', pendingToolCallIds: ['x'] } }], subscribers: [watch] },
  { name: 'an error of the agent', events: [started, ...text('m', 'Hi').slice(0, 2), { type: 'RUN_ERROR', message: 'oh', code: 'e' }], subscribers: [watch] },
  { name: 'two runs in one stream', events: [...run(...text('m', 'Hi')), ...run(...text('n', 'Ho'))], subscribers: [watch] },

  // Failures.
  { name: 'an event that may not come', events: [started, ...text('m', 'Hi').slice(1)], subscribers: [watch, watch] },
  { name: 'an event that is none', events: [started, { type: 'TEXT_MESSAGE_START' }], subscribers: [watch] },
  { name: 'a connection that is lost', events: [started, ...text('m', 'Hi').slice(0, 2)], fails: true, subscribers: [watch] },
  { name: 'a failure that a subscriber handles', events: [started], fails: true, subscribers: [watch, says({ onRunFailed: answer(stop) }), watch] },
  { name: 'a failure changes the conversation', events: [started, ...text('m', 'Hi').slice(0, 2)], fails: true, subscribers: [says({ onRunFailed: answer({ messages: [other], state: { failed: true } }) }), watch] },
  { name: 'a failure of whom is told of it', events: [started], fails: true, subscribers: [says({ onRunFailed: answer(throws()) }), watch] },
  ...['onNewMessage', 'onMessagesChanged'].map((name) => ({ name: `${name} throws`, events: run(...text('m', 'Hi')), subscribers: [says({ [name]: answer(throws()) }), watch] })),
  { name: 'onNewToolCall throws', events: run(...call('c', '{}')), subscribers: [says({ onNewToolCall: answer(throws()) }), watch] },
  { name: 'onStateChanged throws', events: run(snapshot({ n: 1 })), subscribers: [says({ onStateChanged: answer(throws()) }), watch] },
  { name: 'onRunInitialized throws', events: run(), subscribers: [says({ onRunInitialized: answer(throws()) }), watch] },
  { name: 'onRunFinalized throws', events: run(), subscribers: [says({ onRunFinalized: answer(throws()) }), watch] },
  { name: 'onEvent throws each time', events: run(...text('m', 'Hi')), subscribers: [says({ onEvent: answer(throws()) }), watch] },
  { name: 'a rejected promise', events: run(...text('m', 'Hi')), subscribers: [{ ...says({ onTextMessageStartEvent: answer(throws()) }), slow: true }, watch] },
  { name: 'null is no answer', events: run(...text('m', 'Hi')), subscribers: [says({ onTextMessageContentEvent: [null] }), watch] },

  // Mutations.
  { name: 'before the request', messages: [user, plan], state: { n: 0 }, events: run(...text('m', 'Hi'), delta({ op: 'replace', path: '/n', value: 2 })), subscribers: [says({ onRunInitialized: answer({ messages: [other, plan], state: { n: 1 } }) }), watch] },
  { name: 'before the request, one after the other', messages: [user], events: run(), subscribers: [says({ onRunInitialized: answer({ messages: [other] }) }), says({ onRunInitialized: answer({ state: 5 }) }), says({ onRunInitialized: answer({ messages: [] }) })] },
  { name: 'a null tag before the request', messages: [user], events: run(), subscribers: [says({ onRunInitialized: answer({ messages: [{ ...other, subagentRunId: null }] }) }), watch] },
  { name: 'before the request, and a falsy state', state: { n: 0 }, events: run(), subscribers: [says({ onRunInitialized: answer({ state: false }) }), watch] },
  { name: 'after the run', messages: [user], events: run(...text('m', 'Hi')), subscribers: [says({ onRunFinalized: answer({ messages: [other], state: { done: true } }) }), watch], quirk: 'newMessages: the change lands after the result was made' },
  { name: 'at one event', messages: [user], events: run(...text('m', 'Hi')), subscribers: [watch, says({ onEvent: answer({ messages: [other] }, 1) }), watch] },
  { name: 'a state at one event', events: run(snapshot({ n: 1 }), delta({ op: 'replace', path: '/n', value: 2 })), subscribers: [says({ onEvent: answer({ state: { n: 5 } }, 2) }), watch] },
  { name: 'a state of null', state: { n: 1 }, events: run({ type: 'CUSTOM', name: 'c', value: 1 }), subscribers: [says({ onCustomEvent: answer({ state: null }) }), watch] },
  { name: 'two mutations of one event', events: run({ type: 'CUSTOM', name: 'c', value: 1 }), subscribers: [says({ onEvent: answer({ messages: [user] }, 1) }), says({ onCustomEvent: answer({ messages: [other], state: 1 }) }), watch] },
  { name: 'what is returned is copied', events: run(...text('o', '!')), subscribers: [says({ onRunInitialized: answer({ messages: [other] }) }), says({ onTextMessageStartEvent: answer({ messages: [other] }) }), watch] },
  ...Object.entries(stopping).filter(([name]) => name !== 'onEvent').map(([name, events]) => ({
    name: `${name} replaces messages and state`, messages: [user], state: {}, events,
    subscribers: [says({ [name]: answer({ messages: [other, { id: 'm', role: 'assistant', content: 'New' }], state: { set: name } }, 0) }), watch],
    ...(early.has(name) ? { quirk: found } : {}),
  })),

  // Stopping.
  ...Object.entries(stopping).map(([name, events]) => ({ name: `${name} stops`, messages: [{ ...user, id: 'v' }], events, subscribers: [says({ [name]: answer(stop) }), watch] })),
  ...['onEvent', 'onTextMessageStartEvent', 'onStateSnapshotEvent'].map((name) => ({
    name: `${name} replaces and stops`, events: stopping[name], subscribers: [watch, says({ [name]: answer({ ...stop, messages: [other], state: { set: 1 } }, 0) }), watch],
  })),
  { name: 'all events are stopped', events: run(...text('m', 'Hi'), snapshot({ n: 1 })), subscribers: [says({ onEvent: answer(stop) })] },
  { name: 'the end is stopped before anybody hears of it', events: [started, { ...finished, result: 7 }], subscribers: [says({ onEvent: answer(stop, 1) }), watch] },
  { name: 'the interrupt is stopped', events: [started, { ...finished, outcome: { type: 'interrupt', interrupts: [interrupt] } }], subscribers: [says({ onRunFinishedEvent: answer(stop) }), watch] },
  { name: 'stopping is no word of truth', events: run(...text('m', 'Hi')), subscribers: [says({ onTextMessageStartEvent: answer({ stopPropagation: 1 }) }), watch] },
  { name: 'a call whose start is stopped is not pending', events: [started, ...call('c', '{}'), finished], subscribers: [says({ onToolCallStartEvent: answer(stop) }), watch] },
  { name: 'a result that is stopped answers nothing', events: [started, ...call('c', '{}'), result('n', 'c', 'seen'), finished], subscribers: [says({ onToolCallResultEvent: answer(stop) }), watch] },

  // Between runs.
  { name: 'messages are added', messages: [user], actions: [{ addMessage: other }, { addMessages: [{ id: 'b', role: 'assistant', content: 'So', toolCalls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }] }, { id: 't', role: 'tool', toolCallId: 'c', content: 'seen' }] }], subscribers: [watch, watch] },
  { name: 'messages and state are set', messages: [user], actions: [{ setMessages: [other] }, { setState: { n: 1 } }, { setState: null }], subscribers: [watch, { ...watch, slow: true }] },
];
