import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRig } from '../support/harness.js';

describe('the documentation page', () => {
  it('is served to anybody, and loads nothing from elsewhere', async () => {
    const { status, headers, text } = await createRig().send(undefined, 'get', '/docs');
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/html/);
    const policy = headers['content-security-policy'] ?? '';
    assert.match(policy, /default-src 'self'/);
    assert.match(policy, /script-src 'self';/);
    assert.doesNotMatch(`${policy} ${text}`, /https?:\/\/|upgrade-insecure-requests/);
  });

  it('finds each file that it names', async () => {
    const rig = createRig();
    const { text } = await rig.send(undefined, 'get', '/docs');
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    assert.equal(named.length, 6);
    for (const path of named) {
      const { status, headers } = await rig.send(undefined, 'get', path);
      assert.equal(status, 200, path);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  it('serves no other file of the viewer', async () => {
    for (const file of ['package.json', 'index.html', '..%2Fpackage.json']) {
      const { status } = await createRig().send(undefined, 'get', `/docs/${file}`);
      assert.equal(status, 404, file);
    }
  });
});
