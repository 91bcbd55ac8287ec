/** The callbacks that watch keys or channels. */
export class Watchers {
  readonly #callbacks = new Map<string, Set<(news: string) => void>>();

  /** Adds a callback. Returns true if it is the first of this name. */
  add(name: string, callback: (news: string) => void): boolean {
    const callbacks = this.#callbacks.get(name);
    if (callbacks === undefined) this.#callbacks.set(name, new Set([callback]));
    else callbacks.add(callback);
    return callbacks === undefined;
  }

  /** Removes a callback. Returns true if it was the last of this name. */
  remove(name: string, callback: (news: string) => void): boolean {
    const callbacks = this.#callbacks.get(name);
    if (callbacks === undefined || !callbacks.delete(callback) || callbacks.size > 0) return false;
    return this.#callbacks.delete(name);
  }

  /** Calls the callbacks of a name. What one throws is uncaught, as with any listener; the others are called, and the engine goes on. */
  call(name: string, news: string): void {
    for (const callback of [...(this.#callbacks.get(name) ?? [])]) {
      try {
        callback(news);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** True if there is a callback of this name. */
  has(name: string): boolean {
    return this.#callbacks.has(name);
  }

  /** True if there is no callback. */
  get isEmpty(): boolean {
    return this.#callbacks.size === 0;
  }
}
