import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import type { Redeemed } from '../../contracts/approval/requests.js';
import { vote } from '../workflows/support/approvals.js';
import { openedIn } from '../workflows/support/askers.js';
import { startedChildren } from '../workflows/support/children.js';
import { respond } from '../workflows/support/suspensions.js';
import type { World } from '../workflows/support/world.js';
import type { Scene } from './scenes.js';

/** Worlds that have a worker of Holdpoint's own queue, where these types work. */
const ready = new WeakSet<World>();

async function start(
  world: World,
  type: string,
  args: readonly unknown[],
  workflowId = `by-name-${randomUUID()}`,
): Promise<WorkflowHandle> {
  if (!ready.has(world)) await world.startWorkerOf(TASK_QUEUE);
  ready.add(world);
  const { firstExecutionRunId } = await world.client.start(type, {
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [...args],
  });
  // This run, also where the same id is used again.
  return world.client.getHandle(workflowId, firstExecutionRunId);
}

function newQuestion(fields: object = {}) {
  return { question: `Refund ${randomUUID()}?`, response_type: 'confirm', ...fields };
}

async function answered(world: World, { question }: ReturnType<typeof newQuestion>) {
  const view = await openedIn(world, question);
  await respond({ handle: world.suspension(view.id) }, await world.answer(view, 'yes'));
}

/** The guard of a question or approval, once it has ended. */
async function guardOf(world: World, keyed: WorkflowHandle): Promise<WorkflowHandle> {
  const [id = ''] = await startedChildren(keyed);
  const guard = world.client.getHandle(id);
  // Temporal cancels it at the end of its parent; the test server does not.
  await guard.cancel();
  await guard.result();
  return guard;
}

const CALLS = [{ id: 'call-1', tool: 'wire', arguments: { amount: 500 } }];

function newRequest(fields: object = {}) {
  return { run_id: 'run-1', prompt: `Wire ${randomUUID()}?`, calls: CALLS, ...fields };
}

async function decided(
  world: World,
  { prompt }: ReturnType<typeof newRequest>,
  value: 'approved' | 'rejected' = 'approved',
): Promise<void> {
  const { id, record } = await openedIn(world, prompt);
  if (!record.approval) throw new Error('it is no approval');
  await vote(world, { id, record, approval: record.approval }, 'alice', value);
}

/** Waits for an end, whatever it is. */
async function over(handle: WorkflowHandle): Promise<void> {
  await handle.result().catch(() => undefined);
}

/** What workflows in any language start by its name. */
export const BY_NAME_SCENES: Readonly<Record<string, Scene>> = {
  async 'ask-by-name'(world) {
    const plain = newQuestion();
    const ask = await start(world, 'ask', [plain]);
    await answered(world, plain);
    await ask.result();
    const silent = await start(world, 'ask', [newQuestion({ timeout_seconds: 60 })]);
    await world.sleep('61 s');
    await over(silent);
    const wrong = await start(world, 'ask', [newQuestion({ timout_seconds: 60 })]);
    await over(wrong);
    return { 'ask-by-name': ask, 'ask-without-an-answer': silent, 'ask-refused': wrong };
  },
  async 'ask-under-a-key'(world) {
    const keyed = newQuestion({ request_key: 'refund' });
    const ask = await start(world, 'ask', [keyed]);
    await answered(world, keyed);
    await ask.result();
    const guard = await guardOf(world, ask);
    const again = await start(world, 'ask', [keyed], ask.workflowId);
    await again.result();
    const given = newQuestion({ request_key: 'refund' });
    const cancelled = await start(world, 'ask', [given]);
    const { id } = await openedIn(world, given.question);
    await cancelled.cancel();
    await over(cancelled);
    const withdrew = await guardOf(world, cancelled);
    await world.suspension(id).result();
    return {
      'ask-under-a-key': ask,
      'askGuard-too-late': guard,
      'ask-found-again': again,
      'ask-cancelled-under-a-key': cancelled,
      'askGuard-of-a-question': withdrew,
    };
  },
  async 'gate-by-name'(world) {
    const request = newRequest();
    const gate = await start(world, 'gate', [request]);
    await decided(world, request);
    const { idempotency_key } = (await gate.result()) as Redeemed;
    // Another workflow completes it only once the lease is over.
    const early = await start(world, 'complete', [idempotency_key, 'sent']);
    await over(early);
    await world.sleep('61 s');
    const complete = await start(world, 'complete', [idempotency_key, 'sent']);
    await complete.result();
    const repeated = await start(world, 'complete', [idempotency_key, 'sent again']);
    await repeated.result();
    const wrong = await start(world, 'complete', ['call-1', 'sent']);
    await over(wrong);
    const denied = newRequest();
    const rejected = await start(world, 'gate', [denied]);
    await decided(world, denied, 'rejected');
    await over(rejected);
    return {
      'gate-by-name': gate,
      'complete-by-name-too-early': early,
      'complete-by-name': complete,
      'complete-by-name-again': repeated,
      'complete-by-name-refused': wrong,
      'gate-by-name-rejected': rejected,
    };
  },
  async 'gate-under-a-key'(world) {
    const request = newRequest({ request_key: 'wire' });
    const gate = await start(world, 'gate', [request]);
    await decided(world, request);
    await gate.result();
    const guard = await guardOf(world, gate);
    const again = await start(world, 'gate', [request], gate.workflowId);
    await again.result();
    const given = newRequest({ request_key: 'wire' });
    const cancelled = await start(world, 'gate', [given]);
    const { id } = await openedIn(world, given.prompt);
    await cancelled.cancel();
    await over(cancelled);
    const withdrew = await guardOf(world, cancelled);
    await world.suspension(id).result();
    return {
      'gate-under-a-key': gate,
      'askGuard-of-an-approved-call': guard,
      'gate-found-again': again,
      'gate-cancelled-under-a-key': cancelled,
      'askGuard-of-an-approval': withdrew,
    };
  },
};
