import {
  CancellationScope,
  condition,
  isCancellation,
  log,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { defined } from '../../contracts/constants/defined.js';
import { TASK_QUEUE, workflowIdOf } from '../../contracts/constants/names.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { fallbackCounts } from '../../contracts/constants/fallback.js';
import { isSettled } from '../../domain/suspension/record/state.js';
import { failureOf } from '../engine/handlers.js';
import { trySignal } from '../engine/sender.js';
import { BY_HOLDPOINT, refusalOrResult } from './by-holdpoint.js';
import { WRITERS, writersForAgent } from '../engine/row-duty.js';
import { newQuestion, openQuestion } from '../suspension/open-question.js';
import { attachSignal, withdrawSignal } from '../suspension/messages.js';
import type { SuspensionResult } from '../suspension/messages.js';
import { pausesBetweenLooks } from '../suspension/watch.js';
import { endWithoutAnswer } from './errors.js';
import { checkHooks, checkId, checkReason, checkSpace, splitOptions } from './checks.js';
import { HookCalls } from './hooks.js';
import type { InSpace, InputHooks, InputOptions, PauseOptions } from './hooks.js';
import { follow, forget, lostInput, recall, spaceOf } from './inbox.js';
import type { Followed, SettledInput } from './inbox.js';

const { prepareInput, settleLost } =
  proxyActivities<Pick<Activities, 'prepareInput' | 'settleLost'>>(BY_HOLDPOINT);

/**
 * Asks an operator, from the code of a workflow, and returns the value of the answer (R25-87, R25-89), or
 * `fallback_value` (null without one) if nobody answered and the policy returns a value. Several questions may be asked at once.
 *
 * Throws InputTimeoutError (policy `fail`), InputCancelledError, or an ApplicationFailure with the code of what is wrong with the
 * question. If the workflow or its scope is cancelled, it withdraws the question and throws the cancellation.
 */
export async function requestInput(options: InputOptions): Promise<JsonValue> {
  return awaitInput(await openInput(options));
}

/**
 * Asks a question and returns its suspension's id once it is durable, without waiting for the answer:
 * `awaitInput` does, in this run or one that continues it. The platform's retry policy applies as over
 * HTTP. Throws a non-retryable ApplicationFailure whose `type` is an error code (`invalid_request`,
 * `invalid_choices`, `invalid_retry_policy`, `invalid_signals`, `body_too_large`, `question_too_large`) and whose
 * first detail is the refusal.
 */
export async function openInput(options: InputOptions | PauseOptions): Promise<string> {
  const { question, hooks, space } = splitOptions(options);
  const { draft, warnings, findings, asked_at } = await refusalOrResult(
    prepareInput.executeWithOptions(
      { summary: 'check the question' },
      space === DEFAULT_SPACE ? [question] : [question, space],
    ),
  );
  for (const warning of warnings) log.warn('input_warning', { warning });
  return CancellationScope.nonCancellable(async () => {
    const { workflowId } = workflowInfo();
    const asker = {
      intent_id: null,
      subject_workflow_id: workflowId,
      writers: WRITERS.agentAlone,
      asked_by: options.asked_by ?? workflowId,
      report_attempts: hooks.onInputRequested !== undefined,
      ...defined({ findings }),
    };
    const asked = newQuestion(draft, asker, asked_at);
    const input = { ...asked, writers: writersForAgent(asked) };
    const { record } = input;
    const calls = new HookCalls(hooks);
    Object.assign(follow(record.id), { own: true, calls, space });
    const { child } = await openQuestion(input, { taskQueue: TASK_QUEUE, space });
    child.result().then(
      (result) => learnEnd(record, result),
      () => learnLoss(record),
    );
    calls.requested(record, 1);
    return record.id;
  });
}

/**
 * Waits for a question of this workflow, from `openInput` in this run or an earlier one, and returns what
 * `requestInput` would; `hooks` and `space` must be passed again in a new run. Throws as `requestInput`, and
 * an ApplicationFailure `suspension_not_found` for an unknown id.
 */
export async function awaitInput(
  suspensionId: string,
  options: InSpace & { readonly hooks?: InputHooks } = {},
): Promise<JsonValue> {
  const { hooks = {}, space } = options;
  checkHooks(hooks);
  if (space !== undefined) checkSpace(space);
  return valueOf(await awaitSettled(suspensionId, { hooks, space }));
}

/**
 * Waits for a question as `awaitInput` does, and returns how it ended, after its hooks have run. Throws an ApplicationFailure
 * `suspension_not_found` for an unknown id, and the cancellation of its scope.
 */
export async function awaitSettled(
  suspensionId: string,
  { hooks = {}, space }: { readonly hooks?: InputHooks; readonly space?: string | undefined } = {},
): Promise<SettledInput> {
  checkId(suspensionId);
  const known = follow(suspensionId);
  if (space !== undefined) known.space = space;
  known.calls ??= new HookCalls(hooks);
  const settled = await untilSettled(suspensionId, known);
  forget(suspensionId);
  await runHooks(settled, known.calls);
  return settled;
}

/**
 * Withdraws a question; whoever awaits it gets InputCancelledError. Too late is no error. Throws an ApplicationFailure
 * `invalid_request` for a reason that HTTP would refuse too.
 */
export async function cancelInput(
  suspensionId: string,
  reason?: string,
  { space = spaceOf(suspensionId) }: InSpace = {},
): Promise<void> {
  checkId(suspensionId);
  checkReason(reason);
  checkSpace(space);
  await withdraw(suspensionId, reason, space);
}

/**
 * A cancelled agent withdraws its question and waits until that is settled: an answer that came first
 * counts, and is returned although the agent is cancelled; otherwise the cancellation goes on.
 */
async function untilSettled(suspensionId: string, known: Followed): Promise<SettledInput> {
  try {
    if (!known.own && !known.settled) await attach(suspensionId, known);
    return await nextSettled(suspensionId, known);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return CancellationScope.nonCancellable(async () => {
      const isThere = known.settled ?? (await withdraw(suspensionId, 'agent_cancelled'));
      const isKnown = isThere !== false || (await settleGone(suspensionId, known));
      if (!isKnown) throw error;
      const settled = await nextSettled(suspensionId, known);
      if (settled.record.resolution !== 'cancelled') return settled;
      forget(suspensionId);
      throw error;
    });
  }
}

/**
 * Calls the hooks for reminders until the question is settled. This run does not learn that the workflow of an earlier run's
 * question is gone, so it looks now and then.
 */
async function nextSettled(suspensionId: string, known: Followed): Promise<SettledInput> {
  const pauses = pausesBetweenLooks();
  const isNews = (): boolean => known.settled !== undefined || known.reminder !== undefined;
  for (;;) {
    if (known.own) await condition(() => isNews() || !known.own);
    else if (!(await condition(isNews, pauses.next().value))) await attach(suspensionId, known);
    const { reminder, settled } = known;
    delete known.reminder;
    if (reminder?.record) known.calls?.requested(reminder.record, reminder.attempt.attempt);
    if (settled) return settled;
  }
}

/** Asks for the report once more: an earlier run may have had it, and forgotten it. */
async function attach(suspensionId: string, known: Followed): Promise<void> {
  const { space } = known;
  const alive = await trySignal(workflowIdOf('suspension', suspensionId, space), attachSignal);
  if (alive || (await settleGone(suspensionId, known))) return;
  throw failureOf({ code: 'suspension_not_found', detail: 'No suspension has this id.' });
}

/** Takes over how a question has ended whose workflow is gone; false if nobody knows the question. */
async function settleGone(suspensionId: string, known: Followed): Promise<boolean> {
  const { space = DEFAULT_SPACE } = known;
  const end = await settleLost.executeWithOptions(
    { summary: 'end a question whose workflow is gone' },
    space === DEFAULT_SPACE ? [suspensionId] : [suspensionId, space],
  );
  if (end === null) return false;
  const { record, attempt } = end;
  if (isSettled(record)) known.settled ??= { record, attempt };
  else known.own = false;
  return true;
}

/** The result of a question that this run asked takes the place of its report. */
function learnEnd(
  asked: SuspensionRecord,
  { rows: _rows, sender_writes: _left, attempt, ...settlement }: SuspensionResult,
): void {
  const known = recall(asked.id);
  if (known) known.settled ??= { record: { ...asked, ...settlement }, attempt };
}

/** The workflow of a question that this run asked has failed, so it may not have reported. */
async function learnLoss(record: SuspensionRecord): Promise<void> {
  const known = follow(record.id);
  if (known.settled) return;
  await CancellationScope.nonCancellable(async () => {
    if (!(await settleGone(record.id, known))) known.settled ??= lostInput(record);
    // It was reset, and tells nobody by its result.
    else if (!known.settled) await attach(record.id, known);
  });
}

/** Withdraws a question; returns whether its suspension was still there. */
function withdraw(
  suspensionId: string,
  reason: string | undefined,
  space = spaceOf(suspensionId),
): Promise<boolean> {
  const cancel = {
    cancelled_by: workflowInfo().workflowId,
    settled_by: 'agent',
    ...defined({ reason }),
  } as const;
  return trySignal(workflowIdOf('suspension', suspensionId, space), withdrawSignal, cancel);
}

async function runHooks({ record, attempt }: SettledInput, calls: HookCalls): Promise<void> {
  if (record.resolution === 'responded') calls.received(record, attempt);
  if (record.resolution === 'expired') calls.expired(record, attempt);
  await calls.finished();
}

function valueOf(settled: SettledInput): JsonValue {
  const { record } = settled;
  if (record.resolution === 'responded') return record.response ?? null;
  if (fallbackCounts(record)) return record.fallback_value ?? null;
  throw endWithoutAnswer(settled);
}
