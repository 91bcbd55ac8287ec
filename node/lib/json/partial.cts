import { Engine } from '../native/engine.cjs';
import { Ask, FIRST, Growth, LENGTH, type Limits } from '../generated/border.cjs';
import { inspectable } from '../runtime/inspect.cjs';
import { expect } from '../options/kinds.cjs';
import { native } from '../native/native.cjs';
import { optionsText } from '../options/options.cjs';

/** A place in an object or list: the place of the value that began last. */
interface Place {
  holder: any;
  key: string | number;
}

/** Matches lone halves of surrogate pairs. */
const HALF = /\p{Surrogate}/gu;

/** Escapes half of a surrogate pair as JSON does. When both halves of a split pair have arrived, they form the pair again. */
const escaped = (half: string) => '\\u' + half.charCodeAt(0).toString(16);

/**
 * Reads the arguments of a tool call, or any JSON document, as they arrive.
 *
 * The total cost depends on the length of the text, not on the number of pieces or reads of `value`. The limits `depth` and `eventBytes`
 * apply to the whole text.
 *
 * @example
 * ```ts
 * import { PartialArguments } from 'ag-ui-native/stream';
 *
 * const args = new PartialArguments();
 * args.feed('{"city": "Par'); // => []
 * args.value; // => { city: 'Par' }
 * args.feed('is"}'); // => ['/city', '']
 * args.isComplete; // => true
 * args.finish(); // => { city: 'Paris' }
 * ```
 */
export class PartialArguments {
  readonly #engine: Engine<string>;
  readonly #root: { value: any } = { value: {} };
  /** The open objects and lists, from the root on. */
  readonly #open: Place[] = [{ holder: this.#root, key: 'value' }];

  constructor(options: { limits?: Limits | undefined } = {}) {
    this.#engine = new Engine(native().createPartial(optionsText(options, 'limits')), (text, marks) => this.#grow(text, marks));
  }

  /**
   * The value of the text so far, as if all open parts were closed. A string grows as it arrives; a number, `true`, `false`, `null`
   * or a key appears when it is finished. Objects and lists keep their identity, and grow in place; do not change them. Before a
   * value begins, it is `{}`. Calls without arguments have no text, so it stays `{}` for them.
   */
  get value(): any {
    return this.#root.value;
  }

  /** True if the value is complete. A number at the top level is complete once a character follows it. */
  get isComplete(): boolean {
    return this.#engine.ask(Ask.Status) === 'true';
  }

  /**
   * Reads the next piece and returns the JSON pointers of the values that it completes, `''` for the whole value.
   *
   * @throws AGUIValidationError or AGUILimitError, with byte offsets into the whole text; `partial` has the
   * pointers until then. The value before the fault stays. Later calls throw AGUIStreamError `decoder_failed`
   */
  feed(delta: string): string[] {
    expect('text', 'delta', delta);
    return this.#engine.run(delta.replace(HALF, escaped));
  }

  /**
   * Ends the text and returns the whole value.
   *
   * @throws AGUIValidationError if it is cut
   */
  finish(): any {
    this.#engine.run(Ask.Close);
    return this.value;
  }

  static {
    inspectable(this, ({ isComplete }) => ({ isComplete }));
  }

  /** Applies the steps of the tape. Each has two marks: its kind, and the end of its text. */
  #grow(text: string, marks: Uint32Array): string[] {
    const completed: string[] = [];
    const open = this.#open;
    const end = FIRST + marks[LENGTH]!;
    let start = 0;
    for (let at = FIRST; at < end; at += 2) {
      const piece = text.slice(start, (start = marks[at + 1]!));
      const place = open[open.length - 1]!;
      switch (marks[at] as Growth) {
        case Growth.Key:
          place.key = piece;
          break;
        case Growth.Object:
          open.push({ holder: put(place, {}), key: '' });
          break;
        case Growth.List:
          open.push({ holder: put(place, []), key: 0 });
          break;
        case Growth.Text:
          put(place, piece);
          break;
        case Growth.Append:
          place.holder[place.key] += piece;
          break;
        case Growth.Json:
          put(place, JSON.parse(piece));
          break;
        case Growth.Close:
          open.pop();
          break;
        case Growth.Complete:
          completed.push(piece);
      }
    }
    return completed;
  }
}

/** Puts a new value in its place; in a list, after the last item. */
function put(place: Place, value: any): any {
  const { holder } = place;
  if (Array.isArray(holder)) place.key = holder.length;
  if (place.key !== '__proto__') holder[place.key] = value;
  // Defined as an own member, as JSON.parse does it.
  else Object.defineProperty(holder, place.key, { value, writable: true, enumerable: true, configurable: true });
  return value;
}
