import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { intentQuery } from '../../../workflows/intent/messages.js';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import { atRest, eventKinds, replay, settledAfter } from '../support/histories.js';
import { of, ofExpiry, startOvertaking, type Overtaking } from '../support/query-first.js';
import { respond } from '../support/suspensions.js';
import { World } from '../support/world.js';

interface Expired {
  readonly handle: Awaited<ReturnType<World['openIntent']>>;
  readonly suspension: ReturnType<World['suspension']>;
}

/**
 * The worker has the workflow in its cache, or was started anew and has not. Without the guard each replay issues other
 * content than the history has, for its times are those of another task.
 */
for (const maxCachedWorkflows of [100, 0]) {
  describe(`a Query before the task, ${maxCachedWorkflows} workflows cached`, () => {
    let world: World;
    let overtaking: Overtaking;
    before(async () => {
      const connect = async (address: string) => {
        overtaking = await startOvertaking(address);
        return overtaking.connection;
      };
      world = await World.start({ on: 'dev server', maxCachedWorkflows, connect });
    });
    after(async () => {
      await world.close();
      await overtaking.close();
    });

    /** A question that has waited until its time was over; where the machine is busy, that may be before its first task. */
    async function expired(timeout_seconds = 1): Promise<Expired> {
      const handle = await world.openIntent();
      const view = await world.ask(handle, { timeout_seconds });
      const suspension = world.suspension(view.id);
      assert.equal((await suspension.result()).resolution, 'expired');
      await handle.result();
      const hasWaited = (await eventKinds(suspension)).includes('timerFired');
      return hasWaited ? { handle, suspension } : expired(2 * timeout_seconds);
    }

    it('expires a question at the time of its own task [TM-01]', async () => {
      const early = overtaking.overtake(ofExpiry, recordQuery.name);
      const { handle, suspension } = await expired();
      await assert.doesNotReject(replay(suspension));
      await assert.doesNotReject(replay(handle));
      assert.deepEqual(await early, { refused: true });
      assert.equal((await suspension.query(recordQuery)).record.resolution, 'expired');
    });

    it('takes a report in at the time of its own task', async () => {
      const handle = await world.openIntent();
      const view = await world.ask(handle);
      await atRest(handle);
      const early = overtaking.overtake(of(handle.workflowId), intentQuery.name);
      const answer = await world.answer(view);
      await respond({ handle: world.suspension(view.id) }, answer);
      assert.deepEqual(await early, { refused: true });
      await settledAfter(handle, 'childWorkflowExecutionCompleted', 1);
      assert.equal((await handle.query(intentQuery)).intent.status, 'active');
      await assert.doesNotReject(replay(handle));
      await handle.terminate();
    });

    it('begins a workflow in its first task', async () => {
      const id = randomUUID();
      const intent = { ...(await world.newIntent()), id };
      const early = overtaking.overtake(of(workflowIdOf('intent', id)), intentQuery.name);
      const handle = await world.startIntent({ intent });
      await early;
      assert.equal((await handle.query(intentQuery)).last_sequence, 1);
      await assert.doesNotReject(replay(handle));
      assert.deepEqual(await early, { refused: true });
      await handle.terminate();
    });
  });
}
