import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { exactJson } from '../../contracts/constants/exact-json.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { failureOf } from '../engine/handlers.js';
import {
  CancellationScope,
  condition,
  isCancellation,
  log,
  proxyActivities,
  workflowInfo,
  type ChildWorkflowOptions,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import { TASK_QUEUE, workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { fallbackCounts } from '../../contracts/constants/fallback.js';
import { isSettled } from '../../domain/suspension/record/state.js';
import { trySignal } from '../engine/sender.js';
import { BY_HOLDPOINT, refusalOrResult } from './by-holdpoint.js';
import { WRITERS, writersForAgent } from '../engine/row-duty.js';
import { newQuestion, openQuestion } from '../suspension/open-question.js';
import { attachSignal, withdrawSignal, type SuspensionResult } from '../suspension/messages.js';
import { pausesBetweenLooks } from '../suspension/watch.js';
import { endWithoutAnswer } from './errors.js';
import {
  HookCalls,
  type InSpace,
  type InputHooks,
  type InputOptions,
  type PauseOptions,
} from './hooks.js';
import {
  follow,
  forget,
  lostInput,
  recall,
  spaceOf,
  type Followed,
  type SettledInput,
} from './inbox.js';

const HOOKS: readonly string[] = [
  'onInputRequested',
  'onInputReceived',
  'onSuspensionExpired',
] satisfies (keyof InputHooks)[];

/** The options as JSON, as HTTP would send them; undefined if they are no object of JSON values. */
function asJson(options: unknown): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(exactJson(options));
    return isObject(json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Separates the question, which an activity checks, from the hooks and the space. Throws `invalid_request` for what
 * is not JSON, and `body_too_large` as HTTP does, because Temporal would otherwise end the workflow.
 */
export function splitOptions(options: InputOptions | PauseOptions): {
  question: JsonObject;
  hooks: InputHooks;
  space: string;
} {
  const json = asJson(options);
  if (json === undefined) {
    const detail = 'The options are not an object of JSON values.';
    throw failureOf({ code: 'invalid_request', detail, accepted: 'an object' });
  }
  const { hooks = {}, space = DEFAULT_SPACE, ...question } = json;
  checkHooks(hooks);
  checkSpace(space);
  if (jsonBytes(question) > LIMITS.bodyBytes) {
    const detail = 'The options are too large.';
    const accepted = `at most ${LIMITS.bodyBytes} bytes of JSON`;
    throw failureOf({ code: 'body_too_large', detail, accepted });
  }
  return { question, hooks, space };
}

/** Throws `invalid_request` for invalid hooks of an agent. */
function checkHooks(hooks: unknown): asserts hooks is InputHooks {
  const entries = isObject(hooks) ? Object.entries(hooks) : [['', undefined] as const];
  for (const [name, activity] of entries) {
    if (HOOKS.includes(name) && isName(activity)) continue;
    throw failureOf({
      code: 'invalid_request',
      detail: 'A hook is not the name of an activity.',
      field: name === '' ? 'hooks' : `hooks.${name}`,
      accepted: `the name of an activity, up to ${LIMITS.nameCharacters} characters, for one of: ${HOOKS.join(', ')}`,
    });
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= LIMITS.nameCharacters;
}

/** Throws `invalid_request` for an invalid name of a space. */
export function checkSpace(space: unknown): asserts space is string {
  if (isName(space)) return;
  throw failureOf({
    code: 'invalid_request',
    detail: 'The space is not accepted.',
    field: 'space',
    accepted: `the name of a space, up to ${LIMITS.nameCharacters} characters`,
  });
}

/** Throws `suspension_not_found` for an impossible id: a Signal with a longer address fails its task for good. */
function checkId(suspensionId: unknown): asserts suspensionId is string {
  if (isName(suspensionId)) return;
  throw failureOf({ code: 'suspension_not_found', detail: 'No suspension has this id.' });
}

/** Throws `invalid_request` for a reason that HTTP would refuse too. */
function checkReason(reason: unknown): asserts reason is string | undefined {
  const most = LIMITS.questionCharacters;
  if (reason === undefined || (typeof reason === 'string' && reason.length <= most)) return;
  throw failureOf({
    code: 'invalid_request',
    detail: 'The reason is not accepted.',
    field: 'reason',
    accepted: `a text of at most ${most} characters`,
  });
}

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
 * Asks a question and returns its suspension's id once it is durable, without waiting for the answer. `awaitInput`
 * waits for it, in this run or one that continues it. The platform's retry policy applies as over HTTP. Throws a
 * non-retryable ApplicationFailure whose `type` is an error code (`invalid_request`, `invalid_choices`,
 * `invalid_retry_policy`, `invalid_signals`, `body_too_large`, `question_too_large`) and whose first detail is the
 * refusal.
 */
export async function openInput(options: InputOptions | PauseOptions): Promise<string> {
  return openInputAs(options);
}

/** How a question begins that ends with its workflow, or is found again. */
interface OpeningAs extends Pick<
  ChildWorkflowOptions,
  'parentClosePolicy' | 'workflowIdReusePolicy'
> {
  /** Its id; by default a new one. */
  readonly id?: string;
  /** Who asks; by default who the options say, else this workflow. */
  readonly asked_by?: string;
}

/** Opens a question as `openInput` does. Throws WorkflowExecutionAlreadyStartedError if its id is taken. */
export async function openInputAs(
  options: InputOptions | PauseOptions,
  { id, asked_by, ...policies }: OpeningAs = {},
): Promise<string> {
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
      asked_by: asked_by ?? options.asked_by ?? workflowId,
      report_attempts: hooks.onInputRequested !== undefined,
      ...defined({ findings }),
    };
    const asked = newQuestion(draft, asker, asked_at, id);
    const input = { ...asked, writers: writersForAgent(asked) };
    const { record } = input;
    const calls = new HookCalls(hooks);
    Object.assign(follow(record.id), { own: true, calls, space });
    const { child } = await openQuestion(input, { taskQueue: TASK_QUEUE, space, ...policies });
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
 * A cancelled agent withdraws its question and waits until that is settled. An answer that arrived first is returned
 * although the agent is cancelled; otherwise the cancellation continues.
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
 * Calls the hooks for reminders until the question is settled. This run is not informed if the workflow of an earlier
 * run's question is gone, so it checks from time to time.
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

/** Requests the report again: an earlier run may have received and lost it. */
async function attach(suspensionId: string, known: Followed): Promise<void> {
  const { space } = known;
  const alive = await trySignal(workflowIdOf('suspension', suspensionId, space), attachSignal);
  if (alive || (await settleGone(suspensionId, known))) return;
  throw failureOf({ code: 'suspension_not_found', detail: 'No suspension has this id.' });
}

/** Stores the end of a question whose workflow is gone; false if nobody knows the question. */
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

/** For a question that this run asked, the workflow's result replaces its report. */
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
    // The workflow was reset, so its result reaches nobody.
    else if (!known.settled) await attach(record.id, known);
  });
}

/** Withdraws a question; returns whether its suspension still existed. */
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
