import { visible } from '../../contracts/constants/visible-text.js';

/*
 * What is done to texts of others before people read them in mail and Slack, which make links and markup of it.
 */

/** Joins words without being seen, and is part of no address. */
export const JOINER = '\u2060';

/** A text of somebody else that hides nothing, and in which no program finds an address by its scheme. */
export function unaddressed(text: string): string {
  return visible(text).replace(/:\/\//g, `:${JOINER}//`);
}

/** The first so many UTF-16 units, which is what Slack counts, without half of a character at the end. */
export function headOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

/** At most so many UTF-16 units of a text, with … if that is not all; … alone for no text, which Slack does not take. */
export function cutUnits(text: string, most: number): string {
  return text.length <= most ? text || '…' : `${headOf(text, most - 1)}…`;
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text in which nothing is read as a tag, a mention or a link of markup. */
export function untagged(text: string): string {
  return text.replace(/[&<>]/g, (one) => ESCAPED[one] ?? one);
}

/** What stands for a label where there is room for so many characters: one that will be cut has its number first. */
export function numberedIfCut(label: string, index: number, most: number): string {
  return unaddressed(label).length <= most ? label : `${index + 1}. ${label}`;
}

/** The labels that are cut there, one a line and in full, with their numbers. */
export function cutLabels(labels: readonly string[], most: number): string {
  return labels
    .map((label, index) => numberedIfCut(label, index, most))
    .filter((shown, index) => shown !== labels[index])
    .join('\n');
}
