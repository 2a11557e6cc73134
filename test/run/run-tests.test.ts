import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOf } from '../support/processes.js';
import { SEEDS } from '../support/secrets.js';
import { scriptOf } from '../support/scripts.js';

const pathTo = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Runs one test that writes `write` to `to`, and then searches what the run wrote. */
function run(to: string, write: string) {
  const args = [scriptOf('test/run/run-tests.ts'), 'worker', '--'];
  const env = {
    ...process.env,
    WRITE_TO: to,
    WRITE: write,
    HOLDPOINT_TEST_STORE: 'embedded',
  };
  return endOf([...args, pathTo('conventions/fixtures/logs/writes.ts')], { env });
}

describe('a whole test run', () => {
  it('passes where its logs hold no seed', async () => {
    const { code, out, err } = await run('log', '{"value":"told"}');
    assert.equal(code, 0, err);
    assert.match(out, /1 passing/);
    assert.match(out, /^stores of the tests: embedded: as HOLDPOINT_TEST_STORE says$/m);
    assert.doesNotMatch(out, /secrets:/);
  });

  it('fails where a log holds a seed, which is not repeated', async () => {
    const { code, out, err } = await run('log', 'seed');
    assert.deepEqual([code, /1 passing/.test(out)], [1, true]);
    assert.match(out, / 1\) secrets: worker\.log, line 2, holds the seed answer$/m);
    assert.ok(!(out + err).includes(SEEDS.answer));
    const kept = /^The whole output of each job is in (\S+)$/m.exec(out)?.[1] ?? '';
    assert.match(await readFile(path.join(kept, 'mocha.output.log'), 'utf8'), /1 passing/);
    await rm(path.dirname(kept), { recursive: true });
  });

  it('fails where it writes a seed itself, and where a log is silent', async () => {
    const { code, out } = await run('stdout', 'seed');
    assert.equal(code, 1);
    assert.match(out, /secrets: mocha\.output\.log, line \d+, holds the seed answer$/m);
    assert.match(out, /secrets: worker\.log has no line: nothing is proven$/m);
  });
});
