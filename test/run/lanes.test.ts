import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { JOBS, isMeant } from './lanes.js';

describe('the jobs of npm test', () => {
  it('have every test file in one lane', () => {
    const files = JOBS.flatMap(({ args }) => args.filter((arg) => arg.endsWith('.test.ts')));
    assert.ok(files.length > 200);
    assert.equal(new Set(files).size, files.length);
    const lanes = ['test/workflows/intent/suspend', 'test/api/e2e/question', 'test/domain/'];
    const found = lanes.map((start) =>
      JOBS.filter(({ args }) => args.some((arg) => arg.startsWith(start))),
    );
    for (const [index, lane] of ['workflows', 'real', 'fast'].entries()) {
      const jobs = found[index] ?? [];
      assert.ok(jobs.length > 0 && jobs.every((one) => isMeant(lane, one)), lane);
    }
  });

  it('are meant by their own name and by that of their lane, and by no other', () => {
    const named = (name: string): string[] =>
      JOBS.filter((one) => isMeant(name, one)).map((one) => one.name);
    assert.deepEqual(named('workflows'), ['workflows-1', 'workflows-2', 'workflows-3']);
    assert.deepEqual(named('real-2'), ['real-2']);
    assert.deepEqual(named('check'), ['check']);
    assert.deepEqual(named('rea'), []);
  });
});
