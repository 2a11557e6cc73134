import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { UPKEEP } from '../../../contracts/constants/names.js';
import { checkpointKeyOf } from '../../../runtime/checkpoint-key.js';
import { signed } from '../../../store/take-checkpoint.js';
import type { UpkeepInput } from '../../../workflows/upkeep/messages.js';
import type { upkeep } from '../../../workflows/upkeep/workflow.js';
import { World } from '../support/world.js';

const KEY = checkpointKeyOf(new Uint8Array(32).fill(7));

describe('the upkeep of all logs', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function sign() {
    const input: UpkeepInput = { work: 'checkpoint' };
    return world.client.execute<typeof upkeep>(UPKEEP.type, {
      workflowId: UPKEEP.checkpoint,
      taskQueue: world.taskQueue,
      args: [input],
    });
  }

  it('signs on while a place that checkpoints go to is away, and then delivers', async () => {
    let count = 0;
    let tries = 0;
    let isAway = true;
    world.activities.checkpoint = async () =>
      signed(KEY, {
        number: ++count,
        signed_at: '2026-11-22T10:00:00.000Z',
        tree_size: 0,
        root_hash: `sha256:${'A'.repeat(43)}`,
        previous_hash: null,
        public_key: KEY.public_key,
      });
    world.activities.deliverCheckpoint = async () => {
      tries += 1;
      if (isAway) throw new Error('away');
    };
    assert.equal((await sign())?.number, 1);
    assert.equal((await sign())?.number, 2);
    const delivery = world.client.getHandle(UPKEEP.delivery);
    assert.equal((await delivery.describe()).status.name, 'RUNNING');
    await world.sleep('1 hour');
    assert.ok(tries > 5, `${tries} tries`);
    isAway = false;
    await world.sleep('11 minutes');
    await delivery.result();
    assert.equal((await sign())?.number, 3);
    await world.client.getHandle(UPKEEP.delivery).result();
  });
});
