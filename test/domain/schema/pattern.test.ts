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
    [`^${'a'.repeat(LIMITS.patternCharacters)}`, 'is too long'],
  ] as const) {
    it(`${pattern.slice(0, 30)} is refused: it ${why}`, () => {
      assert.ok(!isLinearPattern(pattern));
    });
  }

  it('takes no long time for any text, if it is taken', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '\\w', '\\d', '.', '1', '[a-c1]');
    const times = fc.constantFrom('', '*', '+', '?', '{1,9}', '{2}');
    const part = fc.tuple(atom, times).map((both) => both.join(''));
    const patterns = fc
      .array(part, { minLength: 1, maxLength: 8 })
      .map((all) => `^${all.join('')}$`);
    const text = fc.constantFrom('a', 'b', '1', 'ab', 'a1');
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
