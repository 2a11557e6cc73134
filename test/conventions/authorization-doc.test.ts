import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { AUTHORIZATION_PAGE, renderAuthorization } from './authorization-doc.js';

describe('page of who may do what', () => {
  it('is as the script would write it', async () => {
    assert.equal(await readFile(AUTHORIZATION_PAGE, 'utf8'), await renderAuthorization());
  });
});
