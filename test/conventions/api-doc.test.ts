import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { createRig } from '../api/support/harness.js';
import { documentOf, operationsOf } from '../support/openapi.js';

const UNLISTED = ['GET /health', 'GET /ready'];

describe('the API page', () => {
  it('names each route, and no other', async () => {
    const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/^\| `([A-Z]+ \/[^`]+)`/gm)].map(([, route]) => route);
    const described = operationsOf(await documentOf(createRig().app)).map(({ method, path }) => {
      const pattern = path.replace(/^\/v1/, '').replaceAll(/\{(\w+)\}/g, ':$1');
      return `${method.toUpperCase()} ${pattern}`;
    });
    assert.ok(described.length > 15);
    assert.deepEqual([...named, ...UNLISTED].sort(), described.sort());
  });
});
