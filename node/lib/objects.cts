import { writeLiteral } from './generated/writers.cjs';
import { isPlain } from './json.cjs';

/** The JSON text of an event; a line, so that several can follow one another. */
function textOf(event: unknown): string {
  return (isPlain(event) ? writeLiteral(event) : undefined) ?? JSON.stringify(event) ?? 'null';
}

/** Events as text, until one that JSON cannot hold: then also what JSON.stringify throws for that. */
export function textOfAll(events: readonly unknown[]): { text: string; thrown?: unknown } {
  const lines: string[] = [];
  try {
    for (const event of events) lines.push(textOf(event));
  } catch (thrown) {
    return { text: lines.join('\n'), thrown };
  }
  return { text: lines.join('\n') };
}
