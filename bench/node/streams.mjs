// Event streams in Node, from the bytes of the network to the list of events: three ways to write it.

const SSE = 'text/event-stream';

/** Ours: framed, validated, unknown material left out. */
export function ourStream({ EventDecoder }, reads, contentType = SSE) {
  const decoder = new EventDecoder({ contentType });
  const events = [];
  for (const read of reads) for (const event of decoder.feed(read)) events.push(event);
  for (const event of decoder.close()) events.push(event);
  return events;
}

/** Ours: framed, validated, unknown material left out, chunks expanded, the order verified. */
export function ourPipeline({ EventPipeline }, reads) {
  const pipeline = new EventPipeline({ contentType: SSE, reduce: false });
  const events = [];
  for (const read of reads) for (const event of pipeline.feed(read)) events.push(event);
  for (const event of pipeline.close()) events.push(event);
  return events;
}

/** The official client's parser, alone, with the step that validates and leaves unknown material out, or also expanding chunks and verifying the order. */
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

/** The shortest loop that reads this stream; nothing is validated, and other line ends are beyond it. */
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
