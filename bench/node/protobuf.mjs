// The binary transport in Node, against @ag-ui/proto and the official client's parser of it.

import { operation } from './measure.mjs';
import { officialStream, ourStream } from './streams.mjs';

/** The number of events in a stream. The official parser's time grows with the square of the bytes that it gets at once. */
const COUNT = 2_000;

export function protobufOperations({ proto, stream, binary }, official, rxjs, events, streamed) {
  const { AGUI_MEDIA_TYPE } = proto;
  const single = Object.entries(events).flatMap(([name, event]) => {
    const message = official.proto.encode(event);
    return [
      operation(`protobuf encode ${name}`, { ours: () => proto.encode(event), official: () => official.proto.encode(event) }),
      operation(`protobuf decode ${name}`, { ours: () => proto.decode(message), official: () => official.proto.decode(message) }),
    ];
  });
  const { text } = events;
  const memory = new Uint8Array(4096);
  const message = official.proto.encode(text);
  single.push(
    operation(`protobuf encode text into a given buffer`, {
      ours: () => memory.subarray(0, binary.encodeInto(text, memory)),
      official: () => official.binary.encodeBinary(text),
    }),
    // The minimum for an encoder in JavaScript that gives each event memory of its own.
    operation(`protobuf encode text: the memory alone, which V8 makes`, { ours: () => message.slice() }),
  );
  const messages = streamed.slice(0, COUNT).map((event) => official.proto.encode(event));
  const frames = Buffer.concat(messages.flatMap((message) => [lengthOf(message), message]));
  const ways = { 'reads of 1 KB': 1024, 'reads of 64 KB': 65536, 'one read': frames.length };
  const streams = Object.entries(ways).map(([title, size]) => {
    const count = Math.ceil(frames.length / size);
    const reads = Array.from({ length: count }, (_, at) => new Uint8Array(frames.subarray(at * size, (at + 1) * size)));
    return operation(
      `decode a protobuf stream, ${title}, each event`,
      {
        ours: () => ourStream(stream, reads, AGUI_MEDIA_TYPE),
        official: () => officialStream(official.client, rxjs, reads, true, false, AGUI_MEDIA_TYPE),
      },
      { per: messages.length },
    );
  });
  return [...single, ...streams];
}

function lengthOf(message) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return length;
}
