import { classOf, connect, type Handlers, type ObservableInput, subscribable, type Subscribable, Subscriber } from './observable.cjs';

/** The subscribers of a stream that is read at once, even without subscribers. */
export class Listeners<R> {
  #subscribers: readonly Subscriber<R>[] = [];
  #end: ((subscriber: Subscriber<R>) => void) | undefined;
  /** Unsubscribes from the source. */
  #release = () => {};

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  next(value: R): void {
    if (this.#end === undefined) for (const subscriber of this.#subscribers) subscriber.next(value);
  }

  error(error: unknown): void {
    this.#over((subscriber) => subscriber.error(error));
  }

  complete(): void {
    this.#over((subscriber) => subscriber.complete());
  }

  #over(end: (subscriber: Subscriber<R>) => void): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    const subscribers = this.#subscribers;
    this.#subscribers = [];
    this.#release();
    subscribers.forEach(end);
  }

  /** Adds a subscriber. After the end it gets the end at once. The stream completes when the last subscriber leaves. */
  add(subscriber: Subscriber<R>): (() => void) | undefined {
    if (this.#end !== undefined) return void this.#end(subscriber);
    this.#subscribers = [...this.#subscribers, subscriber];
    return () => {
      this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
      if (this.#subscribers.length === 0) this.complete();
    };
  }

  /** Reads a source at once. An error of the handlers is the stream's error. */
  read<T>(source: ObservableInput<T>, handlers: Handlers<T>): Subscribable<R> {
    const from = subscribable(source);
    const reader = new Subscriber<T>({});
    this.#release = () => reader.unsubscribe();
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        this.error(error);
      }
    };
    connect(from, reader, {
      next: (value) => guarded(() => handlers.next(value)),
      error: (error) => guarded(() => handlers.error(error)),
      complete: () => guarded(() => handlers.complete()),
    });
    return new (classOf<Subscribable<R>>(from))((subscriber: Subscriber<R>) => this.add(subscriber));
  }
}
