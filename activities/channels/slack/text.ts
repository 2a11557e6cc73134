import { visible, visibleLine } from '../../../contracts/constants/visible-text.js';
import { cutUnits, partsOf, untagged } from '../../../domain/kernel/shown-text.js';
import { neutralised, oneLine } from '../email/words.js';

/** The most characters in a part of a message, as Slack counts them. */
const SECTION = 3_000;

/** A text that Slack shows as it is, without looking for links, mentions or markup. */
export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

/** A text in one line of at most `most` characters. */
export function plainLine(text: string, most: number): PlainText {
  return { type: 'plain_text', text: cutUnits(visibleLine(text), most), emoji: false };
}

/**
 * The first `most` characters of an agent's text, in parts that Slack shows as they are. Parts end at line breaks
 * where possible.
 */
export function plainParts(text: string, most: number): readonly PlainText[] {
  const shown = visible(text);
  if (shown.trim() === '' || most < 1) return [];
  return partsOf(cutUnits(shown, most), SECTION).map((part) => ({
    type: 'plain_text',
    text: part,
    emoji: false,
  }));
}

/** Whether a text has the same meaning as Slack markup: it has no markup sign, no address and no invisible character. */
export function isPlain(text: string): boolean {
  return !/[*_~`<>&:\n\t]|^\s|\s$/.test(text) && neutralised(text) === text;
}

/** How many characters an agent's text has when all of it is shown. */
export function shownLength(text: string): number {
  return visible(text).length;
}

/**
 * A text for notifications, which Slack reads as markup: one line without mentions, links or formatting. What would
 * cause them is put in brackets.
 */
export function summaryLine(text: string, most: number): string {
  const line = neutralised(oneLine(text, most));
  return untagged(line.replace(/(?<![\p{L}\p{N}])[*_~`](?=\S)/gu, '[$&]'));
}

/** Slack markup for an instant (ISO-8601), which each reader sees in their own time zone. */
export function instantForAll(instant: string): string {
  const seconds = Math.floor(Date.parse(instant) / 1_000);
  const fallback = `${instant.slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${seconds}^{date_short_pretty} {time}|${fallback}>`;
}
