import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { NAMED, runsOnBoth } from '../postgres/both.js';
import { testFiles } from './lanes.js';

describe('the tests that run on both stores', () => {
  it('are those of the store, also new ones, and those that are named', () => {
    assert.ok(runsOnBoth('test/store/of-tomorrow.test.ts'));
    assert.ok(runsOnBoth('test/store/queries/of-tomorrow.test.ts'));
    assert.ok(runsOnBoth('test/api/e2e/subscribe.test.ts'));
    assert.ok(!runsOnBoth('test/api/e2e/of-tomorrow.test.ts'));
    assert.ok(!runsOnBoth('test/store/rows.ts'));
    assert.ok(!runsOnBoth('test/store/embedded-server.test.ts'));
  });

  it('are all there', () => {
    const files = testFiles();
    assert.deepEqual(
      NAMED.filter((file) => !files.includes(file)),
      [],
    );
    assert.equal(new Set(NAMED).size, NAMED.length);
  });
});
