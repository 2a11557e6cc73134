import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { choicesOf } from '../../examples/demo/choices.js';
import { Checker, Difference, type Row } from '../../examples/demo/compliance/checker.js';
import type { SeenRow } from '../../examples/demo/compliance/printing.js';
import { paced, TOLERANCE_MS } from '../../examples/demo/compliance/story.js';
import { Lateness } from '../../examples/demo/lateness.js';

const NOTHING = (): void => undefined;

/** A checker whose question was asked so many milliseconds ago, the rows it showed, and what it noted as late. */
function checkerAfter(ms: number) {
  const shown: SeenRow[] = [];
  const row = (seen: SeenRow): void => void shown.push(seen);
  const printer = { header: NOTHING, note: NOTHING, verdict: NOTHING, row };
  const notes: string[] = [];
  const late = new Lateness((text) => notes.push(text), TOLERANCE_MS);
  const checker = new Checker('rfc', 6, { printer, late, signal: new AbortController().signal });
  const asked = Date.now() - ms;
  checker.countFrom(new Date(asked).toISOString());
  return { checker, shown, asked, late, notes };
}

function rowAt(ms: number, time = 3_600): Row {
  return { row: 'TL-08', time, says: 'a reminder', look: async () => new Date(ms).toISOString() };
}

describe('the check of the compliance run', () => {
  it('finds a row that is early', async () => {
    const { checker, asked } = checkerAfter(30_000);
    await assert.rejects(
      checker.rows(rowAt(asked + 5_999)),
      (error) => error instanceof Difference && error.message === 'rfc, TL-08 is 1 ms early',
    );
  });

  it('goes on after a row that is late, and says so at once', async () => {
    const { checker, shown, asked, late, notes } = checkerAfter(30_000);
    await checker.rows(rowAt(asked + 10_000));
    assert.deepEqual([notes, late.summary], [[], 'nothing early, nothing over 4 s late']);
    await checker.rows(rowAt(asked + 10_001), rowAt(asked + 7_300, 4_200));
    assert.equal(shown.length, 3);
    assert.match(notes.join(), /^rfc, TL-08 is 4001 ms late: the machine is busy/);
    assert.equal(
      late.summary,
      'nothing early, 1 over 4 s late on a busy machine (4001 ms at most)',
    );
  });

  it('waits for a row that is not there in time, up to where it is missing', async () => {
    const late = checkerAfter(12_000);
    let looks = 0;
    const look = () => {
      looks += 1;
      return looks > 1
        ? Promise.resolve(new Date(late.asked + 11_000).toISOString())
        : Promise.reject(new Error('no reminder'));
    };
    await late.checker.rows({ ...rowAt(0), look });
    assert.match(late.notes.join(), /TL-08 is 5000 ms late/);
    const never = () => Promise.reject(new Error('no reminder'));
    const missing = checkerAfter(66_001).checker.rows({ ...rowAt(0), look: never });
    await assert.rejects(missing, /TL-08 \(a reminder\): Error: no reminder$/);
  });

  it('does not count the time without a worker', async () => {
    const { checker, asked, notes } = checkerAfter(0);
    await checker.outage(() => Promise.resolve(), 10_000);
    await checker.rows(rowAt(asked + 9_000, 0));
    assert.deepEqual(notes, []);
    await checker.rows(rowAt(asked + 15_000, 0));
    assert.match(notes.join(), /TL-08, \d+ ms without a worker apart, is [45]\d{3} ms late/);
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

  for (const [args, why] of [
    [['refund'], /^Error: There is no story "refund"; there are: /],
    [['compliance', '--variant', 'td-07'], /^Error: There is no variant "td-07"; there are: /],
    [['--kill'], /^Error: --variant and --kill are for: compliance\.$/],
    [['--fast'], /^Error: There is no option --fast\.$/],
  ] as const) {
    it(`refuses ${args.join(' ')}`, () => {
      assert.throws(() => choicesOf(args), why);
    });
  }
});
