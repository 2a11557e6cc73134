import { LIMITS } from '../../contracts/constants/limits.js';

/** Code points from the first to the last, both included. */
type Range = readonly [first: number, last: number];
type CharSet = readonly Range[];

/** A set of characters, and how often one of them occurs. */
interface Item {
  readonly set: CharSet;
  readonly min: number;
  readonly max: number;
}

const LAST_CODE_POINT = 0x10_ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** In an escape with the flag u, two escapes that form a surrogate pair are one character. */
const HEX = String.raw`[\dA-Fa-f]`;
const PAIR = String.raw`u[dD][89abAB]${HEX}{2}\\u[dD][c-fC-F]${HEX}{2}`;
const ESCAPE = String.raw`\\(?:${PAIR}|u\{${HEX}+\}|u${HEX}{4}|x${HEX}{2}|.)`;
const CLASS = String.raw`\[\^?(?:\\.|[^\\\][])+\]`;
const TIMES = String.raw`[*+?]|\{\d{1,4}(?:,\d{0,4})?\}`;
const ITEM = new RegExp(
  String.raw`(?<atom>${CLASS}|${ESCAPE}|[^\\^$*+?()[\]{}|])(?<times>${TIMES})?`,
  'suy',
);
const memberOf = () => new RegExp(String.raw`${ESCAPE}|[^\\]`, 'gsu');

const DIGITS: CharSet = [[0x30, 0x39]];
const WORDS: CharSet = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const SPACES: CharSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
];
const LINE_ENDS: CharSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
];
const CLASSES: Readonly<Record<string, CharSet>> = {
  '\\d': DIGITS,
  '\\D': complementOf(DIGITS),
  '\\w': WORDS,
  '\\W': complementOf(WORDS),
  '\\s': SPACES,
  '\\S': complementOf(SPACES),
};
const CONTROLS: Readonly<Record<string, number>> = {
  '\\t': 0x09,
  '\\n': 0x0a,
  '\\v': 0x0b,
  '\\f': 0x0c,
  '\\r': 0x0d,
};

/** The allowed patterns, described for a refusal. */
export const ACCEPTED_PATTERN = `up to ${LIMITS.patternCharacters} characters that begin with ^ and have no groups or alternatives, in which a character that is repeated cannot also be the one that follows, such as ^[A-Z]{2}-\\d{4,8}$`;

/** Whether a regular expression takes linear time: no repeated character may also follow its repetition (JC-42). */
export function isLinearPattern(pattern: string): boolean {
  if (pattern.length > LIMITS.patternCharacters || !pattern.startsWith('^') || !compiles(pattern)) {
    return false;
  }
  const items = itemsOf(pattern);
  return items?.every((item, index) => isClear(item, items.slice(index + 1))) ?? false;
}

/** Whether the engine accepts a pattern. Too large patterns fail only at the first text of each kind. */
function compiles(pattern: string): boolean {
  try {
    const compiled = new RegExp(pattern, 'u');
    return ['', '\u0100'].every((text) => typeof compiled.test(text) === 'boolean');
  } catch {
    return false;
  }
}

/** The characters in order with their repetitions; undefined for a pattern with anything else. */
function itemsOf(pattern: string): readonly Item[] | undefined {
  const items: Item[] = [];
  let at = 1;
  for (; at < pattern.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const { atom, times = '{1}' } = ITEM.exec(pattern)?.groups ?? {};
    if (atom === undefined) break;
    const set = setOf(atom);
    if (set === undefined) return undefined;
    items.push({ set, ...timesOf(times) });
  }
  const rest = pattern.slice(at);
  return rest === '' || rest === '$' ? items : undefined;
}

function timesOf(times: string): Omit<Item, 'set'> {
  if (times === '*') return { min: 0, max: Infinity };
  if (times === '+') return { min: 1, max: Infinity };
  if (times === '?') return { min: 0, max: 1 };
  const [min = '', max = min] = times.slice(1, -1).split(',');
  return { min: Number(min), max: max === '' ? Infinity : Number(max) };
}

function setOf(atom: string): CharSet | undefined {
  if (atom === '.') return complementOf(LINE_ENDS);
  if (!atom.startsWith('[')) return CLASSES[atom] ?? singleOf(atom);
  const isNegated = atom.startsWith('[^');
  const set = membersOf(atom.slice(isNegated ? 2 : 1, -1));
  return set && isNegated ? complementOf(set) : set;
}

/** Returns the set of one character; undefined for other escapes and for half of a surrogate pair. */
function singleOf(text: string): CharSet | undefined {
  const point = pointOf(text);
  if (point === undefined || (point >= FIRST_SURROGATE && point <= LAST_SURROGATE))
    return undefined;
  return [[point, point]];
}

function pointOf(text: string): number | undefined {
  if (!text.startsWith('\\')) return text.codePointAt(0);
  const escaped = text.slice(1);
  if (CONTROLS[text] !== undefined || !/^\w/.test(escaped))
    return CONTROLS[text] ?? escaped.codePointAt(0);
  if (!/^[ux]./.test(escaped)) return undefined;
  // Each half of a pair is written as a number of its own.
  const units = escaped.split(/[\\ux{}]+/).filter((digits) => digits !== '');
  return codeOf(units.map((digits) => parseInt(digits, 16)));
}

function codeOf([first = 0, second]: readonly number[]): number | undefined {
  return second === undefined ? first : String.fromCharCode(first, second).codePointAt(0);
}

function membersOf(inside: string): CharSet | undefined {
  const members = [...inside.matchAll(memberOf())].map(([member]) => member);
  const ranges: Range[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const member = members[at] ?? '';
    const set = CLASSES[member] ?? singleOf(member);
    const until = members[at + 1] === '-' ? singleOf(members[at + 2] ?? '') : undefined;
    if (set === undefined) return undefined;
    if (until === undefined || at + 2 >= members.length) {
      ranges.push(...set);
    } else {
      ranges.push([set[0]?.[0] ?? 0, until[0]?.[1] ?? 0]);
      at += 2;
    }
  }
  return ranges;
}

function complementOf(set: CharSet): CharSet {
  const ranges: Range[] = [];
  let next = 0;
  for (const [first, last] of [...set].sort(([a], [b]) => a - b)) {
    if (first > next) ranges.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  return next > LAST_CODE_POINT ? ranges : [...ranges, [next, LAST_CODE_POINT]];
}

/** Whether a repeated item cannot also match the next character. Optional items may be skipped. */
function isClear({ set, min, max }: Item, following: readonly Item[]): boolean {
  if (min === max) return true;
  const needed = following.findIndex((item) => item.min > 0);
  const next = needed < 0 ? following : following.slice(0, needed + 1);
  return next.every((item) => !overlap(set, item.set));
}

function overlap(a: CharSet, b: CharSet): boolean {
  return a.some(([first, last]) => b.some(([from, to]) => first <= to && from <= last));
}
