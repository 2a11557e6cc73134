import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { isLinearPattern } from '../../../domain/schema/pattern.js';

describe('a pattern in a schema', () => {
  for (const pattern of [
    '^[A-Z]{2}-\\d{4,8}$',
    '^[a-z]+@[a-z-]+\\.com$',
    '^a*b?c*$',
    '^\\S+ \\S+$',
    '^[^,]*,[^,]*$',
    '^\\u0041\\t.{0,10}$',
    '^é+😀$',
    '^\\uD83D\\uDE00*b$',
    '^\\u{1F600}*\\u{61}$',
    '^[\\x61-\\u{63}]*[d-e]$',
    '^[\\uD83D\\uDE00-\\uD83D\\uDE4F]*a$',
    '^ok',
    '^',
  ]) {
    it(`${pattern} is taken`, () => assert.ok(isLinearPattern(pattern)));
  }

  for (const [pattern, why] of [
    ['^(a+)+$', 'repeats what repeats'],
    ['^(a|a)*$', 'has two ways to go on'],
    ['a+$', 'begins anywhere'],
    ['^a*a*$', 'repeats the same twice'],
    ['^a*b?a*$', 'repeats the same behind what is optional'],
    ['^\\w+\\d+$', 'repeats a class and one within it'],
    ['^[a-f]+[d-k]{2,3}$', 'repeats ranges that overlap'],
    ['^.*x$', 'repeats what includes the next'],
    ['^\\S*[^x]$', 'repeats a complement that overlaps'],
    ['^a+?$', 'is lazy'],
    ['^(?=a)a$', 'looks ahead'],
    ['^a$b', 'goes on behind its end'],
    ['^[z-a]$', 'is none'],
    ['^\\p{L}+$', 'names a property'],
    ['^\\bx$', 'has a boundary'],
    ['^a|b$', 'has an alternative'],
    ['^(\\uD83D\\uDE00*😀*){12}$', 'repeats a group'],
    [`^${'\\uD83D\\uDE00*😀*'.repeat(12)}$`, 'repeats one pair in two spellings'],
    ['^[\\uD83D\\uDE00]*😀$', 'repeats a class with that pair'],
    ['^[\\u{61}]*a*$', 'repeats a code point and its letter'],
    ['^\\u{0061}*a$', 'repeats a code point with zeros'],
    ['^\\x61*a$', 'repeats a number of two digits'],
    ['^\\uD83D*b$', 'names half of a pair'],
    ['^\\uD83D\\u{DE00}*b$', 'names two halves that make no pair'],
    ['^\ud83d*\\uDE00$', 'has half of a pair'],
    ['^\\cA*\\u0001$', 'names a control character by its letter'],
    ['^\\0*\\u0000$', 'names a character by its number'],
    [`^${'a'.repeat(LIMITS.patternCharacters)}`, 'is too long'],
  ] as const) {
    it(`${pattern.slice(0, 30)} is refused: it ${why}`, () => {
      assert.ok(!isLinearPattern(pattern));
    });
  }

  it('is read as the engine reads it: a class never overlaps with what follows it', () => {
    const points = [
      0, 1, 8, 9, 10, 13, 31, 32, 45, 47, 48, 57, 65, 90, 92, 94, 95, 97, 98, 99, 122, 123, 160,
      255, 256, 0x2028, 0x202f, 0x4e00, 0xd83d, 0xde00, 0xfeff, 0xffff, 0x1_0000, 0x1_f600,
      0x1_f601, 0x1_f64f, 0x10_ffff,
    ];
    const texts = points.map((point) => String.fromCodePoint(point));
    const single = fc.constantFrom(
      'a',
      'b',
      '\\x61',
      '\\u0062',
      '\\u{63}',
      '\\u{000061}',
      '😀',
      '\\uD83D\\uDE00',
      '\\ud83d\\ude01',
      '\\u{1f600}',
      '\\t',
      '\\n',
      '\\/',
      '\\-',
      '\\]',
      '\\^',
      '0',
      '\\x30',
      '\\u{10ffff}',
      '\\uFFFF',
      '\\.',
    );
    const class_ = fc.constantFrom('\\d', '\\D', '\\w', '\\W', '\\s', '\\S');
    const range = fc.tuple(single, single).map(([first, last]) => `${first}-${last}`);
    const members = fc.array(fc.oneof(single, class_, range), { minLength: 1, maxLength: 4 });
    const set = fc
      .tuple(fc.constantFrom('', '^'), members)
      .map(([not, all]) => `[${not}${all.join('')}]`);
    const atom = fc.oneof(single, class_, set, fc.constant('.'));
    let taken = 0;
    fc.assert(
      fc.property(atom, atom, (repeated, next) => {
        if (!isLinearPattern(`^${repeated}*${next}$`)) return;
        taken += 1;
        const [first, second] = [repeated, next].map((one) => new RegExp(`^${one}$`, 'u'));
        const both = texts.filter((text) => first?.test(text) && second?.test(text));
        assert.deepEqual(both, []);
      }),
      { numRuns: 4_000 },
    );
    assert.ok(taken > 300, `only ${taken} were taken`);
  });

  it('takes no long time for any text, if it is taken', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '.',
      '1',
      '[a-c1]',
      '\\u{61}',
      '[\\u{61}]',
      '\\uD83D\\uDE00',
      '😀',
      '[\\uD83D\\uDE00]',
      '\\x61',
    );
    const times = fc.constantFrom('', '*', '+', '?', '{1,9}', '{2}');
    const part = fc.tuple(atom, times).map((both) => both.join(''));
    const patterns = fc
      .array(part, { minLength: 1, maxLength: 8 })
      .map((all) => `^${all.join('')}$`);
    const text = fc.constantFrom('a', 'b', '1', 'ab', 'a1', '😀');
    let taken = 0;
    fc.assert(
      fc.property(patterns, text, (pattern, unit) => {
        if (!isLinearPattern(pattern)) return;
        taken += 1;
        const started = process.cpuUsage();
        new RegExp(pattern, 'u').test(`${unit.repeat(20_000)}!`);
        const { user } = process.cpuUsage(started);
        assert.ok(user < 500_000, `${pattern} took ${user} µs`);
      }),
      { numRuns: 2_000 },
    );
    assert.ok(taken > 100, `only ${taken} were taken`);
  });
});
