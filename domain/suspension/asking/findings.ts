import type {
  QuestionFindings,
  SuspensionChoice,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { asSeen } from '../../kernel/look-alikes.js';
import { quoted } from '../../kernel/text.js';
import { checkValue } from '../answering/response.js';

/** The most pairs in a warning; a question may have a hundred choices. */
const MOST_PAIRS = 3;

/** How much of a text is compared and shown around the first difference. */
const COMPARED_CHARACTERS = 1_000;
const SHOWN_BEFORE = 30;
const SHOWN_CHARACTERS = 60;

/** A text without what people overlook: case, white space, the composition of letters, and invisible characters. */
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

/**
 * Warns of choices that people cannot distinguish by their labels, or by their values, which logs and command lines
 * show.
 */
function alikeWarnings(choices: readonly SuspensionChoice[] = []): readonly string[] {
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

/** The parts of a question that determine whether its fallback could be an answer, and whether it is ever used. */
export type WithFallback = Pick<
  SuspensionRecord,
  | 'response_type'
  | 'choices'
  | 'response_schema'
  | 'fallback_policy'
  | 'fallback_value'
  | 'timeout_seconds'
  | 'retry_policy'
  | 'expires_at'
  | 'approval'
>;

/** The most warnings; a question may have hundreds of rungs with a warning each. */
const MOST_WARNINGS = 20;

function ends({ timeout_seconds, retry_policy, expires_at }: WithFallback): boolean {
  return (timeout_seconds ?? retry_policy?.interval_seconds ?? expires_at) !== undefined;
}

/** Warns of unusual fallback values. None is refused. */
function fallbackWarnings(record: WithFallback, isPossible: boolean): readonly string[] {
  const { fallback_value: value, fallback_policy, approval } = record;
  if (value === undefined || approval !== undefined) return [];
  // Clients that omit no fields send null for an absent value.
  if (value === null && fallback_policy === 'fail') return [];
  const shown = quoted(JSON.stringify(value));
  const unused = 'The fallback value is never used';
  return [
    ...(isPossible ? [] : [`No person could answer with the fallback value ${shown}.`]),
    ...(fallback_policy === 'fail' ? [`${unused}: the fallback policy is fail.`] : []),
    ...(ends(record)
      ? []
      : [`${unused}: without timeout_seconds only an answer ends the question.`]),
  ];
}

/**
 * Determines whether an operator could have given the fallback. It is slow: call it outside workflow code unless
 * there is no schema.
 *
 * @param more - more warnings for the asker
 */
export function findingsOf(record: WithFallback, more: readonly string[] = []): QuestionFindings {
  const { fallback_policy, fallback_value } = record;
  const isUsed = fallback_policy !== 'fail';
  const isJudged = isUsed || fallback_value !== undefined;
  const isPossible = !isJudged || checkValue(record, fallback_value ?? null).ok;
  const own = [...fallbackWarnings(record, isPossible), ...alikeWarnings(record.choices)];
  const warnings = [...own, ...more].slice(0, MOST_WARNINGS);
  return {
    ...(isUsed && !isPossible && { fallback_value_valid: false }),
    ...(warnings.length > 0 && { warnings }),
  };
}

export function withWarnings(
  { warnings = [], ...found }: QuestionFindings,
  more: readonly string[],
): QuestionFindings {
  const all = [...new Set([...warnings, ...more])].slice(0, MOST_WARNINGS);
  return { ...found, ...(all.length > 0 && { warnings: all }) };
}
