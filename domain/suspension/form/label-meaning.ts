import { USUAL_DENIALS } from '../../../contracts/constants/denial.js';
import { joinedAsRead, wordsAsRead } from '../../kernel/look-alikes.js';

/** The meaning of a choice. */
export type Meaning = 'yes' | 'no';

/** Words as a reader may take them. */
function read(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(asRead));
}

function asRead(text: string): string {
  return joinedAsRead(wordsAsRead(text.replaceAll(/\p{So}/gu, ' ')));
}

/** The words of a text, each as a reader may take it; `don't` is one. */
function wordsOf(text: string): readonly string[] {
  const whole = text.replaceAll(/['\u2019\u2018\u02bc\u2032`\u00b4\uff07]/gu, '');
  return wordsAsRead(whole.replaceAll(/\p{So}/gu, ' ')).map((word) => joinedAsRead([word]));
}

const YES_WORDS = read(
  'yes yep yeah ok okay proceed approve approved approves approving accept accepted accepts allow allowed allows agree agreed confirm confirmed confirms permit permitted authorize authorized authorise authorised goahead affirmative aye',
);
const NO_WORDS = read(
  `${USUAL_DENIALS.join(' ')} nope nah refuse refused refuses disagree disagreed disapprove disapproved disapproves disallow disallowed unapproved forbid forbidden veto vetoed rejects rejecting declines denies denying cancels aborts nay negative disapproval rejection denial refusal`,
);
/** Further labels that mean no, although as values they may be harmless. */
const STOP_WORDS = read('block blocked blocks stop stopped stops halt halted prohibit prohibited');
/** Words that turn around what follows them. */
const NEGATIONS = read(
  'not dont donot never cannot cant wont unable doesnt didnt isnt shouldnt wouldnt shant mustnt',
);
/** Words that may come before the word that counts. */
const FILLERS = read(
  'i we you please just do does did will would should must to be is am are it this that the a an any even',
);
/** Words after a no, or a not, that make it harmless, as in "No changes needed". */
const NOTHING_AGAINST = read(
  'change changes objection objections problem problems issue issues concern concerns comment comments complaint complaints conflict conflicts error errors finding findings remark remarks question questions risk risks doubt doubts blocker blockers worry worries edit edits need needed required applicable reason further more longer action rush sweat brainer bad only limit limits',
);
/** Words that postpone the yes before them. */
const NOT_YET = read('later nothing none never nobody no not');
/** Words of questions about inaction, which a yes may answer with "no". */
const LETS_BE = read('skip without instead stop hold keep leave ignore omit not dont no never');
const PARTICLES = read('yes yep yeah ok okay sure');

/** Further words that mean yes or no beside a yes or a no. */
const LETTERS: ReadonlyMap<string, Meaning> = new Map([
  ['y', 'yes'],
  ['true', 'yes'],
  ['n', 'no'],
  ['false', 'no'],
  ['x', 'no'],
]);
const YES_SIGNS = new Set('\u2713\u2714\u2611\u2705\u{1f44d}\u{1f197}\u{1f44c}');
const NO_SIGNS = new Set(
  '\u2717\u2718\u2715\u2716\u2612\u274c\u274e\u00d7\u{1f44e}\u{1f6ab}\u26d4\u{1f645}\u{1f6d1}',
);

/** Whether a text says yes or no as a whole, in whatever letters, and whatever stands around it. */
function wordMeaning(text: string): Meaning | undefined {
  const whole = asRead(text);
  if (YES_WORDS.has(whole)) return 'yes';
  return NO_WORDS.has(whole) || whole === NO ? 'no' : undefined;
}

const NO = asRead('no');
const YES = asRead('yes');

/** A word that something follows which explains it, as in "No, keep it". */
const FIRST_WORD = /^[^\p{L}\p{N}]*([\p{L}\p{N}]+)(?:\s*[,.:;!?(\u2013\u2014]|\s+-)/u;
/** A no at the end, as in "Deploy: no". */
const LAST_WORD = /[,:;\u2013\u2014-]\s*([\p{L}\p{N}]+)[^\p{L}\p{N}]*$/u;
const SHOWN_CHARACTERS = 300;

/** Returns what a label means by a yes or a no at its start, or else by its words. */
export function briefMeaning(label: string): Meaning | undefined {
  const whole = wordMeaning(label);
  if (whole !== undefined) return whole;
  const first = asRead(FIRST_WORD.exec(label.slice(0, SHOWN_CHARACTERS))?.[1] ?? '');
  if (first === YES) return 'yes';
  return first === NO ? 'no' : undefined;
}

/** The meaning of a label that has only signs. */
function signMeaning(label: string): Meaning | undefined {
  const shown = label.slice(0, SHOWN_CHARACTERS);
  const signs = Array.from(shown.replaceAll(/[\s\p{P}\p{M}\p{Cf}\p{Sk}]/gu, ''));
  if (signs.length === 0) return undefined;
  if (signs.every((sign) => YES_SIGNS.has(sign))) return 'yes';
  return signs.every((sign) => NO_SIGNS.has(sign)) ? 'no' : undefined;
}

/** The meaning of a label of one letter, or of a truth value, beside a yes or a no. */
export function letterMeaning(label: string): Meaning | undefined {
  return LETTERS.get(label.slice(0, SHOWN_CHARACTERS).trim().toLowerCase());
}

/**
 * Returns what a label clearly says, by its first word and negations; undefined if it may mean something else. The
 * question may say what is done, so that "Cancel the order" can be a yes.
 *
 * @param value - what is chosen, which says yes or no itself
 * @param about - what is asked, and what the other labels say
 */
export function clearMeaning(label: string, value: string, about: About): Meaning | undefined {
  const last = asRead(LAST_WORD.exec(label.slice(0, SHOWN_CHARACTERS))?.[1] ?? '');
  if (last === NO) return 'no';
  const words = wordsOf(label);
  const isPlain = value === 'yes' || value === 'no';
  if (!isPlain && hasOwnWord(words, value)) return undefined;
  const said = phraseMeaning(words, about, isPlain);
  if (said === 'unclear') return undefined;
  return briefMeaning(label) ?? signMeaning(label) ?? said;
}

/** The other texts beside a label. */
export interface About {
  /** The words of the question. */
  readonly asked: readonly string[];
  /** The first words of all labels. */
  readonly begins: ReadonlySet<string>;
}

/** The other texts beside all labels of a question. */
export function aboutOf(question: string, labels: readonly string[]): About {
  const begins = new Set(labels.flatMap((label) => wordsOf(label).slice(0, 1)));
  return { asked: wordsOf(question), begins };
}

/** Whether a label has the word that is its value, as "Yes, reject it" of reject has, and nothing turns it around. */
function hasOwnWord(words: readonly string[], value: string): boolean {
  const stem = stemOf(asRead(value));
  return words.some((word, index) => {
    const isNegated = words.slice(Math.max(0, index - 2), index).some((one) => NEGATIONS.has(one));
    return word.startsWith(stem) && !isNegated;
  });
}

const ENDING = /(?:ed|e|y|ied|led)$/;

/** Reduces approval and approve to one stem, and so denial and cancellation. */
function stemOf(word: string): string {
  const stem = word.replace(ENDING, '');
  return stem.length < 3 ? word : stem;
}

function phraseMeaning(
  words: readonly string[],
  about: About,
  isPlain: boolean,
): Meaning | 'unclear' | undefined {
  const from = words.findIndex((word) => !FILLERS.has(word));
  const [head = '', ...rest] = from < 0 ? [] : words.slice(from);
  const next = rest.find((word) => !FILLERS.has(word)) ?? '';
  const pair = PAIRS.get(`${head} ${next}`);
  if (pair !== undefined) return pair;
  if (head === NO) return NOTHING_AGAINST.has(next) ? undefined : 'no';
  if (NEGATIONS.has(head)) return negated(next, about, isPlain);
  if (PARTICLES.has(head)) return afterParticle(next, isPlain);
  if (YES_WORDS.has(head)) return affirmed(rest, about);
  if (!NO_WORDS.has(head) && !STOP_WORDS.has(head)) return undefined;
  return mayDo(head, rest, about, isPlain) ? 'unclear' : 'no';
}

/** Two words that say it together. */
const PAIRS: ReadonlyMap<string, Meaning> = new Map([
  [wordsOf('go ahead').join(' '), 'yes'],
  [wordsOf('thumbs up').join(' '), 'yes'],
  [wordsOf('thumbs down').join(' '), 'no'],
]);
const KEEPS = read('keep leave retain continue');
const ENDS = read('cancel abort stop');

/** Whether the question may ask about this very action, such as cancelling, which a yes then does. */
function mayDo(
  head: string,
  { length }: readonly string[],
  { asked, begins }: About,
  isPlain: boolean,
): boolean {
  if (length === 0 && !isPlain) return false;
  const stem = stemOf(head);
  if (asked.some((one) => one.startsWith(stem))) return !asked.some((one) => YES_WORDS.has(one));
  return length > 0 && isPlain && ENDS.has(head) && [...begins].some((one) => KEEPS.has(one));
}

function negated(next: string, { asked }: About, isPlain: boolean): Meaning | undefined {
  if (NO_WORDS.has(next) || STOP_WORDS.has(next) || NOTHING_AGAINST.has(next)) return undefined;
  const letsBe = (word: string) => LETS_BE.has(word) || NO_WORDS.has(word);
  return isPlain && !YES_WORDS.has(next) && asked.some(letsBe) ? undefined : 'no';
}

function afterParticle(next: string, isPlain: boolean): Meaning {
  return !isPlain && (NO_WORDS.has(next) || NEGATIONS.has(next)) ? 'no' : 'yes';
}

function affirmed(rest: readonly string[], { asked }: About): Meaning | 'unclear' {
  if (rest.some((word) => NOT_YET.has(word))) return 'unclear';
  const isAbout = (words: ReadonlySet<string>) => asked.some((word) => words.has(word));
  return rest.length > 0 && isAbout(NO_WORDS) && !isAbout(YES_WORDS) ? 'unclear' : 'yes';
}
