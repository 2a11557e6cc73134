import { USUAL_DENIALS } from '../../contracts/constants/denial.js';
import { isBlank } from '../../contracts/constants/visible-text.js';
import type { SuspensionChoice, SuspensionRecord } from '../../contracts/suspension.js';
import { joinedAsRead, wordsAsRead } from '../kernel/look-alikes.js';
import { quoted } from '../kernel/text.js';
import { validChoices } from './response.js';

/** What of a question its buttons are made of. */
type Asked = Pick<SuspensionRecord, 'response_type' | 'choices' | 'denials'>;

/** Why people would misread a choice. */
export interface LabelFault {
  /** The place of the choice. */
  readonly index: number;
  readonly detail: string;
  readonly accepted: string;
}

/** Letters of other alphabets, and marks, with the one that each looks like. Only those that nobody tells apart. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ...pairs('АаВЕеКМНОоРрСсТХхУуЅѕЈј', 'AaBEeKMHOoPpCcTXxYySsJj'),
  ...pairs('ΑΒΕΖΗΚΜΝΟΤΧΥον', 'ABEZHKMNOTXYov'),
  ...pairs('IІΙ|ӏ', 'lllll'),
  ...pairs('іһԁԛԝ', 'ihdqw'),
  ...pairs('‐‑‒−⁃', '-----'),
  ...pairs('’‘ʼ', "'''"),
]);

function pairs(others: string, plain: string): readonly (readonly [string, string])[] {
  const letters = Array.from(plain);
  return Array.from(others, (other, index) => [other, letters[index] ?? other] as const);
}

/** So much of a label is looked at closely; the rest counts as it is. */
const SEEN_CHARACTERS = 1_000;

/** A label as the eye takes it: labels that people cannot tell apart give the same text. */
function asSeen(whole: string): string {
  const label = whole.slice(0, SEEN_CHARACTERS);
  // Raised and circled digits do not look like those that they stand for.
  const composed = label.replaceAll(/\P{No}+/gu, (part) => part.normalize('NFKC'));
  const seen = composed.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  const plain = Array.from(seen, (letter) => TWINS.get(letter) ?? letter).join('');
  const seenWhole = plain.replaceAll(/[\p{Cc}\p{Z}\s\u2800]+/gu, ' ').trim();
  return seenWhole + whole.slice(SEEN_CHARACTERS);
}

type Meaning = 'yes' | 'no';

const YES_WORDS: readonly string[] = [
  'yes',
  'yep',
  'ok',
  'okay',
  'go ahead',
  'proceed',
  'approve',
  'approved',
  'accept',
  'accepted',
  'allow',
  'allowed',
  'agree',
  'agreed',
  'confirm',
  'confirmed',
];
const NO_WORDS: readonly string[] = [...USUAL_DENIALS, 'nope', 'refuse', 'refused', 'disagree'];
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...YES_WORDS.map((word) => [asRead(word), 'yes'] as const),
  ...NO_WORDS.map((word) => [asRead(word), 'no'] as const),
]);
/** What else says yes or no beside a yes or a no. */
const SIGNS: ReadonlyMap<string, Meaning> = new Map([
  ['y', 'yes'],
  ['true', 'yes'],
  ['👍', 'yes'],
  ['✅', 'yes'],
  ['n', 'no'],
  ['false', 'no'],
  ['👎', 'no'],
  ['❌', 'no'],
]);

function asRead(text: string): string {
  return joinedAsRead(wordsAsRead(text.replaceAll(/\p{So}/gu, ' ')));
}

/** A word that something follows which explains it, as in "No, keep it". */
const FIRST_WORD = /^[^\p{L}\p{N}]*([\p{L}\p{N}]+)(?:\s*[,.:;!?(–—]|\s+-)/u;

/** Whether a text says yes or no, in whatever letters, and whatever stands around it. */
function meaningOf(text: string): Meaning | undefined {
  const whole = MEANINGS.get(asRead(text));
  if (whole !== undefined) return whole;
  const first = asRead(FIRST_WORD.exec(text)?.[1] ?? '');
  return first === asRead('yes') || first === asRead('no') ? MEANINGS.get(first) : undefined;
}

/** What it means to choose a value: what the word says, or what the asker has declared. */
function meaningOfChoice(value: string, denials: readonly string[] = []): Meaning | undefined {
  if (value === 'yes' || value === 'no' || denials.length === 0) return meaningOf(value);
  return denials.includes(value) ? 'no' : 'yes';
}

function opposite({ value, label }: SuspensionChoice, denials?: readonly string[]): boolean {
  const meant = meaningOfChoice(value, denials);
  const isPlain = value === 'yes' || value === 'no';
  const sign = SIGNS.get(label.replaceAll(/[\s\uFE0F]/gu, '').toLowerCase());
  const said = meaningOf(label) ?? (isPlain ? sign : undefined);
  if (meant === undefined || said === undefined || meant === said) return false;
  // A value that says so itself, as cancel, is told of by a warning.
  return meaningOf(value) !== said;
}

/**
 * The first choice whose label nobody sees, says the opposite of what is chosen, or looks like that of another; undefined where
 * each says what it is. Words of other languages are not known.
 */
export function labelFault({ denials, ...asked }: Asked): LabelFault | undefined {
  const seen = new Map<string, string>();
  // A yes or a no that is not listed is shown too, and stands after those that are.
  const listed = asked.choices ?? [];
  const all = [...listed, ...validChoices(asked).filter((choice) => !listed.includes(choice))];
  for (const [index, choice] of all.entries()) {
    const { value, label } = choice;
    if (isBlank(label)) {
      const detail = `The label of ${quoted(value)} is blank.`;
      return { index, detail, accepted: 'a label that people can see' };
    }
    if (opposite(choice, denials)) {
      const detail = `The label of ${quoted(value)} says the opposite: ${quoted(label)}.`;
      return { index, detail, accepted: 'a label that says what is chosen' };
    }
    const look = asSeen(label);
    const other = seen.get(look);
    if (other !== undefined) {
      const detail = `The labels of ${quoted(other)} and ${quoted(value)} look the same.`;
      const last = Math.min(index, listed.length - 1);
      return { index: last, detail, accepted: 'a label that no other choice has' };
    }
    seen.set(look, value);
  }
  return undefined;
}
