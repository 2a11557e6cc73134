import assert from 'node:assert/strict';
import path from 'node:path';
import { endOf } from '../support/processes.js';
import { mochaJob, NO_SERVERS } from './lanes.js';

const FIXTURE = path.resolve(import.meta.dirname, 'fixtures/replies.ts');

describe('a reply that the OpenAPI document does not allow', () => {
  it('fails a run of tests that assert nothing of it, and the run tells of all', async () => {
    const { args } = mochaJob('replies', [FIXTURE]);
    const env = { ...process.env, [NO_SERVERS]: 'true' };
    const { code, out: stdout } = await endOf(args, { env });
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
