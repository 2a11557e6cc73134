import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { StartupError } from '../../runtime/program.js';
import { keptDevelopmentKeys } from '../../service/data-folder.js';
import { withFolder } from '../support/temp-folder.js';

describe('the keys for development', () => {
  let folder: string;
  withFolder((made) => (folder = made), 'suite');

  it('are the same at the next start, and nobody else reads them', async () => {
    const file = path.join(folder, 'keys.json');
    const first = await keptDevelopmentKeys(file);
    assert.deepEqual(await keptDevelopmentKeys(file), first);
    assert.deepEqual(
      first.map(({ roles }) => roles),
      [['agent'], ['operator'], ['admin'], ['auditor'], ['user'], ['operator']],
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('are refused where the file holds something else, without repeating it', async () => {
    const file = path.join(folder, 'broken.json');
    writeFileSync(file, '[{"key": "a-secret-of-somebody", "principal": 7}]');
    await assert.rejects(keptDevelopmentKeys(file), (error: unknown) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, /broken\.json: \[0\]\.principal/);
      assert.doesNotMatch(error.message, /a-secret/);
      return true;
    });
  });
});
