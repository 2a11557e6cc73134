import type { JsonObject } from '../../contracts/primitives.js';
import { visible, visibleName } from '../../contracts/constants/visible-text.js';

/** Something that an agent wrote under a name: an entry of a context, or what a choice is said to be. */
export interface Entry {
  readonly name: string;
  readonly text: string;
}

/** The entries of a context that may leave, as people may read them. */
export function entriesIn({ _attempt, _max_attempts, ...own }: JsonObject): readonly Entry[] {
  return Object.entries(own).map(([name, value]) => ({
    name: visibleName(name),
    text: visible(typeof value === 'string' ? value : JSON.stringify(value)),
  }));
}

/** An entry in plain text. A text of several lines is quoted below its name, so that none of them looks like another entry. */
export function entryText({ name, text }: Entry): string {
  return text.includes('\n') ? `${name}:\n${quoted(text)}` : `${name}: ${text}`;
}

/** A text with a mark before each of its lines, which no line of ours begins with. */
export function quoted(text: string): string {
  return text.replace(/^/gm, '> ');
}

/** How many entries of a context may not leave, in words; undefined if none is kept back. */
export function keptBack(withheld: number): string | undefined {
  if (withheld === 0) return undefined;
  if (withheld === 1) return '1 more entry of its context is in the inbox alone';
  return `${withheld} more entries of its context are in the inbox alone`;
}
