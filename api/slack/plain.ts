import { STEERING_IN_LINES } from '../../contracts/constants/steering.js';
import type { JsonObject } from '../../contracts/primitives.js';

const STEERING_RUNS = new RegExp(`(?:${STEERING_IN_LINES.source})+`, 'gu');
/** Joins words without being seen, so that no address is found. */
const JOINER = '\u2060';

/** A text of at most so many UTF-16 units, which is what Slack counts, without half of a character at its end. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text === '' ? '…' : text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A text that Slack shows as it is, without links, mentions, markup and characters that steer the direction. */
export function plain(text: string, most: number): JsonObject {
  const shown = text.replace(STEERING_RUNS, ' ').replace(/:\/\//g, `:${JOINER}//`);
  return { type: 'plain_text', text: cut(shown, most), emoji: false };
}
