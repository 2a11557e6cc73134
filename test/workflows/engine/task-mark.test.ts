import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eventKinds, replay, settledAfter } from '../support/histories.js';
import { patch, refusalOf, tellOfPlan, type IntentHandle } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

/**
 * A task without a command that an empty one follows: a replay takes both for one, by the clock of the later. An Update that is
 * refused while something else comes leaves such an empty task.
 */
describe('a message that is taken in without a command', () => {
  let world: World;
  perSuite(World, (one) => (world = one), { on: 'this process, with empty tasks' });

  /** Has an Update refused, which leaves a task without a command. */
  async function refuse(intent: IntentHandle): Promise<void> {
    await world.sleep('20 ms');
    const stale = patch(intent, [{ op: 'set', path: 'a', value: 1 }], 99);
    assert.equal((await refusalOf(stale)).code, 'version_conflict');
  }

  it('keeps its time in a replay, whatever was refused after it', async () => {
    const releaseStore = world.activities.holdStore();
    const intent = await world.openIntent();
    await settledAfter(intent, 'workflowTaskCompleted', 1);
    for (const count of [1, 2, 3]) {
      await tellOfPlan(intent);
      await settledAfter(intent, 'workflowExecutionSignaled', count);
      await refuse(intent);
    }
    releaseStore();
    await settledAfter(intent, 'activityTaskCompleted', 2);
    await replay(intent);
    const kinds = await eventKinds(intent);
    assert.equal(kinds.filter((kind) => kind === 'workflowPropertiesModified').length, 3);
    await intent.terminate();
  });
});
