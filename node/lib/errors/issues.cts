import { mapped } from '../json/check.cjs';
import { types, unions } from '../generated/tables.cjs';

/** Returns the value and the declared kind at `path` inside a value of `kind` (in the code of `tables.cts`). For a path into content it returns the content. */
export function placeAt(kind: string, value: any, path: (string | number)[]): Place {
  for (const [depth, key] of path.entries()) {
    // For zod, content is a union of two types, and the value fits neither.
    if (kind === 'c') return { kind, value, depth, isInside: true };
    if (kind.startsWith('U')) kind = 'T' + (variantOf(kind.slice(1), value) ?? '');
    const inner = kind.startsWith('T') ? types[kind.slice(1)]?.[key] : kind.slice(1);
    if (!inner) return {};
    kind = inner;
    value = value?.[key];
  }
  return { kind, value };
}

interface Place {
  kind?: string;
  value?: unknown;
  /** The number of keys that lead to the value, if they are fewer than all. */
  depth?: number;
  /** True if the fault is inside content. */
  isInside?: boolean;
}

/** Returns the type of a value of a union, if its tag names one. */
export function variantOf(union: string, value: any): string | undefined {
  const { tag, variants } = unions[union]!;
  const name = value?.[tag];
  return typeof name === 'string' && Object.hasOwn(variants, name) ? variants[name] : undefined;
}

/** Returns zod's code for the same fault. */
export function zodCode(code: string, { kind, value }: Place): string {
  switch (code) {
    case 'missing_field':
    case 'null_not_allowed':
    case 'wrong_type':
      return byKind(kind);
    case 'not_an_object':
    case 'not_an_integer':
      return 'invalid_type';
    case 'invalid_value':
      return 'invalid_value';
    case 'unknown_variant':
    case 'unknown_event_type':
    case 'missing_event_type':
      return 'invalid_union';
    case 'invalid_pointer':
      return 'invalid_format';
    case 'too_few_items':
      return 'too_small';
    case 'number_out_of_range':
      return typeof value === 'number' && value < 0 ? 'too_small' : 'too_big';
    case 'unknown_field':
      return 'unrecognized_keys';
    default:
      return 'custom';
  }
}

function byKind(kind: string | undefined): string {
  switch (kind) {
    case 'a':
    case 'd':
      return 'custom';
    case 'l':
    case 'e':
      return 'invalid_value';
    case 'c':
    case undefined:
      return 'invalid_union';
    default:
      return 'invalid_type';
  }
}

/**
 * Returns the part of a value of `kind` that core validates: the declared members. A free value is reduced to its presence. A value
 * without a JSON form is replaced by a number that no member accepts. So the size and the cycles of free values do not matter.
 */
export function summary(kind: string, value: any): unknown {
  switch (typeof value) {
    case 'undefined':
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : NO_JSON;
    case 'object':
      break;
    default:
      return kind === 'a' ? 0 : NO_JSON;
  }
  if (value === null) return null;
  if (kind === 'a') return 0;
  if (Array.isArray(value)) {
    const item = kind === 'c' ? 'UContentPart' : kind.startsWith('[') ? kind.slice(1) : '';
    return item ? mapped(value, (element) => summary(item, element)) : [];
  }
  const name = kind.startsWith('U') ? variantOf(kind.slice(1), value) : kind.startsWith('T') ? kind.slice(1) : '';
  if (name) {
    const members = Object.entries(types[name]!);
    return Object.fromEntries(members.map(([key, inner]) => [key, summary(inner, value[key])]));
  }
  if (!kind.startsWith('U')) return {};
  const { tag } = unions[kind.slice(1)]!;
  return { [tag]: summary('l', value[tag]) };
}

/** A fraction: it is no text, object, list, boolean or integer, so no member accepts it. */
const NO_JSON = 0.5;
