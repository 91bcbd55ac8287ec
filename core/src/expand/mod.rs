//! Chunk expansion: replaces chunk events by the START, CONTENT (or ARGS) and END events that they mean.
//!
//! A chunked stream has no END of its own. Every owner (the parent agent, each subagent invocation) has a *lane*
//! that holds one stream at a time; other events of that owner, and the ends of runs and subagents, close it.

mod stream;

use crate::collections::IndexMap;
use crate::error::Error;
use crate::limits::Limits;
use crate::rule::Rule;
use crate::types::{Event, SubagentErrorEvent, SubagentFinishedEvent};
use crate::verify::{EntityKind, Owner};
use stream::{Chunk, Stream, StreamKind};

/// The expansion of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    /// Events made, in order.
    pub made: Vec<Event>,
    /// The event itself, after those made, unless it was a chunk.
    pub passed: Option<Event>,
}

/// Expands the chunks of one stream of events. The end of the stream closes no open chunk.
///
/// ```
/// use ag_ui_native::stream::ChunkExpander;
/// use ag_ui_native::types::{StepStartedEvent, TextMessageChunkEvent};
///
/// let mut expander = ChunkExpander::default();
/// let chunk = TextMessageChunkEvent::new().with_message_id("m").with_delta("Hi");
/// let events = expander.push(chunk.into())?.chain(expander.push(StepStartedEvent::new("look").into())?);
/// let tags: Vec<String> = events.map(|event| event.tag().to_owned()).collect();
/// assert_eq!(tags, ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "STEP_STARTED"]);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ChunkExpander {
    limits: Limits,
    /// The lanes in use since all were closed, by owner. A closed lane holds no stream.
    lanes: IndexMap<Option<String>, Option<Stream>>,
    /// For each kind, the open streams by id, with the place of the lane that holds each.
    holders: [IndexMap<String, usize>; 3],
    /// Number of streams opened so far.
    opened: u64,
}

impl ChunkExpander {
    /// Creates an expander for a new stream of events, under the limits `id_bytes` and `open_entities`.
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes the next event of the stream. Returns the ends of the streams that it closes, then the event or its expansion.
    /// A chunk that breaks a rule (`C01` to `C07`) or exceeds a limit is refused and changes nothing.
    pub fn push(&mut self, event: Event) -> Result<impl Iterator<Item = Event> + use<>, Error> {
        self.expand(event).map(|Expansion { made, passed }| made.into_iter().chain(passed))
    }

    /// Takes the next event like [`push`](Self::push), but returns the new events separately from the event itself.
    #[doc(hidden)]
    pub fn expand(&mut self, event: Event) -> Result<Expansion, Error> {
        let chunk = match event {
            Event::TextMessageChunk(chunk) => Chunk::from(chunk),
            Event::ToolCallChunk(chunk) => Chunk::from(chunk),
            Event::ReasoningMessageChunk(chunk) => Chunk::from(chunk),
            other => return Ok(Expansion { made: self.close_before(&other), passed: Some(other) }),
        };
        let kind = chunk.kind();
        match self.chunk(chunk) {
            Ok(made) => Ok(Expansion { made, passed: None }),
            Err(error) => Err(Error { event_type: Some(kind.chunk_type().as_str()), ..error }),
        }
    }

    /// Returns the number of streams opened so far.
    #[doc(hidden)]
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// True if `made` ends one stream and opens another of the same kind, and no other stream is open. Ids are opaque: a chunk that
    /// differs from the first only in its id then has the same expansion with that id.
    #[doc(hidden)]
    pub fn has_renewed(&self, made: &[Event]) -> bool {
        let [end, _, delta] = made else { return false };
        let is_of_text = matches!((end, delta), (Event::TextMessageEnd(_), Event::TextMessageContent(_)));
        let is_of_call = matches!((end, delta), (Event::ToolCallEnd(_), Event::ToolCallArgs(_)));
        let is_of_reasoning =
            matches!((end, delta), (Event::ReasoningMessageEnd(_), Event::ReasoningMessageContent(_)));
        self.open_count() == 1 && (is_of_text || is_of_call || is_of_reasoning)
    }

    /// Returns the number of open streams.
    #[doc(hidden)]
    pub fn open_count(&self) -> usize {
        self.holders.iter().map(IndexMap::len).sum()
    }

    /// Closes the streams that `event` ends. The event is not a chunk.
    fn close_before(&mut self, event: &Event) -> Vec<Event> {
        match event {
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::MessagesSnapshot(_) => self.close_all(),
            Event::Raw(_)
            | Event::ActivitySnapshot(_)
            | Event::ActivityDelta(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::SubagentStarted(_)
            | Event::Unknown(_) => Vec::new(),
            Event::SubagentFinished(SubagentFinishedEvent { subagent_run_id, .. })
            | Event::SubagentError(SubagentErrorEvent { subagent_run_id, .. }) => {
                self.close_lane_of(Owner(Some(subagent_run_id)))
            }
            _ => self.close_lane_of(Owner(event.subagent_run_id())),
        }
    }

    fn close_all(&mut self) -> Vec<Event> {
        self.holders.iter_mut().for_each(IndexMap::clear);
        let lanes = self.lanes.drain(..);
        let mut open: Vec<_> = lanes.filter_map(|(owner, stream)| Some((owner, stream?))).collect();
        open.sort_unstable_by_key(|(_, stream)| stream.place);
        open.into_iter().map(|(owner, stream)| stream.end(owner)).collect()
    }

    fn close_lane_of(&mut self, owner: Owner<'_>) -> Vec<Event> {
        let lane = self.lanes.get_index_of(&owner);
        lane.and_then(|lane| self.close(lane)).into_iter().collect()
    }

    fn close(&mut self, lane: usize) -> Option<Event> {
        let (owner, stream) = self.lanes.get_index_mut(lane)?;
        let stream = stream.take()?;
        self.holders[stream.kind() as usize].swap_remove(&stream.id);
        Some(stream.end(owner.clone()))
    }

    fn chunk(&mut self, chunk: Chunk) -> Result<Vec<Event>, Error> {
        let lane = self.find(&chunk)?;
        match self.held(lane) {
            Some((owner, stream)) if chunk.continues(stream) => chunk.resume(owner, stream),
            _ => self.open(lane, chunk),
        }
    }

    /// Returns the lane of a chunk; `None` if its owner has none yet.
    fn find(&self, chunk: &Chunk) -> Result<Option<usize>, Error> {
        let kind = chunk.kind();
        let holders = &self.holders[kind as usize];
        let tag = Owner(chunk.shared.tag.as_deref());
        if let Some(id) = &chunk.id
            && let Some(&lane) = holders.get(id)
        {
            return match self.held(Some(lane)) {
                Some((owner, _)) if tag.0.is_some() && tag != owner => {
                    let detail = format!("{} under {tag}, open under {owner}", kind.named(id));
                    Err(Error::broken(Rule::C01, detail))
                }
                _ => Ok(Some(lane)),
            };
        }
        let own = self.lanes.get_index_of(&tag);
        let holds = self.held(own).is_some_and(|(_, stream)| stream.kind() == kind);
        if chunk.id.is_some() || tag.0.is_some() || holds {
            return Ok(own);
        }
        match holders.len() {
            0 => Ok(own),
            1 => Ok(holders.values().next().copied()),
            several => {
                let (name, member) = (kind.chunk_type().as_str(), kind.id_member());
                Err(Error::broken(Rule::C02, format!("{name} without {member}, {several} open")))
            }
        }
    }

    /// Returns the stream that a lane holds, and the lane's owner.
    fn held(&self, lane: Option<usize>) -> Option<(Owner<'_>, &Stream)> {
        let (owner, stream) = self.lanes.get_index(lane?)?;
        Some((Owner(owner.as_deref()), stream.as_ref()?))
    }

    /// Opens a stream in a lane, and closes the stream that the lane holds.
    fn open(&mut self, lane: Option<usize>, chunk: Chunk) -> Result<Vec<Event>, Error> {
        let (kind, has_content) = (chunk.kind(), chunk.has_content());
        let Chunk { id, mut opener, delta, shared } = chunk;
        let Some(id) = id else { return Err(Error::broken(kind.id_missing(), "")) };
        opener.complete(&id)?;
        let names = [Some(&id), shared.tag.as_ref()].into_iter().chain(opener.names());
        names.flatten().try_for_each(|name| self.limits.check_id(name))?;
        let closing = usize::from(self.held(lane).is_some());
        self.limits.check_open(self.open_count() - closing)?;

        let mut made: Vec<_> = lane.and_then(|lane| self.close(lane)).into_iter().collect();
        let lane = lane.unwrap_or_else(|| self.lanes.insert_full(shared.tag.clone(), None).0);
        self.holders[kind as usize].insert(id.clone(), lane);
        let stream = Stream { id, opener, place: self.opened };
        self.opened += 1;
        if has_content {
            made.push(stream.start(shared.for_start()));
            made.push(stream.content(None, delta, shared));
        } else {
            made.push(stream.start(shared));
        }
        self.lanes[lane] = Some(stream);
        Ok(made)
    }

    /// Returns the owner of the chunks that have opened an entity of this kind and id, if any have.
    pub(crate) fn holder(&self, kind: EntityKind, id: &str) -> Option<Owner<'_>> {
        let kind = match kind {
            EntityKind::TextMessage => StreamKind::Text,
            EntityKind::ToolCall => StreamKind::ToolCall,
            EntityKind::ReasoningMessage => StreamKind::Reasoning,
            _ => return None,
        };
        let lane = self.holders[kind as usize].get(id)?;
        self.held(Some(*lane)).map(|(owner, _)| owner)
    }

    /// True if no stream is open. Other events are passed on unchanged then.
    pub(crate) fn is_idle(&self) -> bool {
        self.open_count() == 0
    }
}
