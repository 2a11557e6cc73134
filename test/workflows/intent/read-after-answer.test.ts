import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { patientClock } from '../../support/patience.js';
import { createFence } from '../../../api/parts/calls/temporal.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { intentQuery } from '../../../workflows/intent/messages.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { storyOf } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

describe('intent read', () => {
  let world: World;
  perSuite(World, (one) => (world = one), { on: 'dev server' });

  it('is active each time an answer was confirmed before [R25-06, R25-08, R25-19]', async () => {
    // Only the API sends an Update again that meets a run handing over to the next.
    const handle = await world.openIntent({ history_limit: 10_000 });
    const seen: string[] = [];
    const ids = new Set<string>();
    const client = new Client({ connection: world.place.connection });
    const fence = createFence({ client, clock: patientClock(), space: DEFAULT_SPACE });
    for (let round = 0; round < 50; round += 1) {
      const view = await world.ask(handle);
      ids.add(view.id);
      const answer = await world.answer(view);
      const suspension = world.suspension(view.id);
      const receipt = await suspension.executeUpdate(respondUpdate, { args: [answer] });
      await fence.told(receipt.awaited_by ?? '', suspension.workflowId);
      seen.push((await handle.query(intentQuery)).intent.status);
    }
    assert.deepEqual(seen, Array<string>(50).fill('active'));
    const resumed = (await storyOf(world, handle)).filter((type) => type === 'intent.resumed');
    assert.deepEqual([resumed.length, ids.size], [50, 50]);
  });
});
