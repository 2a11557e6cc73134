import { RECONCILIATION, UPKEEP } from '../../contracts/constants/names.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { signed } from '../../store/take-checkpoint.js';
import type { UpkeepInput } from '../../workflows/upkeep/messages.js';
import type { Reconciled } from '../../activities/types.js';
import type { reconciliation, upkeep } from '../../workflows/upkeep/workflow.js';
import { startFeedWorker } from '../workflows/support/observers.js';
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

const FOUND = {
  written: 0,
  lost: 0,
  missing: 0,
  unknown: 0,
  behind: 0,
  handed_in: 0,
  contradicted: 0,
};
const NOTHING = { looked_until: '2026-11-22T10:00:00.000Z', ...FOUND };

/** A look for what nobody wrote; its first tries, in order, and then it finds nothing. */
async function look(world: World, ...tries: readonly (() => Promise<Reconciled>)[]) {
  const left = [...tries];
  world.activities.reconciling = async () => (left.shift() ?? (async () => NOTHING))();
  return world.client.start<typeof reconciliation>(RECONCILIATION.type, {
    workflowId: RECONCILIATION.id,
    taskQueue: world.taskQueue,
  });
}

const fails = (): Promise<never> => Promise.reject(new Error('away'));

/** A try that hangs until it is let go. */
function hanging() {
  let letGo = (): void => undefined;
  const hung = new Promise<never>((_resolve, reject) => {
    letGo = () => reject(new Error('let go'));
  });
  hung.catch(() => undefined);
  return { hangs: () => hung, letGo: () => letGo() };
}

/** Checkpoints that are signed and delivered, and those that are not; what nobody wrote; browsers that are told. */
export const UPKEEP_SCENES: Readonly<Record<string, Scene>> = {
  async 'upkeep-signed-and-delivered'(world) {
    const handle = await start(world, 'checkpoint', UPKEEP.checkpoint);
    await handle.result();
    const delivery = world.client.getHandle(UPKEEP.delivery);
    await delivery.result();
    return { 'upkeep-signed': handle, 'upkeep-delivered': delivery };
  },
  async reconciliation(world) {
    const handle = await look(world);
    await handle.result();
    return { reconciliation: handle };
  },
  async 'reconciliation-tried-again'(world) {
    const handle = await look(world, fails, fails);
    await world.sleep('1 minute');
    await handle.result();
    return { 'reconciliation-tried-again': handle };
  },
  async 'reconciliation-in-slices'(world) {
    const until = (stage: number) => async () => ({ ...NOTHING, next: { stage } });
    const handle = await look(world, until(1), fails, until(4));
    await world.sleep('1 minute');
    await handle.result();
    return { 'reconciliation-in-slices': handle };
  },
  async 'reconciliation-after-a-hung-look'(world) {
    const { hangs, letGo } = hanging();
    const handle = await look(world, hangs);
    await world.sleep('1 minute');
    await handle.result();
    letGo();
    return { 'reconciliation-after-a-hung-look': handle };
  },
  async 'reconciliation-cancelled'(world) {
    const { hangs, letGo } = hanging();
    const handle = await look(world, hangs);
    await handle.cancel();
    await handle.result().catch(() => undefined);
    letGo();
    return { 'reconciliation-cancelled': handle };
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
  async 'upkeep-that-tells-browsers'(world) {
    const worker = await startFeedWorker(world);
    let tries = 0;
    world.activities.sendPushes = async () => {
      tries += 1;
      if (tries < 3) throw new Error('away');
    };
    const handle = await start(world, 'pushes', UPKEEP.pushes);
    await world.sleep('1 minute');
    await handle.result();
    await worker.stop();
    return { 'upkeep-that-tells-browsers': handle };
  },
};
