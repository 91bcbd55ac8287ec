import { isObject, type Loose, put } from '../json/check.cjs';
import { faultAt } from '../errors/errors.cjs';
import { expect, type KindName, kinds, wrongKind } from './kinds.cjs';
import { token } from '../json/value.cjs';

// Reads options: checks and copies them. The error of a wrong option has its place and shows none of its contents.

/** A value that is wrong for an option, and the pointer to it. */
export interface Fault {
  pointer: string;
  expected: string;
  found: unknown;
  /** The unknown name, such as `option "x"`. */
  unknown?: string;
}

/** Reads the values of one option. */
export interface OptionReader {
  /** Returns the fault of a value that is wrong. */
  fault: (value: any) => Fault | undefined;
  /** Copies a value that the caller could change later. */
  copy?: (value: any) => unknown;
  /** True if null is a value, too. */
  readonly takesNull?: true;
}

/** The reader of every option. */
export type Table<Options> = Record<keyof Options & string, OptionReader>;

/** Reads the values that a function accepts. */
export function one(expected: string, accepts: (value: any) => unknown): OptionReader {
  return { fault: (found) => (accepts(found) ? undefined : { pointer: '', expected, found }) };
}

/** Reads values of a kind of arguments. */
export function kind(name: KindName): OptionReader {
  return one(kinds[name].expected, kinds[name].accepts);
}

/** Reads one of these strings. */
export function oneOf(...all: string[]): OptionReader {
  return one(`${all.slice(0, -1).join(', ')} or ${all.at(-1)}`, (value) => all.includes(value));
}

/** Reads an array whose items `item` reads. */
export function listOf(item: OptionReader): OptionReader {
  return {
    copy: (list) => (Array.isArray(list) ? Array.from(list) : list),
    fault(list) {
      if (!Array.isArray(list)) return { pointer: '', expected: 'an array', found: list };
      for (let at = 0; at < list.length; at++) {
        const fault = item.fault(list[at]);
        if (fault) return { ...fault, pointer: `/${at}${fault.pointer}` };
      }
      return undefined;
    },
  };
}

/** Reads an object with members of any name that `item` reads. */
export function eachOf(item: OptionReader): OptionReader {
  return {
    copy: (given) => (isObject(given) ? { ...given } : given),
    fault(given) {
      if (!isObject(given)) return { pointer: '', expected: 'an object', found: given };
      for (const [name, value] of Object.entries(given)) {
        const fault = value === undefined ? undefined : item.fault(value);
        if (fault) return { ...fault, pointer: `/${token(name)}${fault.pointer}` };
      }
      return undefined;
    },
  };
}

/** Reads an object with these members and no others. Members that are null are absent, unless their reader takes null. */
export function members(table: Readonly<Record<string, OptionReader>>): OptionReader {
  const names = Object.keys(table);
  return {
    copy(given) {
      if (!isObject(given)) return given;
      const kept: Loose = {};
      for (const name of Object.keys(given)) if (!Object.hasOwn(table, name) && given[name] !== undefined) put(kept, name, given[name]);
      for (const name of names) {
        const [value, reader] = [given[name], table[name]!];
        if (value !== undefined && (value !== null || reader.takesNull)) put(kept, name, reader.copy ? reader.copy(value) : value);
      }
      return kept;
    },
    fault(given) {
      if (!isObject(given)) return { pointer: '', expected: `an object with ${names.join(', ')}`, found: given };
      const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
      if (unknown !== undefined) return unknownName(`/${token(unknown)}`, unknown, names, 'option');
      for (const name of names) {
        const fault = Object.hasOwn(given, name) ? table[name]!.fault(given[name]) : undefined;
        if (fault) return { ...fault, pointer: `/${name}${fault.pointer}` };
      }
      return undefined;
    },
  };
}

/** Returns the name that is spelled differently, and all names. */
function meant(name: string, names: readonly string[]): string {
  const plain = (text: string) => text.replaceAll(/[_-]/g, '').toLowerCase();
  const found = names.find((each) => plain(each) === plain(name));
  const all = names.join(', ');
  return found === undefined ? all : `${found}; there are ${all}`;
}

/** Returns the fault of an unknown name. */
export function unknownName(pointer: string, name: string, names: readonly string[], what: string): Fault {
  return { pointer, expected: meant(name, names), found: undefined, unknown: `${what} ${JSON.stringify(name.slice(0, 64))}` };
}

/** The names of options. The values are not used. */
export type Names<Options> = Readonly<Record<keyof Options & string, unknown>>;

/** Returns the given options. Refuses unknown ones: `unknown_field`, with the option as path. */
export function known<Options extends object>(names: Names<Options>, given: Options, what = 'options'): Options {
  expect('object', what, given);
  // `in` needs no list of the names; inherited names are skipped.
  for (const name in given) {
    if (Object.hasOwn(names, name) || !Object.hasOwn(given, name) || (given as Loose)[name] === undefined) continue;
    throw refused(unknownName(`/${token(name)}`, name, Object.keys(names), 'option'));
  }
  return given;
}

/** Returns a copy of the given options. Refuses wrong ones: `wrong_type` or `unknown_field`, with the option as path. */
export function settled<Options extends object>(table: Table<Options>, given: Options, what = 'options'): Options {
  expect('object', what, given);
  const reader = members(table);
  const kept = reader.copy!(given) as Options;
  const fault = reader.fault(kept);
  if (fault) throw refused(fault);
  return kept;
}

function refused({ pointer, expected, found, unknown }: Fault): Error {
  if (unknown) return faultAt(pointer, 'unknown_field', `there is no ${unknown}: expected ${expected}`);
  const [, name = ''] = pointer.split('/');
  const place = pointer.length > name.length + 1 ? `, at ${pointer}` : '';
  return faultAt(pointer, 'wrong_type', wrongKind(`the option ${name}`, expected, found).message + place);
}

/** Refuses an argument that the reader refuses; `pointer` is the argument's place. */
export function check(reader: OptionReader, value: unknown, pointer: string): void {
  const fault = reader.fault(value);
  if (fault) throw refused({ ...fault, pointer: pointer + fault.pointer });
}

/** Returns the error for an option that proves wrong at a later time. */
export function wrongOption(pointer: string, expected: string, found: unknown): Error {
  return refused({ pointer, expected, found });
}
