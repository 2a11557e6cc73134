import { visible, visibleLine } from '../../../contracts/constants/visible-text.js';
import { cutUnits, partsOf, untagged } from '../../../domain/kernel/shown-text.js';
import { neutralised } from '../email/addresses.js';
import { oneLine } from '../email/words.js';

/** The most that a part of a message may hold, in characters, as Slack counts them. */
const SECTION = 3_000;

/** What Slack calls a text that is shown as it is: it looks for no links, mentions and markup there. */
export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

/** A text as it is, in one line of at most so many characters. */
export function plainLine(text: string, most: number): PlainText {
  return { type: 'plain_text', text: cutUnits(visibleLine(text), most), emoji: false };
}

/** A text of an agent in parts that Slack shows as they are: at most so many characters of it. A part ends with a line, if it can. */
export function plainParts(text: string, most: number): readonly PlainText[] {
  const shown = visible(text);
  if (shown.trim() === '' || most < 1) return [];
  return partsOf(cutUnits(shown, most), SECTION).map((part) => ({
    type: 'plain_text',
    text: part,
    emoji: false,
  }));
}

/** Whether a text is the same as markup of Slack: it has no sign of that, no address, and nothing that is not seen. */
export function isPlain(text: string): boolean {
  return !/[*_~`<>&:\n\t]|^\s|\s$/.test(text) && neutralised(text) === text;
}

/** How many characters a text of an agent has where all of it is shown. */
export function shownLength(text: string): number {
  return visible(text).length;
}

/**
 * A text for notifications, which are made of markup and of which nothing is copied: one line that mentions nobody, links
 * nowhere and is formatted nowhere. What would do so stands in brackets.
 */
export function summaryLine(text: string, most: number): string {
  const line = neutralised(oneLine(text, most));
  return untagged(line.replace(/(?<![\p{L}\p{N}])[*_~`](?=\S)/gu, '[$&]'));
}

/** An instant (ISO-8601) that each reader sees in its own time. */
export function instantForAll(instant: string): string {
  const seconds = Math.floor(Date.parse(instant) / 1_000);
  const fallback = `${instant.slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${seconds}^{date_short_pretty} {time}|${fallback}>`;
}
