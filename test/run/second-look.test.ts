import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { mochaJob, type Job } from './lanes.js';
import { runJobs } from './run-jobs.js';
import { LATER, LOOKS, lookAgain, lookTwice, readLooks } from './second-look.js';
import { summaryOf } from './summary.js';

const PASSES = `it('passes', () => undefined);`;
const FAILS = `it('fails', () => { throw new Error('wrong'); });`;
/** Fails the first time that it runs. */
const FLAKY = `it('is flaky', () => {
  if (fs.existsSync(__filename + '.ran')) return;
  fs.writeFileSync(__filename + '.ran', '');
  throw new Error('too slow');
});`;
const NO_SERVERS = { HOLDPOINT_TEST_NO_SERVERS: 'true' };
const SERVERS = { looksTwice: true, env: NO_SERVERS };

describe('a second look at what failed', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-looks-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A file of such tests. */
  async function fileOf(name: string, ...tests: readonly string[]): Promise<string> {
    const file = path.join(folder, `${name}.test.cjs`);
    const suite = `describe('${name}', () => { ${tests.join('\n')} });`;
    await writeFile(file, `const fs = require('node:fs');\n${suite}\n`);
    return file;
  }

  /** What jobs come to, the names of those that began, and what the run says in the end. */
  async function ran(jobs: readonly Job[], env: NodeJS.ProcessEnv = {}) {
    const begun: string[] = [];
    const watcher = {
      begun: ({ name }: Job) => void begun.push(name),
      ran: () => undefined,
      failed: () => undefined,
      ended: () => undefined,
    };
    const options = { folder, watcher };
    const outcome = await lookTwice(jobs, await runJobs(jobs, options), options, env);
    return { begun, outcome, options, ...said(outcome) };
  }
  const said = (outcome: Parameters<typeof summaryOf>[0]) =>
    summaryOf(outcome, { seconds: 1, complaints: [], logs: folder });

  it('counts what passes then as passed, and says how it failed first', async () => {
    const files = [await fileOf('one', PASSES, FLAKY), await fileOf('other', PASSES)];
    const { ok, text, begun } = await ran([mochaJob('real-1', files, SERVERS)]);
    assert.deepEqual([ok, begun], [true, ['real-1', 'real-1.again-1']]);
    assert.match(
      text,
      /Passed at the second look:\n\n {2}- real-1: one › is flaky\n {5}Error: too slow/,
    );
    assert.match(text, /All in all: 3 tests passed, 0 failed, /);
    assert.doesNotMatch(text, /failing/);
  });

  it('finds a fault again, and shows what failed at either look', async () => {
    const file = await fileOf('one', PASSES, FLAKY, FAILS);
    const { ok, text } = await ran([mochaJob('real-1', [file], SERVERS)]);
    assert.equal(ok, false);
    assert.match(text, / 1\) real-1\.again-1: one › fails\n {5}Error: wrong/);
    assert.match(text, / 2\) real-1: one › is flaky\n {5}Error: too slow/);
    assert.match(text, /All in all: 2 tests passed, 2 failed, /);
  });

  it('is for eight files at most', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `file ${index}`);
    const files = await Promise.all(names.map((name) => fileOf(name, FLAKY)));
    const nine = await ran([mochaJob('real-1', files, SERVERS)]);
    assert.deepEqual([nine.ok, nine.begun], [false, ['real-1']]);
    assert.match(nine.text, /All in all: 0 tests passed, 9 failed, /);
  });

  it('is not for jobs that only compute, or died, nor where nobody wants it', async () => {
    const flaky = await fileOf('one', FLAKY);
    const computes = await ran([mochaJob('fast', [flaky], { env: NO_SERVERS })]);
    assert.deepEqual([computes.ok, computes.begun], [false, ['fast']]);
    const dies = await fileOf('two', `it('dies', () => process.kill(process.pid, 'SIGKILL'));`);
    const died = await ran([mochaJob('real-1', [dies], SERVERS)]);
    assert.deepEqual([died.ok, died.begun], [false, ['real-1']]);
    const hunted = await fileOf('three', FLAKY);
    const unwanted = await ran([mochaJob('real-1', [hunted], SERVERS)], { [LOOKS]: '1' });
    assert.deepEqual([unwanted.ok, unwanted.begun], [false, ['real-1']]);
  });

  it('can wait until other runs have ended, and nothing is counted twice', async () => {
    const later = path.join(folder, 'later');
    const files = [await fileOf('one', PASSES, FLAKY), await fileOf('other', PASSES)];
    const first = await ran([mochaJob('real-1', files, SERVERS)], { [LATER]: later });
    assert.deepEqual([first.ok, first.begun], [true, ['real-1']]);
    assert.match(first.text, /^1 failing files are looked at again later\.$/m);
    assert.match(first.text, /All in all: 1 tests passed, 0 failed, /);
    const second = said(await lookAgain(await readLooks(later), first.options));
    assert.equal(second.ok, true);
    assert.match(second.text, /Passed at the second look:\n\n {2}- real-1: one › is flaky/);
    assert.match(second.text, /All in all: 2 tests passed, 0 failed, /);
  });

  it('fails more than eight files also then, without a look', async () => {
    const later = path.join(folder, 'later');
    const files = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => fileOf(name, FLAKY)),
    );
    const first = await ran([mochaJob('real-1', files, SERVERS)], { [LATER]: later });
    const { ok, text } = said(await lookAgain(await readLooks(later), first.options));
    assert.equal(ok, false);
    assert.match(text, /All in all: 0 tests passed, 9 failed, /);
  });
});
