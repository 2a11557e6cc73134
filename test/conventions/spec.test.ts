import assert from 'node:assert/strict';
import { coverageOf, selectIds } from './coverage.js';

const KNOWN = ['R25-01', 'R25-02', 'R25-10', 'R26-01'];

describe('requirement coverage', () => {
  it('reads several ids from one bracket pair', () => {
    const titles = ['answers once [R25-01, R26-01]', 'a group [R25-10] waits'];
    assert.deepEqual(coverageOf(titles, KNOWN), { unnamed: ['R25-02'], unknown: [] });
  });

  it('names every id where no test does', () => {
    assert.deepEqual(coverageOf(['counts R25-01 to R26-01'], KNOWN).unnamed, KNOWN);
  });

  it('reports an id that does not exist once', () => {
    const unknownId = ['R25', '99'].join('-');
    const titles = [`answers [${unknownId}]`, `reminds [${unknownId}]`];
    assert.deepEqual(coverageOf(titles, KNOWN).unknown, [unknownId]);
  });

  it('passes over brackets that hold no id', () => {
    assert.deepEqual(coverageOf(['accepts [0, 1] and [] and [a-1]'], KNOWN).unknown, []);
  });

  const selections: readonly (readonly [ranges: readonly string[], ids: readonly string[]])[] = [
    [[], KNOWN],
    [['R25-01..02'], ['R25-01', 'R25-02']],
    [
      ['R26-01', 'R25-02..98'],
      ['R25-02', 'R25-10', 'R26-01'],
    ],
  ];
  for (const [ranges, ids] of selections) {
    it(`selects ${ids.join(' ')} by (${ranges.join(' ')})`, () => {
      assert.deepEqual(selectIds(KNOWN, ranges), ids);
    });
  }

  for (const range of ['R25', 'R24-01..09', 'R25-03..09', 'all']) {
    it(`refuses the range (${range})`, () => {
      assert.throws(() => selectIds(KNOWN, [range]), RangeError);
    });
  }
});
