import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Plan } from '../../../contracts/plan/plan.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { startHolding, type Holding } from '../support/held-tasks.js';
import { replay } from '../support/histories.js';
import { writeStatus } from '../support/intents.js';
import {
  activate,
  claimTask,
  openPlan,
  patchTask,
  planOnce,
  readPlan,
  readTask,
  taskOnce,
} from '../support/plans.js';
import { World } from '../support/world.js';

type Kind = 'checkpoint' | 'escalation';

/** Answers that let the plan go on. */
const ANSWERS = { checkpoint: 'approve', escalation: 'skip' } as const;
const OTHER = { checkpoint: 'escalation', escalation: 'checkpoint' } as const;

function questionsIn({ checkpoints, escalations }: Plan): Record<Kind, string> | undefined {
  const checkpoint = checkpoints[0]?.suspension_id ?? null;
  const escalation = escalations[0]?.suspension_id ?? null;
  return checkpoint === null || escalation === null ? undefined : { checkpoint, escalation };
}

describe('a plan that ends as one of its questions is answered', () => {
  let holding: Holding;
  let world: World;
  before(async () => {
    const connect = async (address: string) => {
      holding = await startHolding(address);
      return holding.connection;
    };
    world = await World.start({ on: 'dev server', connect });
  });
  after(async () => {
    await world.close();
    await holding.close();
  });

  /** A plan with two questions, whose last task waits behind its checkpoint. */
  async function asking() {
    const intent = await world.openIntent();
    const { handle, task } = await openPlan(world, intent, {
      tasks: [{ name: 'build' }, { name: 'check' }, { name: 'ship', depends_on: ['build'] }],
      checkpoints: [{ after_task: 'build' }],
    });
    for (const name of ['build', 'check']) {
      await taskOnce(task(name), ({ status }) => status === 'ready');
      await claimTask(task(name));
      await patchTask(task(name), { status: 'running' });
    }
    await patchTask(task('build'), { status: 'completed', output: {} });
    await patchTask(task('check'), { status: 'failed', error: 'broken' });
    const plan = await planOnce(handle, (one) => questionsIn(one) !== undefined);
    const questions = questionsIn(plan) ?? assert.fail();
    for (const id of Object.values(questions)) await world.delivered(id);
    return { intent, handle, task, questions };
  }

  async function answer(id: string, value: string): Promise<void> {
    const view = world.activities.suspensionOf(id) ?? assert.fail(id);
    const question = world.suspension(id);
    await question.executeUpdate(respondUpdate, { args: [await world.answer(view, value)] });
    await question.result();
  }

  type Asking = Awaited<ReturnType<typeof asking>>;

  /** The plan has ended, with all that was left of it. */
  async function assertEnded({ intent, handle, task, questions }: Asking, kind: Kind) {
    await handle.result();
    const other = await world.suspension(questions[OTHER[kind]]).result();
    assert.deepEqual([other.resolution, other.reason], ['cancelled', 'plan_over']);
    const { status, error } = await readTask(task('ship'));
    assert.deepEqual([status, error], ['cancelled', 'plan_cancelled']);
    const settled = world.activities.suspensionOf(questions[kind]);
    assert.equal(settled?.record.resolution, 'responded');
    await replay(handle);
    await writeStatus(intent, 'completed');
    await intent.result();
  }

  for (const kind of ['checkpoint', 'escalation'] as const) {
    it(`finishes where it ends before it hears of the answer: ${kind}`, async () => {
      const asked = await asking();
      const { handle, questions } = asked;
      await readPlan(handle);
      const ending = holding.hold(handle.workflowId);
      const cancelled = activate(handle, 'cancelled');
      await ending.decided;
      await answer(questions[kind], ANSWERS[kind]);
      ending.letGo();
      await cancelled;
      await assertEnded(asked, kind);
      const { checkpoints, escalations } = await readPlan(handle);
      assert.deepEqual([checkpoints[0]?.status, escalations[0]?.status], ['reached', 'open']);
    });

    it(`finishes where it hears of the answer before it ends: ${kind}`, async () => {
      const asked = await asking();
      const { handle, questions } = asked;
      await answer(questions[kind], ANSWERS[kind]);
      const isTaken = ({ checkpoints, escalations }: Plan) =>
        kind === 'checkpoint'
          ? checkpoints[0]?.status === 'approved'
          : escalations[0]?.status === 'decided';
      assert.equal((await planOnce(handle, isTaken)).state, 'paused');
      await activate(handle, 'cancelled');
      await assertEnded(asked, kind);
    });
  }
});
