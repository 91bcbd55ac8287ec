/** Returns the smallest stream that removing events and members gives, if `isBad` still holds for it. */
export async function shrink(stream, isBad) {
  for (;;) {
    const smaller = await firstBad(candidates(stream), isBad);
    if (!smaller) return stream;
    stream = smaller;
  }
}

async function firstBad(candidates, isBad) {
  for (const candidate of candidates) {
    // A candidate that is not a stream any more proves nothing.
    if (await Promise.resolve(candidate).then(isBad).catch(() => false)) return candidate;
  }
}

/** Yields smaller streams: without half, a quarter or one of the events; without a member; without an element of a list. */
function* candidates(stream) {
  const { events, ...rest } = stream;
  for (let size = events.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < events.length; at += size) yield { ...stream, events: events.toSpliced(at, size) };
  }
  for (const key of ['messages', 'state', 'pendingInterrupts', 'resume']) {
    if (key in rest) {
      const { [key]: _, ...others } = stream;
      yield others;
    }
  }
  for (const smaller of without(events)) yield { ...stream, events: smaller };
  for (const smaller of without(rest.messages ?? [])) yield { ...stream, messages: smaller };
}

/** Yields the value without one of its parts. */
function* without(value) {
  if (typeof value !== 'object' || value === null) return;
  // The type is kept, because it decides which other members there are.
  for (const key of Object.keys(value).filter((key) => key !== 'type')) {
    const at = Number(key);
    const put = (inner) => (Array.isArray(value) ? value.with(at, inner) : { ...value, [key]: inner });
    if (Array.isArray(value)) yield value.toSpliced(at, 1);
    else {
      const { [key]: _, ...others } = value;
      yield others;
    }
    for (const inner of without(value[key])) yield put(inner);
  }
}
