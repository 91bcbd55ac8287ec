import { type Check, INVALID } from '../json/check.cjs';
import { AGUIInternalError, type AGUIValidationError, errorFrom } from '../errors/errors.cjs';
import { summary } from '../errors/issues.cjs';
import { stringify } from '../json/text.cjs';
import { wrongKind } from '../options/kinds.cjs';
import { checks } from '../types/lazy.cjs';
import { native } from '../native/native.cjs';
import { type SafeParseResult, type Schema, schemas, withFace } from './shape.cjs';
import type { StandardSchemaV1 } from './standard.cjs';

export type { SafeParseResult, Schema } from './shape.cjs';

/** The name of a generated check. */
type CheckName = keyof ReturnType<typeof checks>;

/**
 * A schema. The generated check accepts valid values; core describes the faults of all others. `kind` is the code in `tables.cts` for the
 * values of the schema.
 */
export function schema<T>(name: string, kind: string, checked: Check | CheckName): Schema<T> {
  let check: Check = typeof checked === 'function' ? checked : (value) => (check = checks()[checked])(value);
  const refused = (value: unknown): AGUIValidationError => {
    const json = summaryText(kind, value);
    return described(name, kind, value, json) ?? contradiction(name, check(JSON.parse(json)) === INVALID, value);
  };
  const parse = (value: unknown): T => {
    const data = check(value);
    if (data === INVALID) throw refused(value);
    return data as T;
  };
  const safeParse = (value: unknown): SafeParseResult<T> => {
    const data = check(value);
    return data === INVALID ? { success: false, error: refused(value) } : { success: true, data: data as T };
  };
  const validate = (value: unknown): StandardSchemaV1.Result<T> => {
    const data = check(value);
    return data === INVALID ? { issues: refused(value).issues } : { value: data as T };
  };
  const standard = { version: 1, vendor: 'ag-ui-native', validate } as const;
  const made = withFace({ parse, safeParse, '~standard': standard } as Schema<T>, kind);
  schemas.set(name, made);
  return made;
}

/**
 * The schema of an object.
 *
 * @example
 * ```ts
 * import type { TextPart } from 'ag-ui-native';
 * import { type ObjectSchema, TextPartSchema } from 'ag-ui-native/schemas';
 *
 * const schema: ObjectSchema<TextPart> = TextPartSchema;
 * schema.shape.text.safeParse('Hello!').success; // => true
 * ```
 */
export interface ObjectSchema<T> extends Schema<T> {
  /** The schemas of its declared members. */
  readonly shape: { readonly [Key in keyof T]-?: Schema<T[Key]> };
}

export const objectSchema = schema as <T>(name: string, kind: string, check: CheckName) => ObjectSchema<T>;

/**
 * The schema of a union.
 *
 * @example
 * ```ts
 * import type { ContentPart } from 'ag-ui-native';
 * import { ContentPartSchema, type UnionSchema } from 'ag-ui-native/schemas';
 *
 * const schema: UnionSchema<ContentPart> = ContentPartSchema;
 * schema.options.length; // => 5
 * ```
 */
export interface UnionSchema<T> extends Schema<T> {
  /** The schemas of its variants. */
  readonly options: readonly ObjectSchema<T>[];
}

export const unionSchema = schema as <T>(name: string, kind: string, check: CheckName) => UnionSchema<T>;

/** Returns core's verdict: an error with every fault, or undefined. */
export function judge(name: string, kind: string, value: unknown): AGUIValidationError | undefined {
  return described(name, kind, value, summaryText(kind, value));
}

/** Returns the JSON text that core validates. Undefined has no JSON form, so null replaces it: core refuses null at the same places. */
function summaryText(kind: string, value: unknown): string {
  return stringify(summary(kind, value) ?? null) as string;
}

function described(name: string, kind: string, value: unknown, json: string): AGUIValidationError | undefined {
  const described = native().check(name, json, 'schema', false);
  return described === null ? undefined : (errorFrom(described, undefined, kind, value) as AGUIValidationError);
}

/**
 * Throws the error of a value that the check refuses and core accepts: the value changed during the check, or this library has a
 * bug.
 */
function contradiction(name: string, isOurs: boolean, value: unknown): never {
  if (!isOurs) throw wrongKind('value', 'data that does not change while it is read', value);
  const message = `core accepts this ${name}, but the check refuses it; report this with the value`;
  throw new AGUIInternalError(message, { code: 'internal', path: '' });
}
