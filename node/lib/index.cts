import * as content from './types/content.cjs';
import * as errors from './errors/errors.cjs';
import * as border from './generated/border.cjs';
import * as types from './generated/types.cjs';
import * as ids from './types/ids.cjs';
import * as metadata from './types/metadata.cjs';
import * as nulls from './types/optional_nulls.cjs';
import * as runInput from './types/run_input.cjs';
import * as usage from './types/usage.cjs';
import * as validation from './schema/validate.cjs';

export type * from './generated/types.cjs';
export type {
  AGUIEvent,
  AGUIEventByType,
  AGUIEventOf,
  BaseEvent,
  BaseEventFields,
  BaseEventProps,
  EventPayloadOf,
} from './types/events.cjs';
export type {
  AudioPart as AudioInputContent,
  AudioPart as AudioInputPart,
  ContentPart as InputContent,
  ContentPart as InputContentPart,
  DataSource as InputContentDataSource,
  DocumentPart as DocumentInputContent,
  DocumentPart as DocumentInputPart,
  ImagePart as ImageInputContent,
  ImagePart as ImageInputPart,
  PartSource as InputContentSource,
  TextPart as TextInputContent,
  UrlSource as InputContentUrlSource,
  VideoPart as VideoInputContent,
  VideoPart as VideoInputPart,
} from './generated/types.cjs';
export type { ErrorDetails, Issue } from './errors/errors.cjs';
export type { IdGenerator } from './types/ids.cjs';
export type { Limits } from './generated/border.cjs';
export type { Profile, Warning } from './options/options.cjs';
export type { RunInput } from './types/run_input.cjs';
export type { UsageLabels } from './types/usage.cjs';

// Constants instead of re-exports: TypeScript compiles re-exports to getters, and a call through a getter costs 6 ns more, which is
// half the time of the smallest functions.

// An enum is also a namespace of types, which a constant cannot be.
export import EventType = types.EventType;

export const AGUIConnectNotImplementedError = errors.AGUIConnectNotImplementedError;
export type AGUIConnectNotImplementedError = errors.AGUIConnectNotImplementedError;
export const AGUIError = errors.AGUIError;
export type AGUIError = errors.AGUIError;
export const AGUIInternalError = errors.AGUIInternalError;
export type AGUIInternalError = errors.AGUIInternalError;
export const AGUILimitError = errors.AGUILimitError;
export type AGUILimitError = errors.AGUILimitError;
export const AGUIConnectionError = errors.AGUIConnectionError;
export type AGUIConnectionError = errors.AGUIConnectionError;
export const AGUIPatchError = errors.AGUIPatchError;
export type AGUIPatchError = errors.AGUIPatchError;
export const AGUISequenceError = errors.AGUISequenceError;
export type AGUISequenceError = errors.AGUISequenceError;
export const AGUIStreamError = errors.AGUIStreamError;
export type AGUIStreamError = errors.AGUIStreamError;
export const AGUIValidationError = errors.AGUIValidationError;
export type AGUIValidationError = errors.AGUIValidationError;

export const TimestampGenerator = ids.TimestampGenerator;
export type TimestampGenerator = ids.TimestampGenerator;
export const UuidGenerator = ids.UuidGenerator;
export type UuidGenerator = ids.UuidGenerator;
export const getDefaultGenerator = ids.getDefaultGenerator;
export const newMessageId = ids.newMessageId;
export const newRunId = ids.newRunId;
export const newStepId = ids.newStepId;
export const newThreadId = ids.newThreadId;
export const newToolCallId = ids.newToolCallId;
export const runIdOf = ids.runIdOf;
export const setDefaultGenerator = ids.setDefaultGenerator;
export const threadIdOf = ids.threadIdOf;

export const contentHasMedia = content.contentHasMedia;
export const contentParts = content.contentParts;
export const contentToText = content.contentToText;

/**
 * The key of a metadata object that is reserved for the protocol.
 *
 * @example
 * ```ts
 * import { AGUI_METADATA_KEY } from 'ag-ui-native';
 *
 * AGUI_METADATA_KEY; // => 'ag-ui'
 * ```
 */
export const AGUI_METADATA_KEY = metadata.AGUI_METADATA_KEY;
export const mergeMetadata = metadata.mergeMetadata;

export const omitOptionalNulls = nulls.omitOptionalNulls;

export const readRunInput = runInput.readRunInput;

export const aggregateTokenUsage = usage.aggregateTokenUsage;
export const tokenUsageFromAiSdkUsage = usage.tokenUsageFromAiSdkUsage;
export const tokenUsageFromLangChainMetadata = usage.tokenUsageFromLangChainMetadata;

export const toJson = validation.toJson;
export const validate = validation.validate;

/**
 * The protocol version that this package speaks.
 *
 * @example
 * ```ts
 * import { PROTOCOL_VERSION } from 'ag-ui-native';
 *
 * PROTOCOL_VERSION; // => '1.1'
 * ```
 */
export const PROTOCOL_VERSION = border.PROTOCOL_VERSION;
