import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { mochaJob, NO_SERVERS } from './lanes.js';

const FIXTURE = path.resolve(import.meta.dirname, 'fixtures/replies.ts');

/** Runs tests that assert nothing of the replies they get. */
function run(): Promise<{ readonly code: number; readonly stdout: string }> {
  const { args } = mochaJob('replies', [FIXTURE]);
  const env = { ...process.env, [NO_SERVERS]: 'true' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), stdout });
    });
  });
}

describe('a reply that the OpenAPI document does not allow', () => {
  it('fails a run of tests that assert nothing of it, and the run tells of all', async () => {
    const { code, stdout } = await run();
    assert.equal(code, 1, stdout);
    assert.match(stdout, /3 passing \(.*\n +1 failing/);
    assert.match(
      stdout,
      /a test run › gets one with a field too many: getIntent 200: .*additional/,
    );
    assert.match(stdout, /a test run › gets one without its title: getIntent 200: .*required/);
    assert.doesNotMatch(stdout, /gets one as it is documented: /);
  });
});
