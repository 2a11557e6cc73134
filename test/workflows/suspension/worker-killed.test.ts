import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import { atRest, replay } from '../support/histories.js';
import { heard, storyOf, type IntentHandle } from '../support/intents.js';
import { startKilling, type Killing } from '../support/killed-worker.js';
import { planAtCheckpoint, planOnce } from '../support/plans.js';
import { respond } from '../support/suspensions.js';
import { World } from '../support/world.js';

const ANSWERED = ['intent.suspended', 'intent.resumed'];

describe('a worker that is killed around an answer', () => {
  let killing: Killing;
  let world: World;
  before(async () => {
    const connect = async (address: string) => {
      killing = await startKilling(address);
      return killing.connection;
    };
    world = await World.start({ on: 'dev server', connect });
  });
  after(async () => {
    await world.close();
    await killing.close();
  });

  /** An intent that waits for an answer, with everything stored so far. */
  async function asked() {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    await storyOf(world, intent);
    await atRest(intent);
    return { intent, view, handle: world.suspension(view.id) };
  }

  /** The intent has gone on with the answer, once, and the store has all of it. */
  async function assertAnswered(intent: IntentHandle, { id }: LiveView): Promise<void> {
    await heard(intent);
    assert.deepEqual(await storyOf(world, intent), ANSWERED);
    const { record } = world.activities.suspensionOf(id) ?? assert.fail();
    assert.ok('response' in record);
    assert.equal(record.response, 'approve');
    await replay(intent);
    await replay(world.suspension(id));
  }

  for (const way of ['Update', 'Signal'] as const) {
    for (const moment of ['before the commit', 'after the commit'] as const) {
      it(`counts an answer by ${way} once: worker killed ${moment}`, async () => {
        const { intent, view, handle } = await asked();
        const killed = killing.kill(handle.workflowId, moment);
        const answer = await world.answer(view);
        const answered =
          way === 'Update'
            ? respond({ handle }, answer)
            : handle.signal(operatorResponseSignal, answer);
        await killed;
        await answered;
        await assertAnswered(intent, view);
      });
    }
  }

  for (const [moment, when] of [
    ['before the commit', 'before the parent hears'],
    ['after the commit', 'once the parent has heard'],
  ] as const) {
    it(`lets the intent go on once: worker killed ${when}`, async () => {
      const { intent, view, handle } = await asked();
      const killed = killing.kill(intent.workflowId, moment);
      await respond({ handle }, await world.answer(view));
      await killed;
      await assertAnswered(intent, view);
    });

    it(`lets the plan go on once: worker killed ${when}`, async () => {
      const { handle, id } = await planAtCheckpoint(world);
      const view = world.activities.suspensionOf(id) ?? assert.fail();
      const killed = killing.kill(handle.workflowId, moment);
      await respond({ handle: world.suspension(id) }, await world.answer(view));
      await killed;
      const { checkpoints } = await planOnce(handle, ({ state }) => state === 'active');
      assert.equal(checkpoints[0]?.status, 'approved');
    });
  }

  for (const when of ['before', 'after'] as const) {
    it(`has the outcome written: worker killed ${when} the write to the store`, async () => {
      const { intent, view, handle } = await asked();
      const write = world.activities.writeJournal;
      world.activities.dyingWrite = async (rows) => {
        if (when === 'after') await write(rows);
        throw new Error('the worker is dead');
      };
      await respond({ handle }, await world.answer(view));
      await assertAnswered(intent, view);
      const written = () =>
        world.activities.rows.filter(
          (row) => row.kind === 'suspension_settled' && row.suspension_id === view.id,
        );
      const times = when === 'after' ? 2 : 1;
      await lookUntil(async () => written().length >= times, 'the write is not tried again');
      await atRest(handle);
      assert.equal(written().length, times);
      assert.equal(world.activities.dyingWrite, undefined);
    });
  }

  it('has the outcome written: worker killed before the parent hears, store down meanwhile', async () => {
    const { intent, view, handle } = await asked();
    world.activities.storeIsDown = true;
    const killed = killing.kill(intent.workflowId, 'before the commit');
    await respond({ handle }, await world.answer(view));
    await killed;
    await heard(intent);
    world.activities.storeIsDown = false;
    await assertAnswered(intent, view);
  });
});
