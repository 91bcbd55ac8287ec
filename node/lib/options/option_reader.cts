import { isObject, type Loose, put } from '../json/check.cjs';
import { faultAt } from '../errors/errors.cjs';
import { expect, type KindName, kinds, wrongKind } from './kinds.cjs';
import { token } from '../json/value.cjs';

// What options must be: the first that is not is refused with its place, and nothing of what it holds is shown.

/** A value that an option cannot have, and the pointer to it. */
export interface Fault {
  pointer: string;
  expected: string;
  found: unknown;
  /** What there is not: an option of this name, for one. */
  unknown?: string;
}

/** What an option must be. */
export interface Wanted {
  fault: (value: any) => Fault | undefined;
  /** What is kept of it, where it can change later. */
  copy?: (value: any) => unknown;
}

/** What every option must be. */
export type Table<Options> = Record<keyof Options & string, Wanted>;

/** What a function accepts. */
export function one(expected: string, accepts: (value: any) => unknown): Wanted {
  return { fault: (found) => (accepts(found) ? undefined : { pointer: '', expected, found }) };
}

/** What is of a kind that arguments are, too. */
export function kind(name: KindName): Wanted {
  return one(kinds[name].expected, kinds[name].accepts);
}

/** One of these words. */
export function words(...all: string[]): Wanted {
  return one(`${all.slice(0, -1).join(', ')} or ${all.at(-1)}`, (value) => all.includes(value));
}

/** An array of such. */
export function listOf(item: Wanted): Wanted {
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

/** An object whose members, whatever they are called, are such. */
export function eachOf(item: Wanted): Wanted {
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

/** An object with these members and no others. What is null is absent. */
export function members(table: Readonly<Record<string, Wanted>>): Wanted {
  const names = Object.keys(table);
  return {
    copy(given) {
      if (!isObject(given)) return given;
      const kept: Loose = {};
      for (const name of Object.keys(given)) if (!Object.hasOwn(table, name) && given[name] !== undefined) put(kept, name, given[name]);
      for (const name of names) {
        const value = given[name];
        if (value !== undefined && value !== null) put(kept, name, table[name]!.copy ? table[name]!.copy(value) : value);
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

/** The name that another spelling means, and all. */
function meant(name: string, names: readonly string[]): string {
  const plain = (text: string) => text.replaceAll(/[_-]/g, '').toLowerCase();
  const found = names.find((each) => plain(each) === plain(name));
  const all = names.join(', ');
  return found === undefined ? all : `${found}; there are ${all}`;
}

/** A name that there is not. */
export function unknownName(pointer: string, name: string, names: readonly string[], what: string): Fault {
  return { pointer, expected: meant(name, names), found: undefined, unknown: `${what} ${JSON.stringify(name.slice(0, 64))}` };
}

/** Names of options. Whatever is kept beside a name counts for nothing. */
export type Names<Options> = Readonly<Record<keyof Options & string, unknown>>;

/** The options that are given; refuses those that there are not: `unknown_field`, with the option as path. */
export function known<Options extends object>(names: Names<Options>, given: Options, what = 'options'): Options {
  expect('object', what, given);
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(names, name) && (given as Loose)[name] !== undefined) throw refused(unknownName(`/${token(name)}`, name, Object.keys(names), 'option'));
  }
  return given;
}

/** The options that are given, from now on nobody else's; refuses those that are not what they must be: `wrong_type`, or `unknown_field`, with the option as path. */
export function settled<Options extends object>(table: Table<Options>, given: Options, what = 'options'): Options {
  expect('object', what, given);
  const wanted = members(table);
  const kept = wanted.copy!(given) as Options;
  const fault = wanted.fault(kept);
  if (fault) throw refused(fault);
  return kept;
}

function refused({ pointer, expected, found, unknown }: Fault): Error {
  if (unknown) return faultAt(pointer, 'unknown_field', `there is no ${unknown}: expected ${expected}`);
  const [, name = ''] = pointer.split('/');
  const place = pointer.length > name.length + 1 ? `, at ${pointer}` : '';
  return faultAt(pointer, 'wrong_type', wrongKind(`the option ${name}`, expected, found).message + place);
}

/** Refuses an argument that is not what it must be; `pointer` is its place. */
export function check(wanted: Wanted, value: unknown, pointer: string): void {
  const fault = wanted.fault(value);
  if (fault) throw refused({ ...fault, pointer: pointer + fault.pointer });
}

/** An option that is refused for what it turns out to be later. */
export function wrongOption(pointer: string, expected: string, found: unknown): Error {
  return refused({ pointer, expected, found });
}
