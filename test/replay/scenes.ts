import type { WorkflowHandle } from '@temporalio/client';
import {
  acquireLeaseUpdate,
  engagementUpdate,
  renewLeaseUpdate,
} from '../../workflows/intent/messages.js';
import { changePortfolioUpdate, removeMemberUpdate } from '../../workflows/portfolio/messages.js';
import { cancelUpdate, operatorResponseSignal } from '../../workflows/suspension/messages.js';
import { patch, writeStatus, type IntentHandle } from '../workflows/support/intents.js';
import {
  beat,
  complete,
  coordinate,
  inSeconds,
  join,
  openPortfolio,
  portfolioLog,
} from '../workflows/support/portfolios.js';
import {
  ALONE,
  LADDER,
  openSuspension,
  respond,
  type Opened,
} from '../workflows/support/suspensions.js';
import type { World } from '../workflows/support/world.js';
import { APPROVAL_SCENES } from './approval-scenes.js';
import { BY_NAME_SCENES } from './by-name-scenes.js';
import { INTENT_SCENES } from './intent-scenes.js';
import { PAUSE_SCENES } from './pause-scenes.js';
import { PLAN_SCENES } from './plan-scenes.js';
import { PROPOSAL_SCENES } from './proposal-scenes.js';
import { REDEMPTION_SCENES } from './redemption-scenes.js';
import { SUBSCRIPTIONS } from './subscription-scenes.js';
import { UPKEEP_SCENES } from './upkeep-scenes.js';
import { VERB_SCENES } from './verb-scenes.js';
import { VOTE_SCENES } from './vote-scenes.js';
import { caller, sent } from '../support/callers.js';

/** Plays one story; the workflows whose histories are kept, by what they are called. */
export type Scene = (
  world: World,
) => Promise<Readonly<Record<string, Pick<WorkflowHandle, 'workflowId' | 'fetchHistory'>>>>;

const WINDOW = { retry_policy: LADDER };
const FALLBACK = { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' } as const;

async function answered(world: World, opened: Opened): Promise<void> {
  await respond(opened, await world.answer(opened.view));
  await opened.handle.result();
}

/** Ends of a suspension whose subject is not there. */
const SUSPENSIONS: Readonly<Record<string, Scene>> = {
  async 'suspension-answered'(world) {
    const opened = await openSuspension(world, WINDOW);
    await world.sleep('1 s');
    await answered(world, opened);
    return { 'suspension-answered': opened.handle };
  },
  async 'suspension-that-leaves-its-rows'(world) {
    const opened = await openSuspension(world, WINDOW, ALONE);
    await world.sleep('1 s');
    await answered(world, opened);
    return { 'suspension-that-leaves-its-rows': opened.handle };
  },
  async 'suspension-that-tells-nobody-at-first'(world) {
    const findings = { tells_nobody_at_first: true } as const;
    const opened = await openSuspension(world, WINDOW, { ...ALONE, findings });
    await world.sleep('1 s');
    await answered(world, opened);
    return { 'suspension-that-tells-nobody-at-first': opened.handle };
  },
  async 'suspension-answered-on-the-last-attempt'(world) {
    const opened = await openSuspension(world, WINDOW);
    await world.sleep('7201 s');
    await answered(world, opened);
    return { 'suspension-answered-on-the-last-attempt': opened.handle };
  },
  async 'suspension-answered-by-signal-after-a-refused-one'(world) {
    const opened = await openSuspension(world, { timeout_seconds: 600 });
    await world.sleep('1 s');
    await opened.handle.signal(operatorResponseSignal, await world.answer(opened.view, 'neither'));
    await world.sleep('1 s');
    await opened.handle.signal(operatorResponseSignal, await world.answer(opened.view));
    await opened.handle.result();
    return { 'suspension-answered-by-signal-after-a-refused-one': opened.handle };
  },
  async 'suspension-expired'(world) {
    const opened = await openSuspension(world, WINDOW);
    await world.sleep('10801 s');
    await opened.handle.result();
    return { 'suspension-expired': opened.handle };
  },
  async 'suspension-expired-while-no-worker-was-there'(world) {
    const opened = await openSuspension(world, { timeout_seconds: 600 });
    await world.sleep('1 s');
    await world.withoutWorker(() => world.sleep('700 s'));
    await world.sleep('1 s');
    await opened.handle.result();
    return { 'suspension-expired-while-no-worker-was-there': opened.handle };
  },
  async 'suspension-cancelled'(world) {
    const opened = await openSuspension(world, WINDOW);
    await world.sleep('1 s');
    const { intent_id } = opened.view;
    const cancel = {
      intent_id,
      by: caller('agent-1', 'agent'),
      cancelled_by: 'agent-1',
      settled_by: 'agent',
    } as const;
    await opened.handle.executeUpdate(cancelUpdate, { args: [cancel] });
    await opened.handle.result();
    return { 'suspension-cancelled': opened.handle };
  },
  async 'suspension-in-two-runs'(world) {
    const opened = await openSuspension(world, WINDOW, { history_limit: 40 });
    const { runId } = await opened.handle.describe();
    for (let run = runId; run === runId; run = (await opened.handle.describe()).runId) {
      const invalid = await world.answer(opened.view, 'neither');
      await opened.handle.signal(operatorResponseSignal, invalid);
      await world.sleep('1 s');
    }
    await answered(world, opened);
    const { workflowId } = opened.handle;
    const first = world.client.getHandle(workflowId, runId);
    return { 'suspension-in-two-runs-1': first, 'suspension-in-two-runs-2': opened.handle };
  },
};

async function lived(world: World, handle: IntentHandle): Promise<void> {
  await writeStatus(handle, 'active');
  const signals = { confidence: 0.6, risk: 0.3, reversibility: 0.9 };
  await handle.executeUpdate(engagementUpdate, { args: [{ ...sent('agent-1'), signals }] });
  const holder = { ...sent('agent-1'), duration_seconds: 300 };
  const lease = await handle.executeUpdate(acquireLeaseUpdate, {
    args: [{ ...holder, scope: 'refund' }],
  });
  await patch(handle, [{ op: 'set', path: 'order', value: 12 }]);
  const view = await world.ask(handle, WINDOW);
  await world.sleep('3660 s');
  await handle.executeUpdate(renewLeaseUpdate, { args: [{ ...holder, lease_id: lease.id }] });
  const opened = { handle: world.suspension(view.id), view, id: view.id };
  await answered(world, opened);
  await world.sleep('400 s');
}

const INTENTS: Readonly<Record<string, Scene>> = {
  async 'intent-completed'(world) {
    const handle = await world.openIntent({ status: 'draft' });
    await lived(world, handle);
    await writeStatus(handle, 'completed');
    await handle.result();
    return { 'intent-completed': handle };
  },
  async 'intent-abandoned-by-an-expiry'(world) {
    const handle = await world.openIntent();
    const view = await world.ask(handle, { timeout_seconds: 60 });
    await world.sleep('61 s');
    await world.suspension(view.id).result();
    await handle.result();
    return { 'intent-abandoned-by-an-expiry': handle };
  },
  async 'intent-resumed-by-a-fallback'(world) {
    const handle = await world.openIntent();
    const view = await world.ask(handle, { timeout_seconds: 60, ...FALLBACK });
    await world.sleep('61 s');
    await world.suspension(view.id).result();
    await writeStatus(handle, 'completed');
    await handle.result();
    return { 'intent-resumed-by-a-fallback': handle };
  },
  async 'intent-abandoned-with-its-question'(world) {
    const handle = await world.openIntent();
    const view = await world.ask(handle, WINDOW);
    await writeStatus(handle, 'abandoned', { reason: 'no longer needed' });
    const asked = world.suspension(view.id);
    await asked.result();
    await handle.result();
    return {
      'intent-abandoned-with-its-question': handle,
      'suspension-withdrawn-by-its-intent': asked,
    };
  },
  async 'intent-in-two-runs-while-suspended'(world) {
    const handle = await world.openIntent({ history_limit: 30 });
    const { runId } = await handle.describe();
    const view = await world.ask(handle, WINDOW);
    for (let run = runId; run === runId; run = (await handle.describe()).runId) {
      await patch(handle, [{ op: 'append', path: 'notes', value: 1 }]).catch(() => undefined);
    }
    await answered(world, { handle: world.suspension(view.id), view, id: view.id });
    await writeStatus(handle, 'completed');
    await handle.result();
    const first = world.client.getHandle(handle.workflowId, runId);
    return {
      'intent-in-two-runs-while-suspended-1': first,
      'intent-in-two-runs-while-suspended-2': handle,
    };
  },
};

const PORTFOLIOS: Readonly<Record<string, Scene>> = {
  async 'portfolio-completed'(world) {
    const portfolio = await openPortfolio(world, { deadline: 7_200 });
    const [stays, leaves] = [await world.openIntent(), await world.openIntent()];
    await join(world, portfolio, stays);
    const { membership } = await join(world, portfolio, leaves);
    const left = { ...sent('agent-1'), intent_id: membership.intent_id };
    await portfolio.executeUpdate(removeMemberUpdate, { args: [left] });
    const view = await world.ask(stays, WINDOW);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    const deadline = await inSeconds(world, 9_000);
    const moved = { ...sent('agent-1'), change: { governance_policy: { deadline } } };
    await portfolio.executeUpdate(changePortfolioUpdate, { args: [moved] });
    await answered(world, { handle: world.suspension(view.id), view, id: view.id });
    await portfolioLog(world, portfolio, 'portfolio.member_resumed');
    for (const intent of [stays, leaves]) await writeStatus(intent, 'completed');
    await complete(portfolio);
    return { 'portfolio-completed': portfolio };
  },
  async 'portfolio-at-its-deadline'(world) {
    const portfolio = await openPortfolio(world, { deadline: 600 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const view = await world.ask(intent, WINDOW);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('601 s');
    await intent.result();
    const asked = world.suspension(view.id);
    await asked.result();
    await complete(portfolio);
    return {
      'portfolio-at-its-deadline': portfolio,
      'suspension-ended-by-a-deadline': asked,
      'intent-abandoned-by-a-deadline': intent,
    };
  },
  async 'portfolio-in-two-runs'(world) {
    const portfolio = await openPortfolio(world, { deadline: 600, history_limit: 30 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const { runId } = await portfolio.describe();
    for (let run = runId; run === runId; run = (await portfolio.describe()).runId) {
      const input = { ...sent('agent-1'), change: { name: 'Launch' } };
      await portfolio
        .executeUpdate(changePortfolioUpdate, { args: [input] })
        .catch(() => undefined);
    }
    await writeStatus(intent, 'completed');
    await intent.result();
    await complete(portfolio);
    const first = world.client.getHandle(portfolio.workflowId, runId);
    return { 'portfolio-in-two-runs-1': first, 'portfolio-in-two-runs-2': portfolio };
  },
};

const HOURLY = { heartbeat_interval_seconds: 3_600 };

const COORDINATORS: Readonly<Record<string, Scene>> = {
  async 'coordinator-escalates'(world) {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent, { ...HOURLY, suspension_policy: 'escalate' });
    await world.sleep('1 s');
    const view = await world.ask(intent, WINDOW);
    await world.sleep('1 s');
    await answered(world, { handle: world.suspension(view.id), view, id: view.id });
    await lease.cancel();
    await lease.result();
    await writeStatus(intent, 'completed');
    return { 'coordinator-escalates': lease };
  },
  async 'coordinator-asks-on-its-own-intent'(world) {
    const [intent, own] = [await world.openIntent(), await world.openIntent()];
    const own_intent_id = own.workflowId.replace('intent-', '');
    const escalating = { ...HOURLY, suspension_policy: 'escalate', own_intent_id } as const;
    const lease = await coordinate(world, intent, escalating);
    await world.sleep('1 s');
    const view = await world.ask(intent, WINDOW);
    await world.sleep('1 s');
    await answered(world, { handle: world.suspension(view.id), view, id: view.id });
    await world.sleep('1 s');
    await lease.cancel();
    await lease.result();
    for (const one of [intent, own]) await writeStatus(one, 'completed');
    return { 'coordinator-asks-on-its-own-intent': lease };
  },
  async 'coordinator-falls-silent'(world) {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent);
    await world.sleep('60 s');
    await beat(lease);
    await world.sleep('301 s');
    await lease.result();
    await writeStatus(intent, 'completed');
    return { 'coordinator-falls-silent': lease };
  },
  async 'coordinator-holds-phases'(world) {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent, { suspension_policy: 'block_dependents' });
    await world.sleep('1 s');
    const view = await world.ask(intent);
    await world.sleep('301 s');
    await lease.result();
    await answered(world, { handle: world.suspension(view.id), view, id: view.id });
    await writeStatus(intent, 'completed');
    return { 'coordinator-holds-phases': lease, 'intent-whose-dependents-were-held': intent };
  },
  async 'coordinator-of-a-portfolio-in-two-runs'(world) {
    const [first, second] = [await world.openIntent(), await world.openIntent()];
    const portfolio = await openPortfolio(world);
    const policy = { ...HOURLY, suspension_policy: 'block_dependents' };
    const lease = await coordinate(world, portfolio, policy, { history_limit: 40 });
    await join(world, portfolio, first);
    await world.ask(first, WINDOW);
    await world.sleep('1 s');
    const { runId } = await lease.describe();
    for (let run = runId; run === runId; run = (await lease.describe()).runId) {
      await beat(lease).catch(() => undefined);
    }
    await join(world, portfolio, second);
    const gone = { ...sent('agent-1'), intent_id: first.workflowId.replace('intent-', '') };
    await portfolio.executeUpdate(removeMemberUpdate, { args: [gone] });
    await world.sleep('1 s');
    await lease.cancel();
    await lease.result();
    await complete(portfolio);
    for (const intent of [first, second]) await writeStatus(intent, 'abandoned');
    return {
      'coordinator-of-a-portfolio-1': world.client.getHandle(lease.workflowId, runId),
      'coordinator-of-a-portfolio-2': lease,
      'portfolio-with-a-coordinator': portfolio,
    };
  },
  async 'coordinator-in-two-runs'(world) {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent, HOURLY, { history_limit: 30 });
    const { runId } = await lease.describe();
    for (let run = runId; run === runId; run = (await lease.describe()).runId) {
      await beat(lease).catch(() => undefined);
    }
    await lease.cancel();
    await lease.result();
    await writeStatus(intent, 'completed');
    const first = world.client.getHandle(lease.workflowId, runId);
    return { 'coordinator-in-two-runs-1': first, 'coordinator-in-two-runs-2': lease };
  },
};

/** Scenes in which the worker goes away: what waits for one that caches is soon asked of another. */
export const UNCACHED: ReadonlySet<string> = new Set([
  'suspension-expired-while-no-worker-was-there',
]);

export const SCENES: Readonly<Record<string, Scene>> = {
  ...SUSPENSIONS,
  ...INTENTS,
  ...INTENT_SCENES,
  ...PORTFOLIOS,
  ...PLAN_SCENES,
  ...COORDINATORS,
  ...SUBSCRIPTIONS,
  ...UPKEEP_SCENES,
  ...VERB_SCENES,
  ...VOTE_SCENES,
  ...BY_NAME_SCENES,
  ...APPROVAL_SCENES,
  ...REDEMPTION_SCENES,
  ...PAUSE_SCENES,
  ...PROPOSAL_SCENES,
};
