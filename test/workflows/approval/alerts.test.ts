import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { NotificationRequest } from '../../../contracts/channel/notification.js';
import { approvalQuery } from '../../../workflows/approval/messages.js';
import { lookUntil } from '../../support/looks.js';
import {
  eventsOf,
  openApproval,
  tierOf,
  vote,
  type ApprovalHandle,
  type Rules,
} from '../support/approvals.js';
import { perTest, World } from '../support/world.js';

const SLOW: Rules = {
  rules: [{ verdict: 'escalate' }],
  routes: { human_required: { tiers: [{ timeout_seconds: 600 }], sla_seconds: 60 } },
};

describe('the alert of a breached SLA', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  const alerts = () => world.activities.notified.filter(({ alert }) => alert !== undefined);

  async function breaches(handle: ApprovalHandle): Promise<number> {
    const { proposal } = await handle.query(approvalQuery);
    return eventsOf(world, proposal.run_id).filter(
      ({ event_type }) => event_type === 'approval_sla_breached',
    ).length;
  }

  /** Replaces how alerts are delivered; questions are delivered as ever. */
  function deliverAlerts(deliver: typeof world.activities.deliver): void {
    const { deliver: asEver } = world.activities;
    world.activities.deliver = (request) => (request.alert ? deliver : asEver)(request);
  }

  it('is told once over the channel of the question, and decides nothing [A54-29] [TM-22]', async () => {
    const handle = await openApproval(world, SLOW, { channel_hint: 'pager' });
    const tier = await tierOf(world, handle);
    await world.sleep('40 s');
    assert.deepEqual(alerts(), []);
    await world.sleep('25 s');
    const [alert] = await lookUntil(async () => alerts().length > 0 && alerts(), 'no alert');
    const { proposal, created_at } = await handle.query(approvalQuery);
    const due_at = new Date(Date.parse(created_at) + 60_000);
    assert.ok(Math.abs(Date.parse(String(alert?.due_at)) - due_at.getTime()) < 5_000);
    assert.deepEqual(alert, {
      delivery_id: `${tier.id}:sla:0`,
      suspension_id: tier.id,
      intent_id: null,
      attempt: 1,
      max_attempts: 1,
      due_at: String(alert?.due_at),
      channel_hint: 'pager',
      notify_to: null,
      question: proposal.prompt,
      response_type: 'choice',
      next_attempt_at: null,
      alert: {
        kind: 'sla_breached',
        approval_id: proposal.approval_id,
        run_id: proposal.run_id,
        stage: 0,
        sla_seconds: 60,
      },
    } satisfies NotificationRequest);
    await world.sleep('120 s');
    assert.equal((await handle.query(approvalQuery)).status, 'pending');
    await vote(world, tier, 'alice');
    assert.equal((await handle.result()).resolution.status, 'approved');
    assert.deepEqual([alerts().length, await breaches(handle)], [1, 1]);
  });

  it('is tried again until the channel takes it, as one delivery', async () => {
    let tries = 0;
    deliverAlerts(async () => {
      tries += 1;
      if (tries < 3) throw new Error('the channel is down');
      return { channel: 'console' };
    });
    const handle = await openApproval(world, SLOW);
    const tier = await tierOf(world, handle);
    await world.sleep('90 s');
    await lookUntil(
      async () => tries === 3,
      () => `${tries} tries`,
    );
    assert.deepEqual(
      [...new Set(alerts().map(({ delivery_id }) => delivery_id))],
      [`${tier.id}:sla:0`],
    );
    await world.sleep('120 s');
    assert.equal(tries, 3);
    await vote(world, tier, 'alice');
    await handle.result();
  });

  it('holds nothing up where its channel hangs, and ends with the decision', async () => {
    deliverAlerts(world.activities.hang);
    const handle = await openApproval(world, SLOW);
    const tier = await tierOf(world, handle);
    await world.sleep('62 s');
    await lookUntil(async () => alerts().length > 0, 'no alert');
    await vote(world, tier, 'alice');
    assert.equal((await handle.result()).resolution.status, 'approved');
  });

  it('is told once, whichever run of the approval tells it', async () => {
    const handle = await openApproval(world, SLOW, {}, { history_limit: 10 });
    const tier = await tierOf(world, handle);
    await world.sleep('62 s');
    await lookUntil(async () => alerts().length > 0, 'no alert');
    await world.sleep('30 s');
    const { events } = await handle.fetchHistory();
    assert.ok(events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
    await vote(world, tier, 'alice');
    assert.equal((await handle.result()).resolution.status, 'approved');
    const told = new Set(alerts().map(({ delivery_id }) => delivery_id));
    assert.deepEqual([told.size, await breaches(handle)], [1, 1]);
  });
});
