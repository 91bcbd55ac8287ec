import { type PlainResponse, refused } from '../server/request.cjs';
import type { LogSettings } from './log_options.cjs';

/** What a request is about, as far as it is known. */
export interface LogSubject {
  scope?: string | undefined;
  threadId?: string | undefined;
  runId?: string | undefined;
}

/** Tells the application of a request that was refused. Other responses are no news. */
export function tellRefused({ server, notify }: LogSettings, refusal: string, { scope, threadId, runId }: LogSubject): void {
  if (notify === undefined) return;
  const { status, body }: PlainResponse = refused(refusal, {});
  if (status < 400) return;
  notify(server.refusedNotice((JSON.parse(body) as { code: string }).code, scope, threadId, runId));
}
