import type { JsonObject } from '../../contracts/primitives.js';
import { cutUnits, unaddressed } from '../../domain/kernel/shown-text.js';

/** A text that Slack shows as it is, without links, mentions, markup and characters that hide what it says. */
export function plain(text: string, most: number): JsonObject {
  return { type: 'plain_text', text: cutUnits(unaddressed(text), most), emoji: false };
}
