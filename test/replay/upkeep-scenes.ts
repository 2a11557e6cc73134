import { UPKEEP } from '../../contracts/constants/names.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { signed } from '../../store/take-checkpoint.js';
import type { UpkeepInput } from '../../workflows/upkeep/messages.js';
import type { upkeep } from '../../workflows/upkeep/workflow.js';
import type { World } from '../workflows/support/world.js';
import type { Scene } from './scenes.js';

const KEY = checkpointKeyOf(new Uint8Array(32).fill(7));

async function start(world: World, work: UpkeepInput['work'], workflowId: string) {
  world.activities.checkpoint = async () =>
    signed(KEY, {
      number: 1,
      signed_at: '2026-11-22T10:00:00.000Z',
      tree_size: 0,
      root_hash: `sha256:${'A'.repeat(43)}`,
      previous_hash: null,
      public_key: KEY.public_key,
    });
  const input: UpkeepInput = { work };
  const { taskQueue } = world;
  return world.client.start<typeof upkeep>(UPKEEP.type, { workflowId, taskQueue, args: [input] });
}

/** Checkpoints that are signed and delivered, and those that are not. */
export const UPKEEP_SCENES: Readonly<Record<string, Scene>> = {
  async 'upkeep-signed-and-delivered'(world) {
    const handle = await start(world, 'checkpoint', UPKEEP.checkpoint);
    await handle.result();
    const delivery = world.client.getHandle(UPKEEP.delivery);
    await delivery.result();
    return { 'upkeep-signed': handle, 'upkeep-delivered': delivery };
  },
  async 'upkeep-during-a-delivery'(world) {
    let isAway = true;
    world.activities.deliverCheckpoint = async () => {
      if (isAway) throw new Error('away');
    };
    const delivery = await start(world, 'delivery', UPKEEP.delivery);
    const handle = await start(world, 'checkpoint', UPKEEP.checkpoint);
    await handle.result();
    isAway = false;
    await world.sleep('11 minutes');
    await delivery.result();
    return { 'upkeep-during-a-delivery': handle, 'upkeep-delivered-late': delivery };
  },
};
