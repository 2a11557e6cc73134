import assert from 'node:assert/strict';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, it } from 'mocha';
import type { Checkpoint } from '../../../contracts/log/checkpoint.js';
import { UPKEEP } from '../../../contracts/constants/names.js';
import { checkpointKeyOf } from '../../../runtime/checkpoint-key.js';
import { signed } from '../../../store/take-checkpoint.js';
import type { UpkeepInput } from '../../../workflows/upkeep/messages.js';
import type { upkeep } from '../../../workflows/upkeep/workflow.js';
import { perSuite, World } from '../support/world.js';

const KEY = checkpointKeyOf(new Uint8Array(32).fill(7));

function checkpoint(number: number): Checkpoint {
  return signed(KEY, {
    number,
    signed_at: '2026-11-22T10:00:00.000Z',
    tree_size: 0,
    root_hash: `sha256:${'A'.repeat(43)}`,
    previous_hash: null,
    public_key: KEY.public_key,
  });
}

describe('the upkeep of all logs', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function run(work: UpkeepInput['work']) {
    const input: UpkeepInput = { work };
    const handle = await world.client.start<typeof upkeep>(UPKEEP.type, {
      workflowId: work === 'retention' ? UPKEEP.retention : UPKEEP.checkpoint,
      taskQueue: world.taskQueue,
      args: [input],
    });
    await world.sleep('10 s');
    return handle.result();
  }

  it('signs on while a place that checkpoints go to is away, and then delivers', async () => {
    let count = 0;
    let tries = 0;
    let isAway = true;
    world.activities.checkpoint = async () => checkpoint(++count);
    world.activities.deliverCheckpoint = async () => {
      tries += 1;
      if (isAway) throw new Error('away');
    };
    assert.equal((await run('checkpoint'))?.number, 1);
    assert.equal((await run('checkpoint'))?.number, 2);
    const delivery = world.client.getHandle(UPKEEP.delivery);
    assert.equal((await delivery.describe()).status.name, 'RUNNING');
    await world.sleep('1 hour');
    assert.ok(tries > 5, `${tries} tries`);
    isAway = false;
    await world.sleep('11 minutes');
    await delivery.result();
    assert.equal((await run('checkpoint'))?.number, 3);
    await world.client.getHandle(UPKEEP.delivery).result();
  });

  /** Retention that notes its steps; each fails at first. */
  function retention(signs: boolean): string[] {
    const steps: string[] = [];
    const step = async (name: string): Promise<void> => {
      const isFirst = !steps.includes(name);
      steps.push(name);
      if (isFirst) throw new Error('the store is away');
    };
    world.activities.retention = {
      mark: async () => {
        await step('mark');
        return { signs };
      },
      remove: () => step('remove'),
    };
    world.activities.checkpoint = async () => {
      await step('sign');
      return checkpoint(9);
    };
    world.activities.deliverCheckpoint = async () => undefined;
    return steps;
  }

  it('has a removal signed and delivered before it removes', async () => {
    const steps = retention(true);
    assert.equal((await run('retention'))?.number, 9);
    assert.deepEqual(steps, ['mark', 'mark', 'sign', 'sign', 'remove', 'remove']);
    await world.client.getHandle(UPKEEP.delivery).result();
  });

  it('signs nothing where retention marks no log', async () => {
    const steps = retention(false);
    assert.equal(await run('retention'), null);
    assert.deepEqual(steps, ['mark', 'mark', 'remove', 'remove']);
  });

  it('removes nothing that could not be signed', async () => {
    const steps = retention(true);
    world.activities.checkpoint = () =>
      Promise.reject(ApplicationFailure.nonRetryable('no key', 'checkpoints_not_configured'));
    await assert.rejects(run('retention'), WorkflowFailedError);
    assert.deepEqual(steps, ['mark', 'mark']);
  });
});
