import { INVALID, isDict, isPointer, list } from './json/check.cjs';
import * as generated from './generated/schemas.cjs';
import type { BinaryInputContent, JsonPatch, JsonPointer, Metadata, State, SubagentRunId } from './generated/types.cjs';
import { checks } from './types/lazy.cjs';
import { judge, type Schema, schema } from './schema/schema.cjs';

export * from './generated/schemas.cjs';
export type { ObjectSchema, SafeParseResult, Schema, UnionSchema } from './schema/schema.cjs';
export type { StandardSchemaV1 } from './schema/standard.cjs';
export { PROTOCOL_VERSION } from './generated/border.cjs';

/** A JSON Patch (RFC 6902). */
export const JsonPatchSchema: Schema<JsonPatch> = schema('JsonPatch', '[UJsonPatchOperation', (value) =>
  list(value, checks().checkJsonPatchOperation, 0),
);

/** A JSON Pointer (RFC 6901). */
export const JsonPointerSchema: Schema<JsonPointer> = schema('JsonPointer', 'p', (value) =>
  isPointer(value) ? value : INVALID,
);

/** Free key-value data. */
export const MetadataSchema: Schema<Metadata> = schema('Metadata', 'd', (value) => (isDict(value) ? value : INVALID));

/** Metadata as members hold it: absent or an object, never null. */
export const OptionalMetadataSchema: Schema<Metadata | undefined> = schema('Metadata', 'd', (value) =>
  value === undefined || isDict(value) ? value : INVALID,
);

/** The shared state: any value. */
export const StateSchema: Schema<State> = schema('State', 'a', (value) => value);

/** The id of a subagent invocation. */
export const SubagentRunIdSchema: Schema<SubagentRunId> = schema('SubagentRunId', 's', (value) =>
  typeof value === 'string' ? value : INVALID,
);

/** The binary part of AG-UI before 1.0: one of `id`, `url` and `data` must have a value. Core checks every value. */
export const BinaryInputContentSchema: Schema<BinaryInputContent> = schema(
  'BinaryInputContent',
  'TBinaryInputContent',
  (value) => (judge('BinaryInputContent', 'TBinaryInputContent', value) ? INVALID : checks().checkBinaryInputContent(value)),
);

// Earlier names of the same schemas.
export const EventSchemas = generated.EventSchema;
export const InputContentSchema = generated.ContentPartSchema;
export const InputContentSourceSchema = generated.PartSourceSchema;
export const InputContentDataSourceSchema = generated.DataSourceSchema;
export const InputContentUrlSourceSchema = generated.UrlSourceSchema;
export const TextInputContentSchema = generated.TextPartSchema;
export const ImageInputContentSchema = generated.ImagePartSchema;
export const ImageInputPartSchema = generated.ImagePartSchema;
export const AudioInputContentSchema = generated.AudioPartSchema;
export const AudioInputPartSchema = generated.AudioPartSchema;
export const VideoInputContentSchema = generated.VideoPartSchema;
export const VideoInputPartSchema = generated.VideoPartSchema;
export const DocumentInputContentSchema = generated.DocumentPartSchema;
export const DocumentInputPartSchema = generated.DocumentPartSchema;
