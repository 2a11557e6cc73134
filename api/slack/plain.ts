import type { JsonObject } from '../../contracts/primitives.js';
import { visible } from '../../contracts/constants/visible-text.js';
import { cutUnits } from '../../domain/kernel/shown-text.js';

/** A text that Slack shows as it is, without links, mentions, markup and characters that hide what it says. */
export function plain(text: string, most: number): JsonObject {
  return { type: 'plain_text', text: cutUnits(visible(text), most), emoji: false };
}
