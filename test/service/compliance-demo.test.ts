import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { choicesOf } from '../../examples/demo/choices.js';
import { Checker, Difference, type Row } from '../../examples/demo/compliance/checker.js';
import type { SeenRow } from '../../examples/demo/compliance/printing.js';
import { paced } from '../../examples/demo/compliance/story.js';

const NOTHING = (): void => undefined;

/** A checker whose question was asked so many milliseconds ago, and the rows it showed. */
function checkerAfter(ms: number): { checker: Checker; shown: SeenRow[]; asked: number } {
  const shown: SeenRow[] = [];
  const row = (seen: SeenRow): void => void shown.push(seen);
  const printer = { header: NOTHING, note: NOTHING, verdict: NOTHING, row };
  const checker = new Checker('rfc', 6, { printer, signal: new AbortController().signal });
  const asked = Date.now() - ms;
  checker.countFrom(new Date(asked).toISOString());
  return { checker, shown, asked };
}

function rowAt(ms: number, time = 3_600): Row {
  return { row: 'TL-08', time, says: 'a reminder', look: async () => new Date(ms).toISOString() };
}

describe('the check of the compliance run', () => {
  it('shows a row that holds, planned beside actual', async () => {
    const { checker, shown, asked } = checkerAfter(10_000);
    await checker.rows(rowAt(asked + 6_100));
    assert.deepEqual(
      shown.map(({ row, time, plannedMs, actualMs }) => [row, time, plannedMs, actualMs]),
      [['TL-08', 'T+3600', 6_000, 6_100]],
    );
  });

  it('finds a row that is early, and one that is late', async () => {
    const { checker, asked } = checkerAfter(30_000);
    await assert.rejects(checker.rows(rowAt(asked + 5_999)), /TL-08: 1 ms early$/);
    await assert.rejects(checker.rows(rowAt(asked + 10_001)), /TL-08: 4001 ms late$/);
  });

  it('finds a row that does not hold when it is due, with what was seen', async () => {
    const { checker } = checkerAfter(30_000);
    const look = () => Promise.reject(new Error('task 2 is "running", not "blocked"'));
    await assert.rejects(
      checker.rows({ row: 'TL-04', time: 0, says: 'blocked', look }),
      (error) => error instanceof Difference && /TL-04 .*not "blocked"$/.test(error.message),
    );
  });

  it('does not count the time without a worker', async () => {
    const { checker, asked } = checkerAfter(0);
    await checker.outage(() => Promise.resolve(), 10_000);
    await checker.rows(rowAt(asked + 9_000, 0));
    await assert.rejects(checker.rows(rowAt(asked + 14_100, 0)), /late$/);
  });

  it('shows an hour at its pace', () => {
    assert.deepEqual([paced(5_400, 6), paced(5_500, 6)], [9_000, 9_167]);
  });
});

describe('the command line of the demo', () => {
  it('names the story, its variants and what is killed', () => {
    assert.deepEqual(choicesOf(['--json']), { json: true });
    const { compliance } = choicesOf(['compliance', '--variant', 'all', '--kill']);
    assert.equal(compliance?.kills, true);
    assert.deepEqual(
      compliance.variants.map(({ name }) => name),
      ['rfc', 'td-04', 'td-05', 'td-06'],
    );
  });

  for (const args of [['refund'], ['compliance', '--variant', 'td-07'], ['--kill'], ['--fast']]) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.throws(() => choicesOf(args));
    });
  }
});
