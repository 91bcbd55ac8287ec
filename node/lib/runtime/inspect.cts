/** The symbol of the method that Node's `util.inspect`, Deno and Bun call to show an object. */
const asked = Symbol.for('nodejs.util.inspect.custom');

type Inspect = (value: unknown, options: object) => string;

/** Has the objects of a class show their `summary`: counts and flags, never contents of events. */
export function inspectable<T extends object>(type: { prototype: T; name: string }, summary: (object: T) => object): void {
  function show(this: T, _depth: number, options: object, inspect: Inspect): string {
    const { name } = (this.constructor ?? type) as { name: string };
    let shown: object | undefined;
    try {
      shown = summary(this);
    } catch {
      // `this` is the prototype itself, or an object whose engine is busy.
    }
    return shown === undefined ? `${name} {}` : `${name} ${inspect(shown, options)}`;
  }
  Object.defineProperty(type.prototype, asked, { value: show, configurable: true, writable: true });
}
