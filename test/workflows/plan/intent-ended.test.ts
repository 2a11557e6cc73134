import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Plan } from '../../../contracts/plan/plan.js';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { writeStatus } from '../support/intents.js';
import {
  claimTask,
  doTask,
  openPlan,
  patchTask,
  planOnce,
  readPlan,
  taskOnce,
} from '../support/plans.js';
import { perSuite, World } from '../support/world.js';

type Kind = 'checkpoint' | 'escalation';

describe('a plan whose intent ends', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const idOf: Record<Kind, (plan: Plan) => string | null | undefined> = {
    checkpoint: ({ checkpoints }) => checkpoints[0]?.suspension_id,
    escalation: ({ escalations }) => escalations[0]?.suspension_id,
  };

  /** A plan that asks, and whose last task waits for the answer. */
  async function asking(kind: Kind) {
    const intent = await world.openIntent();
    const { handle, task } = await openPlan(world, intent, {
      tasks: [{ name: 'build' }, { name: 'ship', depends_on: ['build'] }],
      ...(kind === 'checkpoint' && { checkpoints: [{ after_task: 'build' }] }),
      on_failure: 'pause_and_escalate',
    });
    if (kind === 'checkpoint') await doTask(task('build'));
    else {
      await taskOnce(task('build'), ({ status }) => status === 'ready');
      await claimTask(task('build'));
      await patchTask(task('build'), { status: 'running' });
      await patchTask(task('build'), { status: 'failed', error: 'broken' });
    }
    const plan = await planOnce(handle, (one) => typeof idOf[kind](one) === 'string');
    const question = idOf[kind](plan) ?? assert.fail();
    await world.delivered(question);
    return { intent, handle, task, question };
  }

  for (const kind of ['checkpoint', 'escalation'] as const)
    for (const status of ['completed', 'abandoned'] as const) {
      it(`withdraws what it asks: ${kind}, ${status}`, async () => {
        const { intent, handle, question } = await asking(kind);
        await writeStatus(intent, status);
        await handle.result();
        const { resolution, reason, settled_by } = await world.suspension(question).result();
        assert.deepEqual(
          [resolution, reason, settled_by],
          ['cancelled', `intent_${status}`, 'intent'],
        );
        assert.equal((await readPlan(handle)).state, 'cancelled');
      });
    }

  it('takes an answer in that came before', async () => {
    const { intent, handle, question } = await asking('checkpoint');
    const view = world.activities.suspensionOf(question) ?? assert.fail();
    await world.stopWorker();
    const answer = await world.answer(view, 'approve');
    await world.suspension(question).signal(operatorResponseSignal, answer);
    const closing = writeStatus(intent, 'abandoned', { if_match: 1 });
    await world.startWorker();
    await closing;
    await handle.result();
    const { state } = await readPlan(handle);
    assert.ok(state === 'failed' || state === 'cancelled', state);
  });
});
