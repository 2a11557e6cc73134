import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { TASK_QUEUE, workflowIdOf } from '../../contracts/constants/names.js';
import type { JsonValue } from '../../contracts/primitives.js';
import { endedByDeadline } from '../../domain/suspension/state.js';
import { trySignal } from '../engine/sender.js';
import { attachSignal, withdrawSignal } from '../suspension/messages.js';
import { InputCancelledError, InputTimeoutError } from './errors.js';
import { HookCalls, checkHooks } from './hooks.js';
import type { InputHooks } from './hooks.js';
import { follow, forget, lostInput } from './inbox.js';
import type { Followed, SettledInput } from './inbox.js';

const { readInput } = proxyActivities<Pick<Activities, 'readInput'>>({
  taskQueue: TASK_QUEUE,
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'read a past question',
});

/**
 * Waits for a question of this workflow, from `openInput` in this run or an earlier one, and returns what
 * `requestInput` would; `hooks` need to be given again in a new run. Throws as `requestInput`, and
 * an ApplicationFailure `suspension_not_found` for an id that nobody knows.
 */
export async function awaitInput(
  suspensionId: string,
  options: { readonly hooks?: InputHooks } = {},
): Promise<JsonValue> {
  const { hooks = {} } = options;
  checkHooks(hooks);
  const known = follow(suspensionId);
  known.calls ??= new HookCalls(hooks);
  const settled = await untilSettled(suspensionId, known);
  forget(suspensionId);
  return conclude(settled, known.calls);
}

/** Withdraws a question; whoever awaits it gets InputCancelledError. Too late is no error. */
export async function cancelInput(suspensionId: string, reason?: string): Promise<void> {
  await withdraw(suspensionId, reason);
}

/**
 * A cancelled agent withdraws its question and waits until that is settled: an answer that came first
 * counts, and is returned although the agent is cancelled; otherwise the cancellation goes on.
 */
async function untilSettled(suspensionId: string, known: Followed): Promise<SettledInput> {
  try {
    if (!known.own && !known.settled) await attach(suspensionId, known);
    return await nextSettled(known);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(async () => {
      const open = known.settled ?? (await withdraw(suspensionId, 'agent_cancelled'));
      if (open === false) await readInto(suspensionId, known);
      const settled = await nextSettled(known);
      if (settled.record.resolution !== 'cancelled') return settled;
      forget(suspensionId);
      throw error;
    });
  }
}

/** Tells the hooks of reminders until the question is settled. */
async function nextSettled(known: Followed): Promise<SettledInput> {
  for (;;) {
    await condition(() => known.settled !== undefined || known.reminder !== undefined);
    const { reminder, settled } = known;
    delete known.reminder;
    if (reminder?.record) known.calls?.requested(reminder.record, reminder.attempt.attempt);
    if (settled) return settled;
  }
}

/** An earlier run may have had the report, and forgotten it: it is asked for once more. */
async function attach(suspensionId: string, known: Followed): Promise<void> {
  const alive = await trySignal(workflowIdOf('suspension', suspensionId), attachSignal);
  if (!alive) await readInto(suspensionId, known);
}

/** A suspension that has closed had handed everything to the store. */
async function readInto(suspensionId: string, known: Followed): Promise<void> {
  try {
    const { record, attempt } = await readInput(suspensionId);
    known.settled ??= lostInput(record, attempt);
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : undefined;
    throw cause instanceof ApplicationFailure && cause.nonRetryable ? cause : error;
  }
}

/** Whether the suspension was still there to take it. */
function withdraw(suspensionId: string, reason: string | undefined): Promise<boolean> {
  const cancel = {
    cancelled_by: workflowInfo().workflowId,
    settled_by: 'agent',
    ...(reason !== undefined && { reason }),
  } as const;
  return trySignal(workflowIdOf('suspension', suspensionId), withdrawSignal, cancel);
}

async function conclude({ record, attempt }: SettledInput, calls: HookCalls): Promise<JsonValue> {
  if (record.resolution === 'responded') calls.received(record, attempt);
  if (record.resolution === 'expired') calls.expired(record, attempt);
  await calls.finished();
  if (record.resolution === 'responded') return record.response ?? null;
  if (record.resolution === 'cancelled' || endedByDeadline(record)) {
    throw new InputCancelledError(record, attempt);
  }
  if (record.fallback_policy === 'fail') throw new InputTimeoutError(record, attempt);
  return record.fallback_value ?? null;
}
