import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { INTENT_ID, SUSPENSION_ID, hanging, idle } from '../../support/fakes.js';
import { accept, bench } from './respond-bench.js';

describe('an answer that was judged', () => {
  it('keeps its place until the intent has taken the outcome, which its reply waits for a while', async () => {
    const awaited_by = `intent-${INTENT_ID}`;
    let children = [{ workflowId: `suspension-${SUSPENSION_ID}` }];
    const { respond, clock, writes } = bench({
      update: (call) => ({ ...accept(call), awaited_by }),
      describe: () => ({ raw: { pendingChildren: children } }),
    });
    const responded = respond();
    await clock.advance(2_000);
    await responded;
    assert.equal(writes().underWay, 1);
    children = [];
    await clock.advance(200);
    assert.equal(writes().underWay, 0);
  });

  it('keeps its place for ten seconds at most', async () => {
    const { respond, clock, writes } = bench({
      update: (call) => ({ ...accept(call), awaited_by: `intent-${INTENT_ID}` }),
      describe: hanging,
    });
    const responded = respond();
    await clock.advance(9_999);
    await responded;
    assert.equal(writes().underWay, 1);
    await clock.advance(1);
    assert.equal(writes().underWay, 0);
  });

  it('keeps its place for no agent of another worker, which may not be there', async () => {
    const { respond, clock, writes } = bench({
      update: (call) => ({ ...accept(call), awaited_by: 'task-of-somebody' }),
      describe: hanging,
    });
    const responded = respond();
    await idle();
    assert.equal(writes().underWay, 0);
    await clock.advance(2_000);
    await responded;
  });
});
