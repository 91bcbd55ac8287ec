// Event streams in Node, from the bytes of the network to the list of events: three ways to write it.

const SSE = 'text/event-stream';

/** Ours: reads frames, validates, drops unknown parts. */
export function ourStream({ EventDecoder }, reads, contentType = SSE) {
  const decoder = new EventDecoder({ contentType });
  const events = [];
  for (const read of reads) for (const event of decoder.feed(read)) events.push(event);
  for (const event of decoder.close()) events.push(event);
  return events;
}

/** Ours: reads frames, validates, drops unknown parts, expands chunks, verifies the order. */
export function ourPipeline({ EventPipeline }, reads) {
  const pipeline = new EventPipeline({ contentType: SSE, reduce: false });
  const events = [];
  for (const read of reads) for (const event of pipeline.feed(read)) events.push(event);
  for (const event of pipeline.close()) events.push(event);
  return events;
}

/**
 * The official client's parser: alone, with the step that validates and drops unknown parts, or with chunk expansion and
 * verification too.
 */
export function officialStream(client, { Subject }, reads, enforced, verified = false, contentType = SSE) {
  const { transformHttpEventStream, enforceEvents, transformChunks, verifyEvents, HttpEventType } = client;
  const source = new Subject();
  const events = [];
  const parsed = transformHttpEventStream(source);
  let failure;
  let stages = enforced ? parsed.pipe(enforceEvents()) : parsed;
  if (verified) stages = stages.pipe(transformChunks(), verifyEvents());
  stages.subscribe({
    next: (event) => events.push(event),
    error: (error) => (failure = error),
  });
  const headers = new Headers({ 'content-type': contentType });
  source.next({ type: HttpEventType?.HEADERS ?? 'headers', status: 200, headers });
  for (const data of reads) source.next({ type: HttpEventType?.DATA ?? 'data', data });
  source.complete();
  if (failure) throw failure;
  return events;
}

/** The shortest loop that reads this stream. It validates nothing, and knows only one kind of line ends. */
export function splitStream(reads) {
  const decoder = new TextDecoder();
  const events = [];
  let rest = '';
  for (const read of reads) {
    const frames = (rest + decoder.decode(read, { stream: true })).split('\n\n');
    rest = frames.pop();
    for (const frame of frames) events.push(JSON.parse(frame.slice(6)));
  }
  return events;
}
