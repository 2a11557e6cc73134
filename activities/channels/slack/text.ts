import { JOINER, cutUnits, headOf, untagged } from '../../../domain/kernel/shown-text.js';
import { oneLine, unlinked, unlinkedLine } from '../email/words.js';

/** The most that a part of a message may hold, in characters, as Slack counts them. */
const SECTION = 3_000;

/** What Slack calls a text that is shown as it is. */
export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
}

/** A text as it is, in one line of at most so many characters. */
export function plainLine(text: string, most: number): PlainText {
  return { type: 'plain_text', text: cutUnits(oneLine(text, most), most), emoji: false };
}

/** A text of an agent in parts that Slack shows as they are, without links, mentions and markup: at most so many characters of it. */
export function plainParts(text: string, most: number): readonly PlainText[] {
  const shown = shownText(text);
  if (shown === '' || most < 1) return [];
  const parts: PlainText[] = [];
  for (let rest = cutUnits(shown, most); rest !== '';) {
    const part = rest.length <= SECTION ? rest : headOf(rest, SECTION);
    parts.push({ type: 'plain_text', text: part, emoji: false });
    rest = rest.slice(part.length);
  }
  return parts;
}

/** How many characters a text of an agent has where all of it is shown. */
export function shownLength(text: string): number {
  return shownText(text).length;
}

function shownText(text: string): string {
  return unlinked(text).trim();
}

/** A text in the markup of Slack that mentions nobody and links nowhere, whatever it holds. */
export function escapedLine(text: string, most: number): string {
  return untagged(unlinkedLine(text, most)).replace(/[*_~`]/g, `${JOINER}$&`);
}

/** An instant (ISO-8601) that each reader sees in its own time. */
export function instantForAll(instant: string): string {
  const seconds = Math.floor(Date.parse(instant) / 1_000);
  const fallback = `${instant.slice(0, 16).replace('T', ' ')} UTC`;
  return `<!date^${seconds}^{date_short_pretty} {time}|${fallback}>`;
}
