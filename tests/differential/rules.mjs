// Which rule a failure of the official client means: it has message texts only.

const verification = [
  ['V01', /The run has already errored/],
  ['V02', /The run has already finished/],
  ['V03', /^First event must be 'RUN_STARTED'/],
  ['V04', /while a run is still active/],
  ['V05', /^Cannot send '\w+' with 'subagentRunId: null'/],
  ['V06', /^Cannot send 'SUBAGENT_\w+' with '(description|parent\w+|outcome|code): null'/],
  ['V07', /with outcome type '/],
  ['V08', /with 'outcome.interruptIds: null'/],
  ['V09', /non-string entry in 'outcome.interruptIds'/],
  ['V10', /with an interrupt \(id '.*'\) carrying 'subagentRunId: null'/s],
  ['V11', /^Cannot send a message \(id '.*'\) with 'subagentRunId: null'/s],
  ['V12', /A text message with ID '.*' is already in progress/s],
  ['V13', /No active text message found/],
  ['V14', /does not match the .* opener's subagent/s],
  ['V16', /A tool call with ID '.*' is already in progress/s],
  ['V17', /does not match its parent message/],
  ['V18', /tool call '.*' is owned by '.*' but its parent message/s],
  ['V19', /No active tool call found/],
  ['V20', /^Step ".*" is already active/s],
  ['V21', /: that step is open under/],
  ['V22', /that was not started$/],
  ['V23', /A reasoning span with ID '.*' is already in progress/s],
  ['V24', /A reasoning message with ID '.*' is already in progress/s],
  ['V25', /No active reasoning span found/],
  ['V26', /No active reasoning message found/],
  ['V27', /without a 'subagentRunId'/],
  ['V28', /without a 'name'/],
  ['V29', /subagent '.*' is already active/s],
  ['V30', /has already finished in this run/],
  ['V31', /has not been started in this run/],
  ['V32', /without a 'message'/],
  ['V33', /no active subagent found/],
  ['V34', /while steps are still active/],
  ['V35', /while text messages are still active/],
  ['V36', /while reasoning messages are still active/],
  ['V37', /while reasoning spans are still active/],
  ['V38', /while tool calls are still active/],
  ['V39', /while subagents are still active/],
];

const others = [
  ['C01', /chunk subagentRunId '.*' does not match the open stream's subagent/s],
  ['C02', /^Ambiguous \w+_CHUNK/],
  ['C03', /chunk \w+ '.*' does not match the open stream's \w+ /s],
  ['C04', /^First TEXT_MESSAGE_CHUNK must have a messageId/],
  ['C05', /^First TOOL_CALL_CHUNK must have a toolCallId/],
  ['C06', /^First TOOL_CALL_CHUNK must have a toolCallName/],
  ['C07', /^First REASONING_MESSAGE_CHUNK must have a messageId/],
  ['A01', /_CHUNK must be transformed before being applied/],
  ['L01', /pending interrupt\(s\) not addressed by resume/],
  ['L02', /expired at .* can no longer be answered/s],
];

/** Returns the rule of the failure: E01 for enforcement, X00 for a failure of the client itself. */
export function ruleOf(error) {
  if (error?.name === 'ZodError') return 'E01';
  if (['TypeError', 'RangeError', 'DataCloneError'].includes(error?.name)) return 'X00';
  const found = [...verification, ...others].find(([, text]) => text.test(error.message));
  if (!found) throw new Error('a failure of the official client that no rule explains', { cause: error });
  return found[0];
}
