import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Job } from './lanes.js';
import { Progress } from './progress.js';
import type { EndedJob } from './run-jobs.js';
import { summaryOf } from './summary.js';

const JOB: Job = {
  name: 'real-1',
  args: ['mocha.js', 'a.test.ts', 'b.test.ts'],
  writes: [],
  runsTests: true,
};
const FAILURE = { job: 'real-1', title: 'a store › keeps', error: 'Error: gone\n    at a.ts:1' };
const ENDED = { name: 'real-1', passed: 3, passedIn: new Map(), failures: [], files: [] };
const LOGS = '/tmp/run/logs';

/** A progress on a screen of this width, or on none, and what it has written since the last look. */
function shown(columns?: number) {
  let [text, now] = ['', 0];
  const screen = {
    write: (more: string) => void (text += more),
    columns: () => columns,
    now: () => now,
  };
  const progress = new Progress(screen);
  const look = (): string => {
    const all = text;
    text = '';
    return all;
  };
  return { progress, look, pass: (seconds: number) => void (now += seconds * 1_000) };
}

describe('the progress of a run', () => {
  it('has a line as each job begins and ends, with its counts and its time', () => {
    const { progress, look, pass } = shown();
    progress.begun(JOB);
    assert.equal(look(), 'begun: real-1, 2 files\n');
    pass(90);
    progress.ended({ ...ENDED, passed: 7, failures: [FAILURE] });
    assert.equal(look(), 'ended: real-1, 7 passed, 1 failed, after 90 s\n');
  });

  it('shows a failure at once, with its job, its title and its error', () => {
    const { progress, look } = shown();
    progress.begun(JOB);
    look();
    progress.failed(FAILURE);
    assert.equal(
      look(),
      'FAILED: real-1: a store › keeps\n     Error: gone\n         at a.ts:1\n\n',
    );
  });

  it('says every 20 s where each job is, where lines stay', () => {
    const { progress, look, pass } = shown();
    progress.begun(JOB);
    progress.begun({ ...JOB, name: 'check', args: ['check.ts'] });
    progress.ran(JOB, { what: 'file', file: 'a.test.ts' });
    progress.ran(JOB, { what: 'passed', file: 'a.test.ts' });
    // Its second suite.
    progress.ran(JOB, { what: 'file', file: 'a.test.ts' });
    progress.ran(JOB, { what: 'passed', file: 'a.test.ts' });
    look();
    pass(19);
    progress.tick();
    assert.equal(look(), '');
    pass(1);
    progress.tick();
    assert.equal(look(), '0:20  real-1 1/2 a.test.ts, 2 passed | check\n');
    progress.failed(FAILURE);
    look();
    pass(40);
    progress.tick();
    assert.equal(look(), '1:00  real-1 1/2 a.test.ts, 2 passed, 1 FAILED | check\n');
  });

  it('is one line for each running job on a terminal, written over', () => {
    const { progress, look } = shown(80);
    progress.begun(JOB);
    progress.begun({ ...JOB, name: 'real-2' });
    progress.ran(JOB, { what: 'file', file: `${'a'.repeat(100)}.test.ts` });
    look();
    progress.tick();
    const [over, ...lines] = look().split('\n');
    assert.match(over ?? '', /^\u001b\[2A\r\u001b\[J0:00 {2}real-1 1\/2 a+$/);
    assert.equal(over?.split('[J')[1]?.length, 79);
    assert.deepEqual(lines, ['0:00  real-2', '']);
    progress.ended({ ...ENDED, passed: 1 });
    assert.match(look(), /\[2A\r\u001b\[Jended: real-1, [^\n]*\n0:00 {2}real-2\n$/);
  });
});

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
