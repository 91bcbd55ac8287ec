import { INVALID, isDict, isPointer, list } from './json/check.cjs';
import * as generated from './generated/schemas.cjs';
import type { BinaryInputContent, JsonPatch, JsonPointer, Metadata, State, SubagentRunId } from './generated/types.cjs';
import { checks } from './types/lazy.cjs';
import { judge, type Schema, schema } from './schema/schema.cjs';

export * from './generated/schemas.cjs';
export type { ObjectSchema, SafeParseResult, Schema, UnionSchema } from './schema/schema.cjs';
export type { StandardSchemaV1 } from './schema/standard.cjs';
export { PROTOCOL_VERSION } from './generated/border.cjs';

/**
 * A JSON Patch (RFC 6902).
 *
 * @example
 * ```ts
 * import { JsonPatchSchema } from 'ag-ui-native/schemas';
 *
 * JsonPatchSchema.safeParse([{ op: 'remove', path: '/tasks/0' }]).success; // => true
 * ```
 */
export const JsonPatchSchema: Schema<JsonPatch> = schema('JsonPatch', '[UJsonPatchOperation', (value) =>
  list(value, checks().checkJsonPatchOperation, 0),
);

/**
 * A JSON Pointer (RFC 6901).
 *
 * @example
 * ```ts
 * import { JsonPointerSchema } from 'ag-ui-native/schemas';
 *
 * JsonPointerSchema.safeParse('tasks').success; // => false
 * ```
 */
export const JsonPointerSchema: Schema<JsonPointer> = schema('JsonPointer', 'p', (value) =>
  isPointer(value) ? value : INVALID,
);

/**
 * Free key-value data.
 *
 * @example
 * ```ts
 * import { MetadataSchema } from 'ag-ui-native/schemas';
 *
 * MetadataSchema.safeParse({ lang: 'en' }).success; // => true
 * ```
 */
export const MetadataSchema: Schema<Metadata> = schema('Metadata', 'd', (value) => (isDict(value) ? value : INVALID));

/**
 * Metadata as members hold it: absent or an object, never null.
 *
 * @example
 * ```ts
 * import { OptionalMetadataSchema } from 'ag-ui-native/schemas';
 *
 * OptionalMetadataSchema.safeParse(undefined).success; // => true
 * ```
 */
export const OptionalMetadataSchema: Schema<Metadata | undefined> = schema('Metadata', 'd', (value) =>
  value === undefined || isDict(value) ? value : INVALID,
);

/**
 * The shared state: any value.
 *
 * @example
 * ```ts
 * import { StateSchema } from 'ag-ui-native/schemas';
 *
 * StateSchema.parse({ tasks: 2 }); // => { tasks: 2 }
 * ```
 */
export const StateSchema: Schema<State> = schema('State', 'a', (value) => value);

/**
 * The id of a subagent invocation.
 *
 * @example
 * ```ts
 * import { SubagentRunIdSchema } from 'ag-ui-native/schemas';
 *
 * SubagentRunIdSchema.parse('researcher-1'); // => 'researcher-1'
 * ```
 */
export const SubagentRunIdSchema: Schema<SubagentRunId> = schema('SubagentRunId', 's', (value) =>
  typeof value === 'string' ? value : INVALID,
);

/**
 * The binary part of AG-UI before 1.0: one of `id`, `url` and `data` must have a value. Core checks every value.
 *
 * @example
 * ```ts
 * import { BinaryInputContentSchema } from 'ag-ui-native/schemas';
 *
 * BinaryInputContentSchema.safeParse({ type: 'binary', mimeType: 'image/png' }).success; // => false
 * ```
 */
export const BinaryInputContentSchema: Schema<BinaryInputContent> = schema(
  'BinaryInputContent',
  'TBinaryInputContent',
  (value) => (judge('BinaryInputContent', 'TBinaryInputContent', value) ? INVALID : checks().checkBinaryInputContent(value)),
);

/**
 * An earlier name of `EventSchema`.
 *
 * @example
 * ```ts
 * import { EventSchemas } from 'ag-ui-native/schemas';
 *
 * EventSchemas.safeParse({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Hello' }).success; // => true
 * ```
 */
export const EventSchemas = generated.EventSchema;

/**
 * An earlier name of `ContentPartSchema`.
 *
 * @example
 * ```ts
 * import { InputContentSchema } from 'ag-ui-native/schemas';
 *
 * InputContentSchema.safeParse({ type: 'text', text: 'What is this?' }).success; // => true
 * ```
 */
export const InputContentSchema = generated.ContentPartSchema;

/**
 * An earlier name of `PartSourceSchema`.
 *
 * @example
 * ```ts
 * import { InputContentSourceSchema } from 'ag-ui-native/schemas';
 *
 * InputContentSourceSchema.safeParse({ type: 'url', value: 'https://example.org/cat.png' }).success; // => true
 * ```
 */
export const InputContentSourceSchema = generated.PartSourceSchema;

/**
 * An earlier name of `DataSourceSchema`.
 *
 * @example
 * ```ts
 * import { InputContentDataSourceSchema } from 'ag-ui-native/schemas';
 *
 * InputContentDataSourceSchema.safeParse({ type: 'data', value: 'iVBORw0KGgo=', mimeType: 'image/png' }).success; // => true
 * ```
 */
export const InputContentDataSourceSchema = generated.DataSourceSchema;

/**
 * An earlier name of `UrlSourceSchema`.
 *
 * @example
 * ```ts
 * import { InputContentUrlSourceSchema } from 'ag-ui-native/schemas';
 *
 * InputContentUrlSourceSchema.safeParse({ type: 'url', value: 'https://example.org/cat.png', mimeType: 'image/png' }).success; // => true
 * ```
 */
export const InputContentUrlSourceSchema = generated.UrlSourceSchema;

/**
 * An earlier name of `TextPartSchema`.
 *
 * @example
 * ```ts
 * import { TextInputContentSchema } from 'ag-ui-native/schemas';
 *
 * TextInputContentSchema.safeParse({ type: 'text', text: 'What is this?' }).success; // => true
 * ```
 */
export const TextInputContentSchema = generated.TextPartSchema;

/**
 * An earlier name of `ImagePartSchema`.
 *
 * @example
 * ```ts
 * import { ImageInputContentSchema } from 'ag-ui-native/schemas';
 *
 * ImageInputContentSchema.safeParse({ type: 'image', source: { type: 'url', value: 'https://example.org/cat.png' } }).success; // => true
 * ```
 */
export const ImageInputContentSchema = generated.ImagePartSchema;

/**
 * An earlier name of `ImagePartSchema`.
 *
 * @example
 * ```ts
 * import { ImageInputPartSchema } from 'ag-ui-native/schemas';
 *
 * ImageInputPartSchema.safeParse({ type: 'image', source: { type: 'url', value: 'https://example.org/cat.png' } }).success; // => true
 * ```
 */
export const ImageInputPartSchema = generated.ImagePartSchema;

/**
 * An earlier name of `AudioPartSchema`.
 *
 * @example
 * ```ts
 * import { AudioInputContentSchema } from 'ag-ui-native/schemas';
 *
 * AudioInputContentSchema.safeParse({ type: 'audio', source: { type: 'url', value: 'https://example.org/cat.mp3' } }).success; // => true
 * ```
 */
export const AudioInputContentSchema = generated.AudioPartSchema;

/**
 * An earlier name of `AudioPartSchema`.
 *
 * @example
 * ```ts
 * import { AudioInputPartSchema } from 'ag-ui-native/schemas';
 *
 * AudioInputPartSchema.safeParse({ type: 'audio', source: { type: 'url', value: 'https://example.org/cat.mp3' } }).success; // => true
 * ```
 */
export const AudioInputPartSchema = generated.AudioPartSchema;

/**
 * An earlier name of `VideoPartSchema`.
 *
 * @example
 * ```ts
 * import { VideoInputContentSchema } from 'ag-ui-native/schemas';
 *
 * VideoInputContentSchema.safeParse({ type: 'video', source: { type: 'url', value: 'https://example.org/cat.mp4' } }).success; // => true
 * ```
 */
export const VideoInputContentSchema = generated.VideoPartSchema;

/**
 * An earlier name of `VideoPartSchema`.
 *
 * @example
 * ```ts
 * import { VideoInputPartSchema } from 'ag-ui-native/schemas';
 *
 * VideoInputPartSchema.safeParse({ type: 'video', source: { type: 'url', value: 'https://example.org/cat.mp4' } }).success; // => true
 * ```
 */
export const VideoInputPartSchema = generated.VideoPartSchema;

/**
 * An earlier name of `DocumentPartSchema`.
 *
 * @example
 * ```ts
 * import { DocumentInputContentSchema } from 'ag-ui-native/schemas';
 *
 * DocumentInputContentSchema.safeParse({ type: 'document', source: { type: 'file', value: 'file-123', provider: 'openai' } }).success; // => true
 * ```
 */
export const DocumentInputContentSchema = generated.DocumentPartSchema;

/**
 * An earlier name of `DocumentPartSchema`.
 *
 * @example
 * ```ts
 * import { DocumentInputPartSchema } from 'ag-ui-native/schemas';
 *
 * DocumentInputPartSchema.safeParse({ type: 'document', source: { type: 'file', value: 'file-123', provider: 'openai' } }).success; // => true
 * ```
 */
export const DocumentInputPartSchema = generated.DocumentPartSchema;
