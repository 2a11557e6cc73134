import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { mochaJob, type Job } from './lanes.js';
import { runJobs, type EndedJob } from './run-jobs.js';
import { STUCK_MS } from './stuck.js';
import { withFolder } from '../support/temp-folder.js';

const COURSE = path.join(import.meta.dirname, 'fixtures/course.ts');

/** A job that is no mocha. */
function tool(name: string, code: string): Job {
  return { name, args: ['-e', code], writes: [], runsTests: false };
}

/** A job of tests that go so, in this order. */
function tests(name: string, ...courses: readonly string[]): Job {
  const env = { COURSES: courses.join(), HOLDPOINT_TEST_NO_SERVERS: 'true' };
  return mochaJob(name, [COURSE], { env });
}

describe('the jobs of a test run', () => {
  let folder = '';
  withFolder((made) => (folder = made), 'suite');

  /** What a run says as it goes on, and what comes of it, by the names of the jobs. */
  async function ran(...jobs: readonly Job[]) {
    const said: string[] = [];
    const watcher = {
      begun: ({ name }: Job) => void said.push(`begun ${name}`),
      ran: () => undefined,
      failed: ({ job, title }: { job: string; title: string }) =>
        void said.push(`${job}: ${title}`),
      ended: ({ name }: EndedJob) => void said.push(`ended ${name}`),
    };
    const ended = await runJobs(jobs, { folder, watcher });
    return { said, ended: Object.fromEntries(ended.map((one) => [one.name, one])) };
  }

  it('run beside each other', async () => {
    const mark = JSON.stringify(path.join(folder, 'mark'));
    const waits = `const look = () => fs.existsSync(${mark}) || setTimeout(look, 10); look();`;
    const marks = `fs.writeFileSync(${mark}, '')`;
    const { said } = await ran(tool('waits', waits), tool('marks', marks));
    assert.deepEqual(said.slice(0, 2), ['begun waits', 'begun marks']);
    assert.deepEqual(said.slice(2).sort(), ['ended marks', 'ended waits']);
  });

  it('do not end those after them', async () => {
    const { ended } = await ran(
      tool('fails', 'process.exit(3)'),
      ...['passes', 'other', 'last'].map((name) => tool(name, '')),
    );
    const counts = Object.entries(ended).map(([name, { failures }]) => [name, failures.length]);
    assert.deepEqual(Object.fromEntries(counts), { fails: 1, passes: 0, other: 0, last: 0 });
  });

  it('tell what they wrote if they fail without tests', async () => {
    const code = `console.log('a.ts(1,14): wrong'); console.error('and more'); process.exitCode = 3`;
    const { ended } = await ran(tool('check', code));
    const [failure] = ended['check']?.failures ?? [];
    assert.equal(failure?.title, 'ended with 3');
    assert.deepEqual(failure.error.trim().split('\n').sort(), ['a.ts(1,14): wrong', 'and more']);
  });

  it('count their tests, and name the files with their times', async () => {
    const { ended } = await ran(tests('green', 'passes', 'passes'));
    const { passed, failures, files } = ended['green'] ?? {};
    assert.deepEqual([passed, failures], [2, []]);
    assert.deepEqual(
      files?.map(({ file }) => file),
      ['test/run/fixtures/course.ts'],
    );
  });

  it('tell of a failing test with its reason, before they end, and of nothing else', async () => {
    const { said, ended } = await ran(tests('red', 'passes', 'fails', 'passes'));
    assert.deepEqual(said, ['begun red', 'red: a course › fails as test 1', 'ended red']);
    const { passed, failures } = ended['red'] ?? {};
    assert.equal(passed, 2);
    assert.match(failures?.[0]?.error ?? '', /^Error: not as it should be\n +at /);
    assert.match(failures?.[0]?.error ?? '', /^caused by Error: the deeper reason$/m);
  });

  it('fail without a test', async () => {
    const { ended } = await ran(tests('empty'));
    const titles = ended['empty']?.failures.map(({ title }) => title);
    assert.deepEqual(titles, ['ended with 0 without a test']);
  });

  it('fail if they die, whatever passed or failed before', async () => {
    const { ended } = await ran(tests('dead', 'passes', 'fails', 'dies', 'passes'));
    const titles = ended['dead']?.failures.map(({ title }) => title);
    assert.equal(ended['dead']?.passed, 1);
    const died = /^ended with (SIGKILL|137) before its last test$/;
    assert.equal(titles?.[0], 'a course › fails as test 1');
    assert.match(titles[1] ?? '', died);
    assert.equal(titles.length, 2);
  });

  it('end with a test that never gives its thread back, and name it', async () => {
    const stuck = tests('stuck', 'blocks', 'passes');
    const { ended } = await ran({ ...stuck, env: { ...stuck.env, [STUCK_MS]: '500' } });
    const { passed, failures } = ended['stuck'] ?? {};
    assert.equal(passed, 0);
    assert.match(failures?.[0]?.title ?? '', /^ended with (SIGKILL|137) before its last test$/);
    assert.match(
      failures?.[0]?.error ?? '',
      /a loop without an end, in or after "a course › blocks as test 0"/,
    );
  });

  it('fail if they fail after their last test', async () => {
    const { ended } = await ran(tests('late', 'passes', 'breaks its end'));
    const titles = ended['late']?.failures.map(({ title }) => title);
    assert.deepEqual(titles, ['ended with 4 without a failing test']);
  });
});
