import type { WorkflowHandle } from '@temporalio/client';
import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { observeSignal } from '../../../workflows/engine/messages.js';
import { lookUntil } from '../../support/looks.js';
import { onServer } from '../../support/stack-temporal.js';
import { RealStack, createIntent } from '../../support/real-stack.js';
import { connectedTo, startOnFreePort, type StartedTemporal } from '../../support/temporal.js';
import { announcedTo } from '../../workflows/support/observers.js';

/** So many Signals a workflow takes in one run; Temporal's own limit is 10,000. */
const MOST_SIGNALS = 30;

async function serverThatIsSoonFull(): Promise<StartedTemporal> {
  const dynamicConfig = { 'history.maximumSignalsPerExecution': MOST_SIGNALS };
  return connectedTo(await startOnFreePort({ dynamicConfig }));
}

describe('an observer that takes no more Signals for now', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer(serverThatIsSoonFull()));
  });
  after(() => stack.close());

  /** Observes an intent; no worker polls its task queue. */
  async function observer(intentId: string): Promise<WorkflowHandle> {
    const workflowId = `still-${randomUUID()}`;
    const options = { workflowId, taskQueue: workflowId };
    const handle = await stack.client.workflow.start('still', options);
    await stack.client.workflow
      .getHandle(workflowIdOf('intent', intentId))
      .signal(observeSignal, workflowId);
    await lookUntil(async () => (await announcedTo(handle)).length > 0, 'it hears nothing');
    return handle;
  }

  /** Sends it Signals until it takes no more. */
  async function fill(handle: WorkflowHandle): Promise<void> {
    for (let sent = 0; ; sent += 1) {
      const error: unknown = await handle.signal('anything').catch((reason: unknown) => reason);
      if (error !== undefined) return;
      assert.ok(sent <= MOST_SIGNALS, 'it takes any number');
    }
  }

  /** A new run under the same id, as after it has continued as new. */
  async function nextRun({ workflowId }: WorkflowHandle): Promise<WorkflowHandle> {
    await stack.client.workflow.getHandle(workflowId).terminate();
    return stack.client.workflow.start('still', { workflowId, taskQueue: workflowId });
  }

  /** Whether a Signal of the intent, or its activity for many, has come back. */
  async function hasTried(intentId: string): Promise<boolean> {
    const handle = stack.client.workflow.getHandle(workflowIdOf('intent', intentId));
    const events = (await handle.fetchHistory()).events ?? [];
    const batch = events.find(
      ({ activityTaskScheduledEventAttributes: scheduled }) =>
        scheduled?.activityType?.name === 'announce',
    );
    return events.some(
      (event) =>
        event.signalExternalWorkflowExecutionFailedEventAttributes ??
        (batch &&
          event.activityTaskCompletedEventAttributes?.scheduledEventId?.eq(batch.eventId ?? 0)),
    );
  }

  for (const [way, others] of [
    ['directly', 0],
    ['by an activity', 20],
  ] as const) {
    it(`hears of the change once it takes some again, told ${way}`, async () => {
      const intent = await createIntent(stack);
      const id = intent.replace('/v1/intents/', '');
      const full = await observer(id);
      await fill(full);
      const rest = await Promise.all(Array.from({ length: others }, () => observer(id)));
      const patches = [{ op: 'set', path: '/a', value: 1 }];
      await stack.post(`${intent}/state`, 'agent', { patches }, { 'If-Match': '1' });
      for (const other of rest) {
        await lookUntil(
          async () => (await announcedTo(other)).some(({ version }) => version === 2),
          'another observer is held up',
        );
      }
      await lookUntil(() => hasTried(id), 'the full observer was not told');
      const next = await nextRun(full);
      await lookUntil(
        async () => (await announcedTo(next)).some(({ version }) => version === 2),
        'it was taken for gone',
      );
    });
  }
});
