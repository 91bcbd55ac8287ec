import { writeLiteral } from './generated/writers.cjs';
import { isPlain } from './json.cjs';
import { stringify } from './problems.cjs';

/** The JSON text of an event; a line, so that several can follow one another. */
export function textOf(event: unknown): string {
  return (isPlain(event) ? writeLiteral(event) : undefined) ?? stringify(event) ?? 'null';
}
