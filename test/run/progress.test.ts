import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EndedJob } from './run-jobs.js';
import { summaryOf } from './summary.js';
const FAILURE = { job: 'real-1', title: 'a store › keeps', error: 'Error: gone\n    at a.ts:1' };
const ENDED = { name: 'real-1', passed: 3, passedIn: new Map(), failures: [], files: [] };
const LOGS = '/tmp/run/logs';

describe('the end of a run', () => {
  const job = ENDED;
  const summed = (jobs: readonly EndedJob[], more: object = {}) =>
    summaryOf({ ended: jobs, flaky: [], later: 0 }, { ...end, ...more });
  const end = { seconds: 61, complaints: [], logs: LOGS };

  it('is one line where all is in order', () => {
    const { ok, text } = summed([job, { ...job, passed: 4 }]);
    assert.deepEqual([ok, text], [true, '\nAll in all: 7 tests passed, 0 failed, in 61 s\n']);
  });

  it('has every failure once more, and where the output is', () => {
    const other = { ...FAILURE, title: 'a store › forgets' };
    const { ok, text } = summed([job, { ...job, failures: [FAILURE, other] }]);
    assert.equal(ok, false);
    assert.match(text, /^\n {2}2 failing\n\n {2}1\) real-1: a store › keeps\n {5}Error: gone\n/);
    assert.match(text, /\n {2}2\) real-1: a store › forgets\n/);
    assert.match(text, /\nThe whole output of each job is in \/tmp\/run\/logs\n/);
    assert.match(text, /\nAll in all: 6 tests passed, 2 failed, in 61 s\n$/);
  });

  it('counts a log that is not in order as a failure', () => {
    const { ok, text } = summed([job], { complaints: ['api.log has no line'] });
    assert.equal(ok, false);
    assert.match(text, /\n {2}1\) secrets: api\.log has no line\n/);
    assert.match(text, /\nAll in all: 3 tests passed, 1 failed, /);
  });

  it('names the twenty slowest files before the sum, the slowest first', () => {
    const files = Array.from({ length: 30 }, (_, n) => ({ file: `${n}.ts`, wall_s: n, cpu_s: 0 }));
    const lines = summed([{ ...job, files }])
      .text.trim()
      .split('\n');
    const rows = lines.filter((line) => line.endsWith('.ts'));
    assert.equal(rows.length, 20);
    assert.match(rows[0] ?? '', /29\.0 .*29\.ts$/);
    assert.match(rows[19] ?? '', /10\.ts$/);
    assert.match(lines.at(-1) ?? '', /^All in all: /);
  });
});
