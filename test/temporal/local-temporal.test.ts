import assert from 'node:assert/strict';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type proto from '@temporalio/proto';
import { describe, it } from 'mocha';
import { frozenHistories } from '../replay/histories.js';
import { SCENES } from '../replay/scenes.js';
import { recordQuery, respondUpdate } from '../../workflows/suspension/messages.js';
import { World } from '../workflows/support/world.js';

type History = proto.temporal.api.history.v1.IHistory;

/** What the code of a run ordered, in its order: the kinds of its commands, and what they are about. */
function commandsOf({ events }: History): readonly string[] {
  return (events ?? []).flatMap((event) => {
    const {
      activityTaskScheduledEventAttributes: activity,
      timerStartedEventAttributes: timer,
      signalExternalWorkflowExecutionInitiatedEventAttributes: signal,
      startChildWorkflowExecutionInitiatedEventAttributes: child,
    } = event;
    // How many rows a write has depends on when the store has confirmed the one before.
    if (activity?.activityType?.name === 'writeJournal') return [];
    if (activity) return [`activity ${activity.activityType?.name ?? ''}`];
    if (timer) return ['timer'];
    if (signal) return [`signal ${signal.signalName ?? ''}`];
    if (child) return [`child ${child.workflowType?.name ?? ''}`];
    return [];
  });
}

/** Scenes in which a server's own speed decides nothing. */
const ALIKE = [
  'suspension-answered',
  'suspension-that-leaves-its-rows',
  'suspension-answered-on-the-last-attempt',
  'suspension-answered-by-signal-after-a-refused-one',
  'suspension-expired',
  'suspension-expired-while-no-worker-was-there',
  'suspension-cancelled',
  'suspension-in-two-runs',
  'intent-completed',
  'intent-abandoned-by-an-expiry',
  'intent-resumed-by-a-fallback',
  'intent-abandoned-with-its-question',
  'intent-that-opens-what-started',
  'intent-that-leaves-its-rows',
  'portfolio-completed',
  'portfolio-at-its-deadline',
  'portfolio-in-two-runs',
  'task-completed',
  'task-blocked-while-its-intent-was-suspended',
  'task-failed-with-its-intent',
  'task-timed-out',
  'task-in-two-runs',
  'plan-completed',
  'plan-with-a-checkpoint',
  'plan-cancelled',
  'plan-in-two-runs',
  'plan-failed-after-a-retry',
  'plan-whose-task-was-skipped-by-an-operator',
  'coordinator-escalates',
  'coordinator-falls-silent',
  'coordinator-holds-phases',
  'coordinator-in-two-runs',
  'subscription-given-up-by-its-receiver',
  'subscription-expired',
  'subscription-in-two-runs',
  'subscription-deleted',
  'pump-of-no-subscription',
  'pump-that-was-kept',
  'pump-cancelled',
  'pump-in-two-runs',
  'upkeep-signed-and-delivered',
  'reconciliation',
  'reconciliation-tried-again',
  'reconciliation-cancelled',
  'upkeep-during-a-delivery',
  'suspension-with-every-verb',
  'intent-whose-question-had-every-verb',
  'suspension-with-every-verb-in-two-runs',
  'suspensions-answered-together',
  'upkeep-that-tells-outcomes',
  'suspension-that-keeps-its-edits',
  'suspension-of-a-rejected-proposal',
  'intent-told-of-a-plan-during-a-write',
  'approval-by-one-person',
  'approval-edited-past-its-sla',
  'approval-that-shows-an-edit',
  'approval-that-nobody-gives',
  'approval-that-is-withdrawn',
];

describe('a Temporal in this process', () => {
  let world: World;
  const kept = new Map(
    frozenHistories().map(({ name, content }) => [name, historyFromJSON(content)] as const),
  );

  for (const name of ALIKE) {
    it(`leads to the same commands as a server: ${name}`, async () => {
      const play = SCENES[name] ?? assert.fail(name);
      world = await World.start();
      const played = Object.entries(await play(world));
      for (const [history, handle] of played) {
        const before = kept.get(history);
        assert.ok(before, history);
        assert.deepEqual(commandsOf(await handle.fetchHistory()), commandsOf(before), history);
      }
      await world.close();
    });
  }

  it('keeps nothing of a worker that went away: the next one has what the history tells', async () => {
    world = await World.start();
    const intent = await world.openIntent();
    const { id } = await world.ask(intent);
    const question = world.suspension(id);
    const before = await question.query(recordQuery);
    await world.withoutWorker(async () => {
      await assert.rejects(question.query(recordQuery), ({ cause }: Error) =>
        String(cause).includes('no poller'),
      );
    });
    assert.deepEqual(await question.query(recordQuery), before);
    await question.executeUpdate(respondUpdate, { args: [await world.answer(before)] });
    assert.equal((await question.result()).resolution, 'responded');
    await world.close();
  });
});
