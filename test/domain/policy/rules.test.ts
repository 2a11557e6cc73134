import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { AUTHORIZATION_PAGE, renderAuthorization } from '../../conventions/authorization-doc.js';

describe('the table of who may do what', () => {
  it('is the one that its page shows', async () => {
    assert.equal(await renderAuthorization(), await readFile(AUTHORIZATION_PAGE, 'utf8'));
  });
});
