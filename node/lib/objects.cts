import type { Loose } from './check.cjs';
import { writeLiteral } from './generated/writers.cjs';

/** The JSON text of an event; a line, so that several can follow one another. */
export function textOf(event: unknown): string {
  const plain = typeof event === 'object' && event !== null && Object.getPrototypeOf(event) === Object.prototype;
  // What is written here is written as JSON.stringify does.
  return (plain ? writeLiteral(event as Loose) : undefined) ?? JSON.stringify(event) ?? 'null';
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
