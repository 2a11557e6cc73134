import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SEEDS } from '../support/secrets.js';

const pathTo = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Runs one test that writes `write` to `to`, and then searches what the run wrote. */
function run(to: string, write: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const args = ['--import', 'tsx', pathTo('run/run-tests.ts'), 'worker', '--'];
  const env = { ...process.env, WRITE_TO: to, WRITE: write };
  return new Promise((resolve) => {
    const given = [...args, pathTo('conventions/fixtures/logs/writes.ts')];
    execFile(process.execPath, given, { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

describe('a whole test run', () => {
  it('passes where its logs hold no seed', async () => {
    const { code, stdout, stderr } = await run('log', '{"value":"told"}');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /1 passing/);
    assert.doesNotMatch(stderr, /secrets:/);
  });

  it('fails where a log holds a seed, which is not repeated', async () => {
    const { code, stdout, stderr } = await run('log', 'seed');
    assert.deepEqual([code, /1 passing/.test(stdout)], [1, true]);
    assert.match(stderr, /^secrets: worker\.log, line 2, holds the seed answer$/m);
    assert.ok(!stderr.includes(SEEDS.answer));
  });

  it('fails where it writes a seed itself, and where a log is silent', async () => {
    const { code, stderr } = await run('stdout', 'seed');
    assert.equal(code, 1);
    assert.match(stderr, /^secrets: mocha\.stdout\.log, line \d+, holds the seed answer$/m);
    assert.match(stderr, /^secrets: worker\.log has no line: nothing is proven$/m);
  });
});
