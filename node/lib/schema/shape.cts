import { type AGUIValidationError, errorFrom } from '../errors/errors.cjs';
import { literals, newer, open, optionals, types, unions } from '../generated/tables.cjs';
import { summary } from '../errors/issues.cjs';
import { native } from '../native/native.cjs';
import type { StandardSchemaV1 } from './standard.cjs';

/**
 * The result of `safeParse`.
 *
 * @example
 * ```ts
 * import type { Role } from 'ag-ui-native';
 * import { RoleSchema, type SafeParseResult } from 'ag-ui-native/schemas';
 *
 * const result: SafeParseResult<Role> = RoleSchema.safeParse('robot');
 * result.error?.issues.length; // => 1
 * ```
 */
export type SafeParseResult<T> = { success: true; data: T; error?: never } | { success: false; data?: never; error: AGUIValidationError };

/**
 * Checks values of one type, and copies them with the members in declaration order, then the undeclared members.
 *
 * @example
 * ```ts
 * import type { Role } from 'ag-ui-native';
 * import { RoleSchema, type Schema } from 'ag-ui-native/schemas';
 *
 * const schema: Schema<Role> = RoleSchema;
 * schema.parse('user'); // => 'user'
 * ```
 */
export interface Schema<T> extends StandardSchemaV1<T, T> {
  /** The input and output types of a schema, for the type checker only. */
  readonly _input: T;
  readonly _output: T;
  /** Returns a checked copy of the value. Throws AGUIValidationError with all faults. */
  parse(value: unknown): T;
  /** Parses like `parse`, but returns the error. */
  safeParse(value: unknown): SafeParseResult<T>;
}

// Adds the members that code which walks through zod's schemas reads: `shape` of objects, `options` of unions, `element` of lists,
// values of literals. zod recognizes its classes by the traits that a schema names, so no class of zod is needed.

/** The schemas by name. */
export const schemas = new Map<string, Schema<any>>();

/** Adds to a schema the members of its kind, which is in the code of `tables.cts`. */
export function withFace<S extends object>(schema: S, kind: string, holder = '', key = ''): S {
  const traits = (...names: string[]) => ({ traits: new Set(['ZodType', ...names]) });
  switch (kind[0]) {
    case 'T':
      return { ...schema, get _zod() { return traits('ZodObject') }, get shape() { return shapeOf(kind.slice(1)) }, meta: () => ({ specOpen: open.includes(kind.slice(1)) }) };
    case 'U':
      return { ...schema, get _zod() { return traits('ZodUnion', 'ZodDiscriminatedUnion') }, get options() { return optionsOf(kind.slice(1)) }, get def() { return { discriminator: unions[kind.slice(1)]!.tag } } };
    case '[':
      return { ...schema, get _zod() { return traits('ZodArray') }, get element() { return elementOf(kind.slice(1)) } };
    case 'c':
      return { ...schema, get _zod() { return traits('ZodUnion') }, get options() { return [elementOf('s'), elementOf('[UContentPart')] }, def: {} };
    case 'l': {
      const value = literals[holder]?.[key];
      return { ...schema, get _zod() { return traits('ZodLiteral') }, def: { values: [value] }, value };
    }
    default:
      return { ...schema, get _zod() { return traits() } };
  }
}

const shapes = new Map<string, Record<string, Schema<unknown>>>();

/** Returns a schema for each member of a type. */
function shapeOf(name: string): Record<string, Schema<unknown>> {
  let shape = shapes.get(name);
  if (shape === undefined) {
    const members = Object.entries(types[name]!).filter(([key]) => !newer.includes(key));
    shape = Object.fromEntries(members.map(([key, kind]) => [key, memberOf(name, key, kind)]));
    shapes.set(name, shape);
  }
  return shape;
}

function optionsOf(union: string): Schema<unknown>[] {
  return Object.values(unions[union]!.variants).map((name) => schemas.get(name)!);
}

function elementOf(kind: string): object {
  return schemas.get(kind.slice(1)) ?? withFace({}, kind);
}

/** Returns the schema of one member. Core validates it at its place. */
function memberOf(name: string, key: string, kind: string): Schema<unknown> {
  const refused = (value: unknown): AGUIValidationError | undefined => {
    const holder = { [key]: value };
    const described = native().check(name, JSON.stringify(summary(`T${name}`, holder)), 'schema', false);
    if (described === null) return undefined;
    const { issues, ...rest } = JSON.parse(described) as { issues: { path: string; code: string }[] };
    const inside = issues.filter(({ path }) => path === `/${key}` || path.startsWith(`/${key}/`));
    if (inside.length === 0) return undefined;
    const moved = inside.map((issue) => ({ ...issue, path: issue.path.slice(key.length + 1) }));
    const { code, path } = moved[0]!;
    return errorFrom(JSON.stringify({ ...rest, code, path, issues: moved }), undefined, kind, value) as AGUIValidationError;
  };
  const safeParse = (value: unknown) => {
    const error = refused(value);
    return error === undefined ? { success: true, data: value } : { success: false, error };
  };
  const parse = (value: unknown) => {
    const error = refused(value);
    if (error) throw error;
    return value;
  };
  const validate = (value: unknown) => {
    const error = refused(value);
    return error === undefined ? { value } : { issues: error.issues };
  };
  const isOptional = () => optionals[name]!.includes(key);
  const schema = { parse, safeParse, isOptional, '~standard': { version: 1, vendor: 'ag-ui-native', validate } };
  return withFace(schema, kind, name, key) as unknown as Schema<unknown>;
}
