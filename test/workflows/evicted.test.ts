import assert from 'node:assert/strict';
import proto from '@temporalio/proto';
import { describe, it } from 'mocha';
import type * as workflows from '../../workflows/index.js';
import { SCENES } from '../replay/scenes.js';
import { kindsOf, replay } from './support/histories.js';
import type { History } from './support/replayed-inputs.js';
import { LADDER, openSuspension } from './support/suspensions.js';
import { perSuite, World } from './support/world.js';

/** Lives with many kinds of messages, for each type of workflow. */
const LIVES: Readonly<Record<keyof typeof workflows, readonly string[]>> = {
  approval: [
    'approval-in-stages-and-tiers',
    'approval-edited-past-its-sla',
    'approval-that-shows-an-edit',
    'approval-in-two-runs',
    'approval-with-a-checkpoint',
  ],
  ask: ['ask-by-name'],
  askGuard: ['ask-under-a-key'],
  complete: ['gate-by-name'],
  coordinator: ['coordinator-escalates', 'coordinator-in-two-runs'],
  gate: ['gate-under-a-key'],
  intent: [
    'intent-completed',
    'intent-abandoned-with-its-question',
    'intent-whose-question-had-every-verb',
    'intent-in-two-runs-while-suspended',
  ],
  plan: ['plan-with-a-checkpoint', 'plan-in-two-runs'],
  portfolio: ['portfolio-at-its-deadline', 'portfolio-in-two-runs'],
  pump: ['pump-that-was-kept'],
  reconciliation: ['reconciliation-tried-again'],
  subscription: ['subscription-in-two-runs', 'subscription-deleted'],
  suspension: [
    'suspension-answered-by-signal-after-a-refused-one',
    'suspension-expired-while-no-worker-was-there',
    'suspension-with-every-verb-in-two-runs',
    'suspension-that-keeps-its-edits',
    'suspension-withdrawn-before-it-is-resumed',
  ],
  task: ['task-blocked-while-its-intent-was-suspended', 'task-in-two-runs'],
  upkeep: ['upkeep-during-a-delivery'],
};

const { WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND: CROSSED } =
  proto.temporal.api.enums.v1.WorkflowTaskFailedCause;

/** The tasks that failed, but for those that crossed with a message: a run cannot end with one that it has not seen, and gets the task anew. */
function failuresIn({ events }: History) {
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: task }) =>
    task && task.cause !== CROSSED ? [{ cause: task.cause, message: task.failure?.message }] : [],
  );
}

/** The worker forgets a workflow after each of its tasks, so that each task replays the whole history before it. */
describe('without a cache', () => {
  let world: World;
  perSuite(World, (one) => (world = one), { on: 'skipping server', maxCachedWorkflows: 0 });

  it('suspension walks a ladder, and replays it [R26-59, TM-01]', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('10801 s');
    assert.equal((await opened.handle.result()).resolution, 'expired');
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 2, 3]);
    await assert.doesNotReject(replay(opened.handle));
  });

  for (const [type, lives] of Object.entries(LIVES)) {
    for (const life of lives) {
      it(`${type} lives as with one: ${life}`, async () => {
        const play = SCENES[life] ?? assert.fail(life);
        for (const [name, { workflowId }] of Object.entries(await play(world))) {
          const history = await world.client.getHandle(workflowId).fetchHistory();
          assert.ok(kindsOf(history).includes('workflowTaskCompleted'), name);
          assert.deepEqual(failuresIn(history), [], `a task of ${name} failed`);
        }
      });
    }
  }
});
