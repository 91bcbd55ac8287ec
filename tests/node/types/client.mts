// The stream functions in a program that uses RxJS, and in one that does not.

import type { BaseEvent } from 'ag-ui-native';
import {
  buildResumeArray,
  compactEvents,
  enforceEvents,
  type HttpEvent,
  Observable as OurObservable,
  runHttpRequest,
  transformChunks,
  transformHttpEventStream,
  verifyEvents,
} from 'ag-ui-native/operators';
import { from, map, Observable, Subject } from 'rxjs';

declare const events: BaseEvent[];
const request = () => fetch('http://localhost');

export const verified: Observable<BaseEvent> = from(events).pipe(enforceEvents(), transformChunks(false), verifyEvents(null));
export const types: Observable<string> = verifyEvents()(new Subject<BaseEvent>()).pipe(map((event: BaseEvent) => event.type));
export const responses: Observable<HttpEvent> = runHttpRequest(request, Observable<HttpEvent>);
export const read = transformHttpEventStream<Observable<BaseEvent>>(responses, true).pipe(verifyEvents());
export const shorter: BaseEvent[] = compactEvents(events);
export const answers = buildResumeArray([{ id: 'i', reason: 'r' }], { i: { status: 'resolved', payload: 1 } });

const own: OurObservable<HttpEvent> = runHttpRequest(request);
for await (const event of verifyEvents()(events) as OurObservable<BaseEvent>) console.log(event.type);
transformHttpEventStream(own).subscribe({ next: (event) => console.log(event.type), error: () => {}, complete: () => {} });
