/** The symbol by which Node's `util.inspect`, Deno and Bun ask an object how to show it. */
const asked = Symbol.for('nodejs.util.inspect.custom');

type Inspect = (value: unknown, options: object) => string;

/** Has the objects of a class show what `summary` says of them: counts and flags, never what somebody has sent. */
export function inspectable<T extends object>(type: { prototype: T; name: string }, summary: (object: T) => object): void {
  function show(this: T, _depth: number, options: object, inspect: Inspect): string {
    const { name } = (this.constructor ?? type) as { name: string };
    let told: object | undefined;
    try {
      told = summary(this);
    } catch {
      // The prototype itself, or an object whose engine is at work.
    }
    return told === undefined ? `${name} {}` : `${name} ${inspect(told, options)}`;
  }
  Object.defineProperty(type.prototype, asked, { value: show, configurable: true, writable: true });
}
