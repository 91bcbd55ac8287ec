import { wrongKind } from '../options/kinds.cjs';

/** Returns the bytes of any view or buffer. */
export function bytesOf(chunk: unknown, name = 'chunk'): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return bytesIn(chunk);
  if (chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) return new Uint8Array(chunk);
  throw wrongKind(name, 'a Uint8Array', chunk);
}

const typed = getters(Object.getPrototypeOf(Uint8Array.prototype));
const plain = getters(DataView.prototype);

/** Returns a reader that uses the built-in getters of a view: a subclass may override them. */
function getters(prototype: object): (view: ArrayBufferView) => [ArrayBuffer, number, number] {
  const [buffer, offset, length] = ['buffer', 'byteOffset', 'byteLength'].map((name) => Object.getOwnPropertyDescriptor(prototype, name)!.get!);
  return (view) => [buffer!.call(view), offset!.call(view), length!.call(view)];
}

function bytesIn(view: ArrayBufferView): Uint8Array {
  const [buffer, offset, length] = (view instanceof DataView ? plain : typed)(view);
  return length === 0 ? new Uint8Array() : new Uint8Array(buffer, offset, length);
}
