import { type Loose, own } from './check.cjs';

/** Characters that JSON escapes, and halves of surrogate pairs that stand alone. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/u;

/** A string as JSON text, as JSON.stringify writes it. */
export function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : '"' + text + '"';
}

/** `out` without its own member `key`; a copy is made the first time. */
export function without(value: Loose, out: Loose, key: string): Loose {
  if (!own(value, key)) return out;
  const copy = out === value ? { ...value } : out;
  delete copy[key];
  return copy;
}

/** A list whose items have been walked; the same list if none changed. */
export function omitEach(value: unknown, omit: (item: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  let out = value;
  for (let at = 0; at < value.length; at++) {
    const item = value[at];
    const next = omit(item);
    if (next === item) continue;
    if (out === value) out = value.slice();
    out[at] = next;
  }
  return out;
}
