//! The kinds of entities that can be open during a run, with their rules.

use std::fmt;

use crate::rule::Rule;

/// A kind of entity that can be open during a run. Each kind has its own ids; steps have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntityKind {
    /// A step; open under the agent that started it.
    Step,
    /// A streamed text message.
    TextMessage,
    /// A streamed reasoning message.
    ReasoningMessage,
    /// A reasoning span.
    ReasoningSpan,
    /// A streamed tool call.
    ToolCall,
    /// The invocation of a subagent.
    Subagent,
}

/// The rules of a kind.
pub(crate) struct EntityRules {
    /// The entity is opened while it is open.
    pub open_already: Rule,
    /// The entity is continued or closed while it is not open.
    pub not_open: Rule,
    /// The entity is open when the run finishes.
    pub left_open: Rule,
}

impl EntityKind {
    /// Every kind, in the order in which they are checked at RUN_FINISHED.
    pub const ALL: &'static [Self] = &[
        Self::Step,
        Self::TextMessage,
        Self::ReasoningMessage,
        Self::ReasoningSpan,
        Self::ToolCall,
        Self::Subagent,
    ];

    /// The kinds that are checked before the ids of interrupts.
    pub(super) const BEFORE_INTERRUPTS: &'static [Self] =
        &[Self::Step, Self::ReasoningMessage, Self::ReasoningSpan];

    /// The kind, for messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::TextMessage => "message",
            Self::ReasoningMessage => "reasoning message",
            Self::ReasoningSpan => "reasoning span",
            Self::ToolCall => "tool call",
            Self::Subagent => "subagent",
        }
    }

    pub(crate) fn rules(self) -> EntityRules {
        let (open_already, not_open, left_open) = match self {
            Self::Step => (Rule::V20, Rule::V22, Rule::V34),
            Self::TextMessage => (Rule::V12, Rule::V13, Rule::V35),
            Self::ReasoningMessage => (Rule::V24, Rule::V26, Rule::V36),
            Self::ReasoningSpan => (Rule::V23, Rule::V25, Rule::V37),
            Self::ToolCall => (Rule::V16, Rule::V19, Rule::V38),
            Self::Subagent => (Rule::V29, Rule::V33, Rule::V39),
        };
        EntityRules { open_already, not_open, left_open }
    }
}

impl fmt::Display for EntityKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
