import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { slowest } from './file-times.js';
import { JOBS, isMeant } from './lanes.js';
import type { Job } from './lanes.js';
import { runJobs } from './run-jobs.js';

function job(name: string, code: string): Job {
  return { name, args: ['-e', code], writes: [] };
}

describe('the jobs of a test run', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-jobs-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('run beside each other, and are shown one after the other', async () => {
    const mark = JSON.stringify(path.join(folder, 'mark'));
    const waits = `console.log('one'); const look = () =>
      fs.existsSync(${mark}) ? console.log('two') : setTimeout(look, 10); look();`;
    let text = '';
    const ended = await runJobs(
      [job('waits', waits), job('marks', `console.log('three'); fs.writeFileSync(${mark}, '')`)],
      (_, more) => {
        text += more;
      },
    );
    assert.deepEqual([...ended].map(({ name }) => name).sort(), ['marks', 'waits']);
    assert.match(text, /one\n[^]*two\n[^]*three\n/);
  });

  it('are told apart by how they ended, and do not end those after them', async () => {
    const ended = await runJobs(
      [job('fails', 'process.exit(3)'), job('passes', ''), job('last', '')],
      () => undefined,
    );
    const codes = Object.fromEntries(ended.map(({ name, code }) => [name, code]));
    assert.deepEqual(codes, { fails: 3, passes: 0, last: 0 });
  });

  it('have every test file in one lane', () => {
    const files = JOBS.flatMap(({ args }) => args.filter((arg) => arg.endsWith('.test.ts')));
    assert.ok(files.length > 200);
    assert.equal(new Set(files).size, files.length);
    const lanes = ['test/workflows/intent/suspend', 'test/api/e2e/question', 'test/domain/'];
    const found = lanes.map((start) =>
      JOBS.filter(({ args }) => args.some((arg) => arg.startsWith(start))),
    );
    for (const [index, lane] of ['skipping', 'real', 'fast'].entries()) {
      const jobs = found[index] ?? [];
      assert.ok(jobs.length > 0 && jobs.every((one) => isMeant(lane, one)), lane);
    }
  });

  it('are meant by their own name and by that of their lane, and by no other', () => {
    const named = (name: string): string[] =>
      JOBS.filter((one) => isMeant(name, one)).map((one) => one.name);
    assert.deepEqual(named('skipping'), ['skipping-1', 'skipping-2', 'skipping-3']);
    assert.deepEqual(named('real-2'), ['real-2']);
    assert.deepEqual(named('check'), ['check']);
    assert.deepEqual(named('rea'), []);
  });

  it('name the twenty slowest files, the slowest first', () => {
    const files = Array.from({ length: 30 }, (_, n) => ({ file: `${n}.ts`, wall_s: n, cpu_s: 0 }));
    const shown = slowest(files).trim().split('\n').slice(1);
    assert.equal(shown.length, 20);
    assert.match(shown[0] ?? '', /29\.0 .*29\.ts$/);
    assert.match(shown[19] ?? '', /10\.ts$/);
  });
});
