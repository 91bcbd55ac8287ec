// Observables without a library: an observable is an object with `subscribe`. A stream made from a caller's observable has the class of that
// observable, so that it has its `pipe`. A list or an async generator gives an observable of this file.

/**
 * The callbacks of a stream.
 *
 * @example
 * ```ts
 * import { Observable, type Observer } from 'ag-ui-native/operators';
 *
 * const numbers: number[] = [];
 * const observer: Observer<number> = { next: (value) => void numbers.push(value) };
 * new Observable<number>((subscriber) => subscriber.next(7)).subscribe(observer);
 * numbers; // => [7]
 * ```
 */
export interface Observer<T> {
  next?: ((value: T) => void) | undefined;
  error?: ((error: unknown) => void) | undefined;
  complete?: (() => void) | undefined;
}

/**
 * A subscription, which can be ended.
 *
 * @example
 * ```ts
 * import { Observable, type Unsubscribable } from 'ag-ui-native/operators';
 *
 * const subscription: Unsubscribable = new Observable<number>(() => {}).subscribe();
 * subscription.unsubscribe();
 * ```
 */
export interface Unsubscribable {
  unsubscribe(): void;
}

/** An observer with all three callbacks. */
export interface Handlers<T> {
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * A stream that can be subscribed to: an observable of any library.
 *
 * @example
 * ```ts
 * import { Observable, type Subscribable } from 'ag-ui-native/operators';
 *
 * const numbers: Subscribable<number> = new Observable<number>((subscriber) => subscriber.complete());
 * numbers.subscribe({ next() {}, error() {}, complete: () => console.log('over') });
 * ```
 */
export interface Subscribable<T> {
  subscribe(observer: Handlers<T>): Unsubscribable;
}

/**
 * The source of a stream's values.
 *
 * @example
 * ```ts
 * import { EventType } from 'ag-ui-native';
 * import { type ObservableInput, verifyEvents } from 'ag-ui-native/operators';
 *
 * const events: ObservableInput<object> = [{ type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' }];
 * const verified = verifyEvents()(events);
 * ```
 */
export type ObservableInput<T> = Subscribable<T> | AsyncIterable<T> | Iterable<T>;

/**
 * A class of observables, by its constructor.
 *
 * @example
 * ```ts
 * import { Observable, type ObservableClass, runHttpRequest } from 'ag-ui-native/operators';
 *
 * const Class: ObservableClass<Observable<unknown>> = Observable;
 * runHttpRequest(async () => new Response(''), Class) instanceof Observable; // => true
 * ```
 */
export type ObservableClass<R> = new (subscribe: (subscriber: any) => any) => R;

type Teardown = Unsubscribable | (() => void) | void;

/** The member by which libraries recognize the observables of others. */
const interop: symbol | string = (Symbol as { observable?: symbol }).observable ?? '@@observable';

/**
 * A subscriber. RxJS accepts it as one of its own.
 *
 * @example
 * ```ts
 * import { Observable, Subscriber } from 'ag-ui-native/operators';
 *
 * const subscriber = new Observable<number>((subscriber) => subscriber.complete()).subscribe();
 * subscriber instanceof Subscriber; // => true
 * subscriber.closed; // => true
 * ```
 */
export class Subscriber<T> {
  closed = false;
  #observer: Observer<T>;
  #teardowns: Teardown[] = [];

  constructor(observer: Observer<T>) {
    this.#observer = observer;
  }

  next(value: T): void {
    if (!this.closed) this.#observer.next?.(value);
  }

  error(error: unknown): void {
    if (this.closed) return;
    const { error: handler } = this.#observer;
    this.closed = true;
    // An error without a handler is thrown as an uncaught error, as in RxJS.
    if (handler) handler.call(this.#observer, error);
    else setTimeout(() => { throw error; });
    this.#end();
  }

  complete(): void {
    if (this.closed) return;
    this.closed = true;
    this.#observer.complete?.();
    this.#end();
  }

  unsubscribe(): void {
    if (this.closed && this.#teardowns.length === 0) return;
    this.closed = true;
    this.#end();
  }

  /** Registers a function to call when the subscription ends. */
  add(teardown: Teardown): void {
    if (!teardown) return;
    if (this.closed) run(teardown);
    else this.#teardowns.push(teardown);
  }

  remove(teardown: Teardown): void {
    this.#teardowns = this.#teardowns.filter((other) => other !== teardown);
  }

  #end(): void {
    const teardowns = this.#teardowns;
    this.#teardowns = [];
    teardowns.forEach(run);
  }
}

function run(teardown: Teardown): void {
  if (typeof teardown === 'function') teardown();
  else if (teardown) teardown.unsubscribe();
}

/**
 * An observable for callers without a library. `pipe` takes the operators of RxJS, too; the values can be iterated asynchronously.
 *
 * @example
 * ```ts
 * import { Observable } from 'ag-ui-native/operators';
 *
 * const words = new Observable<string>((subscriber) => {
 *   subscriber.next('Hello!');
 *   subscriber.complete();
 * });
 * for await (const word of words) console.log(word);
 * ```
 */
export class Observable<T> {
  readonly #subscribe: (subscriber: Subscriber<T>) => Teardown;

  constructor(subscribe: (subscriber: Subscriber<T>) => Teardown) {
    this.#subscribe = subscribe;
  }

  /** Starts the stream. */
  subscribe(observer?: Observer<T> | ((value: T) => void) | null, error?: (error: unknown) => void, complete?: () => void): Subscriber<T> {
    const subscriber = isSubscriber<T>(observer)
      ? observer
      : new Subscriber<T>(typeof observer === 'function' ? { next: observer, error, complete } : (observer ?? { error, complete }));
    try {
      const teardown = this.#subscribe(subscriber);
      if (teardown !== (subscriber as unknown)) subscriber.add(teardown);
    } catch (thrown) {
      subscriber.error(thrown);
    }
    return subscriber;
  }

  /** Passes the stream through functions, one after the other. */
  pipe(...operators: ((source: any) => any)[]): any {
    return operators.reduce((source, operator) => operator(source), this);
  }

  /** Used by RxJS's operators. */
  lift<R>(operator: { call(subscriber: Subscriber<R>, source: any): Teardown }): Observable<R> {
    return new Observable((subscriber) => operator.call(subscriber, this));
  }

  /** Yields the values as they arrive. Leaving the loop ends the subscription. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const values: T[] = [];
    let failure: { error: unknown } | undefined;
    let isOver = false;
    let wake = () => {};
    const push = (note: () => void) => (note(), wake());
    const subscription = this.subscribe({
      next: (value) => push(() => values.push(value)),
      error: (error) => push(() => { failure = { error }; }),
      complete: () => push(() => { isOver = true; }),
    });
    try {
      for (;;) {
        while (values.length > 0) yield values.shift()!;
        if (failure) throw failure.error;
        if (isOver) return;
        await new Promise<void>((resolve) => { wake = resolve; });
      }
    } finally {
      subscription.unsubscribe();
    }
  }
}

Object.defineProperty(Observable.prototype, interop, { value(this: unknown) { return this; }, writable: true, configurable: true });

function isSubscriber<T>(value: unknown): value is Subscriber<T> {
  return typeof value === 'object' && value !== null && 'closed' in value && typeof (value as { add?: unknown }).add === 'function';
}

/** Returns a source as an observable. */
export function subscribable<T>(source: ObservableInput<T>): Subscribable<T> {
  if (typeof (source as Subscribable<T>).subscribe === 'function') return source as Subscribable<T>;
  return new Observable<T>((subscriber) => {
    const later = (source as AsyncIterable<T>)[Symbol.asyncIterator];
    if (typeof later === 'function') return void pull(source as AsyncIterable<T>, subscriber);
    for (const value of source as Iterable<T>) {
      if (subscriber.closed) return;
      subscriber.next(value);
    }
    subscriber.complete();
  });
}

async function pull<T>(source: AsyncIterable<T>, subscriber: Subscriber<T>): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  subscriber.add(() => void Promise.resolve(iterator.return?.()).catch(() => undefined));
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (subscriber.closed) return;
      if (done) return subscriber.complete();
      subscriber.next(value);
    }
  } catch (error) {
    subscriber.error(error);
  }
}

/** Returns the class that declares `subscribe`: a subclass such as a subject may have a constructor without parameters. */
export function classOf<R>(source: unknown): ObservableClass<R> {
  let found: { constructor: unknown } | undefined;
  for (let at = Object.getPrototypeOf(source); at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.prototype.hasOwnProperty.call(at, 'subscribe')) found = at;
  }
  const made = found?.constructor;
  return (typeof made === 'function' && made !== Object ? made : Observable) as ObservableClass<R>;
}

type LinkClass = new (subscriber: Subscriber<any>, handlers: Handlers<any>) => Handlers<any>;

/** The classes of link subscribers, by the prototypes of their subscribers. */
const links = new WeakMap<object, LinkClass>();

/** Returns the class of observers that subscribe for subscribers like this one. RxJS accepts them as its own subscribers. */
function linkClass(subscriber: Subscriber<any>): LinkClass {
  const prototype: object = Object.getPrototypeOf(subscriber) ?? Object.prototype;
  let found = links.get(prototype);
  if (found === undefined) links.set(prototype, (found = linkLike(subscriber, prototype)));
  return found;
}

function linkLike(first: Subscriber<any>, prototype: object): LinkClass {
  class Link {
    readonly #subscriber: Subscriber<any>;
    readonly #handlers: Handlers<any>;

    constructor(subscriber: Subscriber<any>, handlers: Handlers<any>) {
      this.#subscriber = subscriber;
      this.#handlers = handlers;
    }

    next(value: unknown): void {
      this.#handlers.next(value);
    }

    error(error: unknown): void {
      this.#handlers.error(error);
    }

    complete(): void {
      this.#handlers.complete();
    }

    add(teardown: Teardown): void {
      this.#subscriber.add(teardown);
    }

    remove(teardown: Teardown): void {
      this.#subscriber.remove(teardown);
    }

    unsubscribe(): void {
      this.#subscriber.unsubscribe();
    }

    get closed(): boolean {
      return this.#subscriber.closed;
    }

    /** Other members are read from the subscriber until they are set here. */
    static {
      Object.setPrototypeOf(this.prototype, prototype);
      for (const key of Reflect.ownKeys(first)) {
        if (Object.hasOwn(this.prototype, key)) continue;
        const own = (value: unknown) => ({ value, writable: true, enumerable: true, configurable: true });
        Object.defineProperty(this.prototype, key, {
          get(this: Link) { return Reflect.get(this.#subscriber, key); },
          set(this: Link, value) { Object.defineProperty(this, key, own(value)); },
          configurable: true,
        });
      }
    }
  }
  return Link;
}

/**
 * Subscribes to a source for a subscriber. When the subscriber unsubscribes, the source is unsubscribed at once, even while it is still
 * subscribing.
 */
export function connect<T>(source: Subscribable<T>, subscriber: Subscriber<any>, handlers: Handlers<T>): Teardown {
  if (typeof subscriber.add !== 'function') return connectPlain(source, subscriber, handlers);
  const link = new (linkClass(subscriber))(subscriber, handlers);
  const subscription = source.subscribe(link) as unknown;
  if (subscription !== link && subscription) subscriber.add(subscription as Teardown);
  return undefined;
}

/** Connects observers of libraries that pass the subscription to `start` before the first value. */
function connectPlain<T>(source: Subscribable<T>, subscriber: Subscriber<any>, { next, error, complete }: Handlers<T>): Unsubscribable {
  let subscription: Unsubscribable | undefined;
  const observer = {
    start: (started: Unsubscribable) => { subscription = started; },
    next: (value: T) => (subscriber.closed ? subscription?.unsubscribe() : next(value)),
    error,
    complete,
  };
  return (subscription = source.subscribe(observer));
}

/**
 * Returns a stream made from a source, with the class of the source. `attach` returns the function that takes each value; its errors are the
 * stream's errors.
 */
export function derived<T, R>(source: ObservableInput<T>, attach: (subscriber: Subscriber<R>) => (value: T) => void): Subscribable<R> {
  const from = subscribable(source);
  return new (classOf<Subscribable<R>>(from))((subscriber: Subscriber<R>) => {
    const take = attach(subscriber);
    return connect(from, subscriber, {
      next(value) {
        try {
          take(value);
        } catch (error) {
          subscriber.error(error);
        }
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
  });
}
