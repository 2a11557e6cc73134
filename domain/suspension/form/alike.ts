import type { SuspensionChoice } from '../../../contracts/suspension/suspension.js';
import { asSeen } from '../../kernel/seen-text.js';

/** A question may have a hundred choices. */
const MOST_PAIRS = 3;

/** So much of a text is compared, and so much of it is shown around the first difference. */
const COMPARED_CHARACTERS = 1_000;
const SHOWN_BEFORE = 30;
const SHOWN_CHARACTERS = 60;

/** A text without what people overlook: case, blanks, how its letters are composed, and invisible characters. */
function overlooked(text: string): string {
  const folded = text.slice(0, COMPARED_CHARACTERS).normalize('NFC').toUpperCase().toLowerCase();
  const rest = text.slice(COMPARED_CHARACTERS);
  return asSeen(folded).normalize('NFC').replaceAll(' ', '') + rest;
}

function coded(text: string, hidden: RegExp): string {
  return text.replaceAll(hidden, (one) => {
    const code = one.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** Two texts in quotes, cut around their first difference, with codes where they would look the same. */
function apart(one: string, other: string): string {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const from = Math.max(0, same - SHOWN_BEFORE);
  const parts = [one, other].map((text) => {
    const part = text.slice(from, from + SHOWN_CHARACTERS);
    const isCut = text.length > from + SHOWN_CHARACTERS;
    return [from > 0 ? '…' : '', part, isCut ? '…' : ''] as const;
  });
  const shownBy = (hidden: RegExp) =>
    parts.map(([before, part, after]) => `"${before}${coded(part, hidden)}${after}"`);
  const shown = shownBy(/[\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]|(?! )[\p{Z}\s]/gu);
  const [first = '', second = ''] = shown;
  return (asSeen(first) === asSeen(second) ? shownBy(/[^\u0020-\u007e]/gu) : shown).join(' and ');
}

/** Warns of choices that people cannot tell apart by their values, as logs and command lines show them, or by their labels. */
export function alikeWarnings(choices: readonly SuspensionChoice[] = []): readonly string[] {
  const warned = new Set<SuspensionChoice>();
  const pairs = (['value', 'label'] as const).flatMap((field) => {
    const seen = new Map<string, SuspensionChoice>();
    return choices.flatMap((choice) => {
      const look = overlooked(choice[field]);
      const other = seen.get(look);
      if (other === undefined) seen.set(look, choice);
      if (other === undefined || warned.has(choice)) return [];
      warned.add(choice);
      const pair = apart(other[field], choice[field]);
      return [
        `The ${field}s ${pair} are easily confused: they differ only in case, blanks, or characters that look alike or are invisible.`,
      ];
    });
  });
  return pairs.slice(0, MOST_PAIRS);
}
