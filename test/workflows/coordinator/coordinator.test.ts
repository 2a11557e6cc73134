import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { beat, coordinate, leasesOf } from '../support/portfolios.js';
import { logOf, snapshotOf, storyOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';
import { untilNextRun } from '../support/histories.js';

const SILENT = '301 s';

describe('a coordinator', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function answered(intent: IntentHandle): Promise<void> {
    const view = await world.ask(intent);
    await world.sleep('20 s');
    await world.respond(view);
  }

  it('lives as long as its heartbeats come', async () => {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent);
    for (let minute = 0; minute < 6; minute += 1) {
      await world.sleep('60 s');
      assert.equal((await beat(lease)).status, 'active');
    }
    await world.sleep(SILENT);
    await lease.result();
    const statuses = leasesOf(world, lease).map(({ status, version }) => [version, status]);
    assert.deepEqual(statuses, [
      [1, 'active'],
      [2, 'unresponsive'],
      [3, 'failed_over'],
    ]);
    assert.deepEqual(await storyOf(world, intent), [
      'coordinator.unresponsive',
      'coordinator.failed_over',
    ]);
    await writeStatus(intent, 'completed');
  });

  it('asks on an intent of its own, which then waits [R26-34, AM-39]', async () => {
    const [intent, own] = [await world.openIntent(), await world.openIntent()];
    const lease = await coordinate(world, intent, {
      suspension_policy: 'escalate',
      heartbeat_interval_seconds: 3_600,
      own_intent_id: own.workflowId.replace('intent-', ''),
      supervisor_id: 'alice',
    });
    await world.sleep('20 s');
    const view = await world.ask(intent);
    await world.sleep('20 s');
    const { status, state } = (await snapshotOf(own)).intent;
    assert.equal(status, 'suspended_awaiting_input');
    const asked = state['_suspension'] as { readonly context: Readonly<Record<string, unknown>> };
    assert.equal(asked.context['supervisor_id'], 'alice');
    assert.equal(JSON.stringify(asked).includes(view.id), false);
    assert.equal((await storyOf(world, intent)).includes('coordinator.escalation_required'), false);
    assert.equal((await snapshotOf(intent)).intent.status, 'suspended_awaiting_input');
    await world.respond(view);
    await world.sleep('20 s');
    const { intent: released } = await snapshotOf(own);
    assert.equal(released.status, 'active');
    const { reason } = released.state['_suspension'] as { readonly reason: string };
    assert.equal(reason, 'escalation_over');
    await world.ask(intent);
    await world.sleep('20 s');
    assert.equal((await snapshotOf(own)).intent.status, 'suspended_awaiting_input');
    await lease.cancel();
    await lease.result();
    await world.sleep('20 s');
    assert.equal((await snapshotOf(own)).intent.status, 'active');
    for (const one of [intent, own]) await writeStatus(one, 'abandoned', { reason: 'over' });
  });

  it('escalates in the log of its intent where its own already waits [R26-34]', async () => {
    const [intent, own] = [await world.openIntent(), await world.openIntent()];
    await world.ask(own);
    const lease = await coordinate(world, intent, {
      suspension_policy: 'escalate',
      heartbeat_interval_seconds: 3_600,
      own_intent_id: own.workflowId.replace('intent-', ''),
    });
    await world.sleep('20 s');
    await answered(intent);
    await world.sleep('20 s');
    assert.ok((await storyOf(world, intent)).includes('coordinator.escalation_required'));
    // The question that it did not ask stays.
    assert.equal((await snapshotOf(own)).intent.status, 'suspended_awaiting_input');
    await lease.cancel();
    await lease.result();
    for (const one of [intent, own]) await writeStatus(one, 'abandoned', { reason: 'over' });
  });

  it('withdraws a question that is asked while the one that it is about ends', async () => {
    const [intent, own] = [await world.openIntent(), await world.openIntent()];
    const lease = await coordinate(world, intent, {
      suspension_policy: 'escalate',
      heartbeat_interval_seconds: 3_600,
      own_intent_id: own.workflowId.replace('intent-', ''),
    });
    await world.sleep('20 s');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world.activities.beforeNote = () => held;
    await answered(intent);
    world.activities.beforeNote = () => Promise.resolve();
    release();
    await world.sleep('60 s');
    const { intent: released } = await snapshotOf(own);
    assert.equal(released.status, 'active');
    const { reason } = released.state['_suspension'] as { readonly reason: string };
    assert.equal(reason, 'escalation_over');
    await lease.cancel();
    await lease.result();
    for (const one of [intent, own]) await writeStatus(one, 'abandoned', { reason: 'over' });
  });

  it('escalates each question once, in the log of its intent [R26-34, AM-39]', async () => {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent, {
      suspension_policy: 'escalate',
      heartbeat_interval_seconds: 3_600,
    });
    await world.sleep('20 s');
    await answered(intent);
    await answered(intent);
    await world.sleep('20 s');
    const escalated = (await logOf(world, intent)).filter(
      ({ event_type: type }) => type === 'coordinator.escalation_required',
    );
    const asked = (await logOf(world, intent)).filter(
      ({ event_type: type }) => type === 'intent.suspended',
    );
    assert.deepEqual(
      escalated.map(({ payload, actor }) => [payload['suspension_id'], actor]),
      asked.map(({ payload }) => [payload['suspension_id'], 'holdpoint']),
    );
    assert.equal(escalated.length, 2);
    assert.equal(
      escalated[0]?.payload['coordinator_id'],
      lease.workflowId.replace('coordinator-', ''),
    );
    await lease.cancel();
    await lease.result();
    await writeStatus(intent, 'completed');
  });

  it('remembers in a new run what it has escalated', async () => {
    const intent = await world.openIntent();
    const policy = { suspension_policy: 'escalate', heartbeat_interval_seconds: 3_600 };
    const lease = await coordinate(world, intent, policy, { history_limit: 30 });
    await world.sleep('20 s');
    const view = await world.ask(intent);
    await world.sleep('20 s');
    await untilNextRun(lease, () => beat(lease).catch(() => undefined));
    await world.respond(view);
    await answered(intent);
    await world.sleep('20 s');
    const escalated = (await storyOf(world, intent)).filter((type) => type.includes('escalation'));
    assert.equal(escalated.length, 2);
    await lease.cancel();
    await lease.result();
    await writeStatus(intent, 'completed');
  });
});
