import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { WorkflowHandle } from '@temporalio/client';
import { observeSignal, unobserveSignal } from '../../../workflows/engine/messages.js';
import { historyOf, patch, writeStatus, type IntentHandle } from '../support/intents.js';
import { announced, announcedTo, stillObserver } from '../support/observers.js';
import { perSuite, World } from '../support/world.js';

describe('observers of an intent', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function observers(intent: IntentHandle, count: number): Promise<WorkflowHandle[]> {
    const all: WorkflowHandle[] = [];
    for (let index = 0; index < count; index += 1) {
      const observer = await stillObserver(world);
      await intent.signal(observeSignal, observer.workflowId);
      all.push(observer);
    }
    return all;
  }

  async function discard(...handles: readonly WorkflowHandle[]): Promise<void> {
    for (const handle of handles) await handle.terminate();
  }

  async function activitiesOf(intent: IntentHandle): Promise<readonly string[]> {
    return (await historyOf(intent)).flatMap(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
    );
  }

  it('get the current state first, then every change of question [TM-07]', async () => {
    const intent = await world.openIntent();
    const [observer] = await observers(intent, 1);
    assert.ok(observer);
    await announced(observer, ({ version }) => version === 1);
    const policy = {
      max_attempts: 2,
      interval_seconds: 60,
      final_fallback_policy: 'fail',
    } as const;
    const view = await world.ask(intent, { retry_policy: policy });
    await announced(observer, ({ suspension }) => suspension?.attempt === 1);
    await world.sleep('61 seconds');
    await announced(observer, ({ suspension }) => suspension?.attempt === 2);
    await world.respond(view);
    const all = await announced(observer, ({ held }) => !held);
    assert.deepEqual(
      all.map(({ status, held, suspension }) => [status, held, suspension?.resolution]),
      [
        ['active', false, undefined],
        ['suspended_awaiting_input', true, null],
        ['suspended_awaiting_input', true, null],
        ['active', false, 'responded'],
      ],
    );
    assert.equal(all[1]?.suspension?.suspension_id, view.id);
    await discard(observer);
    await writeStatus(intent, 'completed');
  });

  it('are signalled once each, also in more than one batch', async () => {
    const intent = await world.openIntent({ announcement_batch: 21 });
    const all = await observers(intent, 43);
    for (const observer of all) await announced(observer, ({ version }) => version === 1);
    const before = (await activitiesOf(intent)).filter((name) => name === 'announce').length;
    await patch(intent, [{ op: 'set', path: 'a', value: 1 }]);
    for (const observer of all) {
      const versions = (await announced(observer, ({ version }) => version === 2)).map(
        ({ version }) => version,
      );
      assert.deepEqual(versions, [1, 2]);
    }
    // The last one gets a Signal.
    const batches = (await activitiesOf(intent)).filter((name) => name === 'announce').length;
    assert.equal(batches - before, 2);
    await discard(...all);
    await writeStatus(intent, 'completed');
  });

  it('are dropped once they are gone, and get nothing more once they leave', async () => {
    const intent = await world.openIntent();
    const [gone, left, stays] = await observers(intent, 3);
    assert.ok(gone && left && stays);
    await announced(stays, ({ version }) => version === 1);
    await gone.terminate();
    await intent.signal(unobserveSignal, left.workflowId);
    await patch(intent, [{ op: 'set', path: 'a', value: 1 }]);
    await announced(stays, ({ version }) => version === 2);
    await patch(intent, [{ op: 'set', path: 'a', value: 2 }]);
    await announced(stays, ({ version }) => version === 3);
    await writeStatus(intent, 'completed');
    await intent.result();
    assert.deepEqual(
      new Set((await announcedTo(left)).map(({ version }) => version)),
      new Set([1]),
    );
    const events = await historyOf(intent);
    const tries = events.filter(
      ({ signalExternalWorkflowExecutionInitiatedEventAttributes: signal }) =>
        signal?.workflowExecution?.workflowId === gone.workflowId,
    );
    assert.equal(tries.length, 2);
    await discard(left, stays);
  });

  it('are kept over continue-as-new, and malformed ones are ignored', async () => {
    const intent = await world.openIntent({ history_limit: 60 });
    await intent.signal(observeSignal, 7 as never);
    const [observer] = await observers(intent, 1);
    assert.ok(observer);
    await announced(observer, ({ version }) => version === 1);
    const { runId } = await intent.describe();
    let version = 1;
    for (let index = 0; (await intent.describe()).runId === runId; index += 1) {
      const written = await patch(intent, [{ op: 'set', path: 'a', value: index }], version).catch(
        () => undefined,
      );
      version = written?.version ?? version;
      assert.ok(index < 60, 'it stays in its run');
    }
    ({ version } = await patch(intent, [{ op: 'set', path: 'b', value: 1 }]));
    await announced(observer, (newest) => newest.version === version);
    await discard(observer);
    await writeStatus(intent, 'completed');
  });
});
