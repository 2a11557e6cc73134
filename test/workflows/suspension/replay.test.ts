import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { testBundle } from '../../support/temporal-test-server.js';

describe('workflow bundle', () => {
  it('holds neither zod nor a Node built-in', async () => {
    const code = await readFile((await testBundle()).codePath, 'utf8');
    assert.ok(code.includes('/workflows/suspension/workflow.ts'));
    const modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name]) => name ?? '');
    assert.ok(modules.length > 50);
    const unwanted = modules.filter(
      (name) => /node_modules\/zod|^node:/.test(name) || BUILT_INS.includes(name),
    );
    assert.deepEqual(unwanted, []);
  });
});

const BUILT_INS = ['fs', 'path', 'crypto', 'http', 'https', 'net', 'os', 'stream', 'zlib', 'util'];
