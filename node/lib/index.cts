import * as content from './content.cjs';
import * as metadata from './metadata.cjs';
import * as nulls from './nulls.cjs';
import * as usage from './usage.cjs';

export * from './generated/types.cjs';
export type {
  AGUIEvent,
  AGUIEventByType,
  AGUIEventOf,
  BaseEvent,
  BaseEventFields,
  BaseEventProps,
  EventPayloadOf,
} from './events.cjs';
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
export {
  AGUIConnectNotImplementedError,
  AGUIError,
  AGUIInternalError,
  AGUILimitError,
  AGUIStreamError,
  AGUIValidationError,
  type ErrorDetails,
  type Issue,
} from './errors.cjs';
export {
  getDefaultGenerator,
  type IdGenerator,
  newMessageId,
  newRunId,
  newStepId,
  newThreadId,
  newToolCallId,
  setDefaultGenerator,
  TimestampGenerator,
  UuidGenerator,
} from './ids.cjs';
export { AGUI_METADATA_KEY } from './metadata.cjs';
export type { UsageLabels } from './usage.cjs';
export { toJson, validate } from './validate.cjs';
export { PROTOCOL_VERSION } from './version.cjs';

// Constants and no re-exports: TypeScript makes getters of those, and a call through a getter costs 6 ns more, which is
// half of what these functions take.
export const contentHasMedia = content.contentHasMedia;
export const contentParts = content.contentParts;
export const contentToText = content.contentToText;
export const mergeMetadata = metadata.mergeMetadata;
export const omitOptionalNulls = nulls.omitOptionalNulls;
export const aggregateTokenUsage = usage.aggregateTokenUsage;
export const tokenUsageFromAiSdkUsage = usage.tokenUsageFromAiSdkUsage;
export const tokenUsageFromLangChainMetadata = usage.tokenUsageFromLangChainMetadata;
