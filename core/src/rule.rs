//! The rules of event streams: one table of ids for every language.

use std::fmt;

macro_rules! rules {
    ($($id:ident = $summary:literal, $advice:literal;)+) => {
        /// A rule that an event can break. `V` rules are those of verification, `C` of chunk expansion, `A` of
        /// reduction, `L` of the answers to interrupts.
        ///
        /// ```
        /// use ag_ui_native::stream::EventVerifier;
        /// use ag_ui_native::types::TextMessageEndEvent;
        /// use ag_ui_native::{Event, Limits};
        ///
        /// let error = EventVerifier::new(Limits::default()).check(&Event::from(TextMessageEndEvent::new("m1"))).unwrap_err();
        /// assert_eq!(error.rule().map(|rule| rule.as_str()), Some("V03"));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = concat!("Broken when ", $summary, ": ", $advice, ".")] $id,)+
        }

        impl Rule {
            /// Every rule, in order.
            #[doc(hidden)]
            pub const ALL: &'static [Self] = &[$(Self::$id),+];

            /// The rule's id in every language.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$id => stringify!($id),)+ }
            }

            /// Describes the violation.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$id => $summary,)+ }
            }

            /// Says how to avoid it.
            pub fn advice(self) -> &'static str {
                match self { $(Self::$id => $advice,)+ }
            }
        }
    };
}

rules! {
    V01 = "the run has already ended with RUN_ERROR", "begin a new run with RUN_STARTED";
    V02 = "the run is already finished", "begin a new run with RUN_STARTED";
    V03 = "the stream does not begin with RUN_STARTED", "send RUN_STARTED first";
    V04 = "a run is still active", "end it with RUN_FINISHED or RUN_ERROR before another RUN_STARTED";
    V12 = "a text message with this id is open already", "send its TEXT_MESSAGE_END first";
    V13 = "no text message with this id is open", "send its TEXT_MESSAGE_START first";
    V14 = "the entity belongs to another agent", "send its events under the `subagentRunId` it began with";
    V16 = "a tool call with this id is open already", "send its TOOL_CALL_END first";
    V17 = "the parent message belongs to another agent", "put calls into messages of their own agent";
    V18 = "the tool call and its parent message belong to different agents", "put calls into messages of their own agent";
    V19 = "no tool call with this id is open", "send its TOOL_CALL_START first";
    V20 = "a step with this name is open already", "send its STEP_FINISHED first";
    V21 = "the step is open under another agent", "finish it under the `subagentRunId` it began with";
    V22 = "no step with this name is open", "send its STEP_STARTED first";
    V23 = "a reasoning span with this id is open already", "send its REASONING_END first";
    V24 = "a reasoning message with this id is open already", "send its REASONING_MESSAGE_END first";
    V25 = "no reasoning span with this id is open", "send its REASONING_START first";
    V26 = "no reasoning message with this id is open", "send its REASONING_MESSAGE_START first";
    V29 = "the subagent is active already", "give each invocation an id of its own";
    V30 = "the subagent has ended already", "give each invocation an id of its own";
    V31 = "the parent subagent is unknown in this run", "send its SUBAGENT_STARTED first";
    V33 = "the subagent is not active", "send its SUBAGENT_STARTED first";
    V34 = "the run finishes with steps open", "send their STEP_FINISHED first";
    V35 = "the run finishes with text messages open", "send their TEXT_MESSAGE_END first";
    V36 = "the run finishes with reasoning messages open", "send their REASONING_MESSAGE_END first";
    V37 = "the run finishes with reasoning spans open", "send their REASONING_END first";
    V38 = "the run finishes with tool calls open", "send their TOOL_CALL_END first";
    V39 = "the run finishes with subagents active", "send their SUBAGENT_FINISHED or SUBAGENT_ERROR first";
    V40 = "the run finishes under the id of another run", "send the `runId` of its RUN_STARTED";
    V41 = "the run finishes with the id of another thread", "send the `threadId` of its RUN_STARTED";
    V42 = "the run has another thread than its stream", "send the `threadId` of the run's input";
    V43 = "a run with this id exists already", "give each run of a thread an id of its own";
    V44 = "the last run is not the requested one", "send that run last, under the `runId` of its input";
    V45 = "the input of the run has other ids than the run itself", "send the input with which the run was started";
    V46 = "two interrupts of the run have the same id", "give each its own id: answers refer to it";
    V47 = "a message of another kind has this id", "give each message an id of its own";
    V48 = "the message was opened with another role or name", "open it again as before, or open another";
    V49 = "the tool call was opened with another name or parent", "open it again as before, or open another";
    V50 = "the subagent has sent events before it begins", "send its SUBAGENT_STARTED before its other events";
    V51 = "the named calls are not the pending ones", "name in `pendingToolCallIds` each call of the run that has no result, and no other";
    V52 = "the patch leaves the content of the activity without an object", "patch its members, or put another object there";
    V53 = "the token counts contradict each other", "send the sum of input and output as `totalTokens`, and no part larger than its total";
    C01 = "the chunk belongs to another agent than its stream", "send the chunks of a stream under one `subagentRunId`";
    C02 = "the chunk could belong to several open streams", "name the stream by its id or its `subagentRunId`";
    C03 = "the chunk contradicts the one that opened its stream", "repeat opening members unchanged, or leave them out";
    C04 = "the first chunk of a text message has no id", "send its `messageId`";
    C05 = "the first chunk of a tool call has no id", "send its `toolCallId`";
    C06 = "the first chunk of a tool call has no name", "send its `toolCallName`";
    C07 = "the first chunk of a reasoning message has no id", "send its `messageId`";
    L01 = "a pending interrupt has no answer", "put an entry for each into `resume`";
    L02 = "a pending interrupt has expired", "answer it with the status `cancelled`";
    A01 = "a chunk reached the reducer", "expand chunks first";
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
