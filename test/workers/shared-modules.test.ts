import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { testBundle } from '../support/temporal-test-server.js';

describe('the modules that workflows of a worker share', () => {
  let code = '';
  before(async () => {
    const { codePath } = await testBundle();
    code = await readFile(codePath, 'utf8');
  });

  it('are loaded before the first workflow', () => {
    const preload =
      /preloadModules = function preloadModules\(\) \{([^}]*)\}/.exec(code)?.[1] ?? '';
    const loaded = [...preload.matchAll(/require__\([^)]*"(\.\/[^"]+)"\)/g)].map(
      ([, file]) => file,
    );
    assert.deepEqual(loaded, [
      './workflows/index.ts',
      './workflows/engine/query-guard.ts',
      './workflows/engine/tracing.ts',
    ]);
  });

  it('are none of those that keep state for the workflows of agents', () => {
    assert.deepEqual(code.match(/"\.\/workflows\/(?:flow|gate)\/[\w-]+\.ts"/g), null);
  });
});

describe('the bundle of the sources', () => {
  it('has the syntax of a build: the SDK adds no function for a spread or a private field', async () => {
    const { codePath } = await testBundle();
    const code = await readFile(codePath, 'utf8');
    assert.match(code, /\{ \.\.\./);
    assert.doesNotMatch(code, /function _(object_spread|object_without_properties|class_private)/);
  });
});
