import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
  type Client,
  type WorkflowClient,
} from '@temporalio/client';
import { ApplicationFailure, type SignalDefinition } from '@temporalio/common';
import { SERVER } from '../contracts/constants/callers.js';
import type { IntentNote } from '../contracts/intent/intent.js';
import { isStoreAway } from '../store/failures.js';
import { appendEventUpdate } from '../workflows/intent/messages.js';

/**
 * The time limit of a call, in milliseconds: longer than a running server and worker need, and shorter than the
 * calling activities.
 */
const CALL_MS = 10_000;

/** Makes calls to Temporal, all within 10 s, so that a silent server does not hold an activity for ever. */
export function inTime<T>(
  workflow: Pick<WorkflowClient, 'withDeadline'>,
  call: () => Promise<T>,
): Promise<T> {
  return workflow.withDeadline(Date.now() + CALL_MS, call);
}

/** gRPC status codes of a call that no worker takes: CANCELLED and DEADLINE_EXCEEDED, and FAILED_PRECONDITION for "no poller". */
export const NO_WORKER = [1, 4, 9];

/** A workflow did not answer in time: no worker takes its calls, or it has too many. Other workflows may answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Asks a workflow, within the same time.
 * @throws NoAnswer if no worker answers
 */
export async function asked<T>(
  workflow: Pick<WorkflowClient, 'withDeadline'>,
  query: () => Promise<T>,
): Promise<T> {
  try {
    return await inTime(workflow, query);
  } catch (error) {
    if (hasCode(error, NO_WORKER)) throw new NoAnswer('no worker answers for the workflow');
    throw error;
  }
}

/** Yields the entries of a list. Each step has the time of a call, because the list reads pages on demand. */
export async function* eachInTime<T>(
  workflow: Pick<WorkflowClient, 'withDeadline'>,
  list: AsyncIterable<T>,
): AsyncIterable<T> {
  const steps = list[Symbol.asyncIterator]();
  for (;;) {
    const step = await inTime(workflow, () => steps.next());
    if (step.done === true) return;
    yield step.value;
  }
}

/** Signals a workflow; returns false if it is closed or missing. */
export async function signalIfOpen<A extends unknown[]>(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
  definition: SignalDefinition<A>,
  ...args: A
): Promise<boolean> {
  try {
    await inTime(workflow, () => workflow.getHandle(workflowId).signal(definition, ...args));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Appends an event to the log of an intent, once under its key; returns false if the intent is closed or refuses it.
 *
 * @throws NoAnswer if no worker takes it in time, or the intent has too many Updates under way
 */
export async function appendEvent(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
  { key, intent_id: _intent, question: _asked, ...draft }: IntentNote,
): Promise<boolean> {
  try {
    const handle = workflow.getHandle(workflowId);
    await inTime(workflow, () =>
      handle.executeUpdate(appendEventUpdate, {
        args: [{ ...draft, by: SERVER, key }],
        updateId: key,
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isRefused(error)) return false;
    const isHeldUp = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError;
    if (isHeldUp || hasCode(error, [...NO_WORKER, RESOURCE_EXHAUSTED])) {
      throw new NoAnswer('the intent takes no Update now');
    }
    throw error;
  }
}

/** Whether the refusal is final: an intent between two runs can be asked again. */
export function isRefused(error: unknown): error is WorkflowUpdateFailedError {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type !== 'moving';
}

/**
 * Whether an error, or its cause, is a gRPC error with one of these codes. Temporal's client keeps the error of a
 * call as the cause.
 */
export function hasCode(error: unknown, codes: readonly number[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => isGrpcServiceError(each) && codes.includes(each.code));
}

/** A server has too many calls; of an Update it may also mean that one workflow has. */
const RESOURCE_EXHAUSTED = 8;

/**
 * These are: DEADLINE_EXCEEDED, without a reply in time, RESOURCE_EXHAUSTED, and UNAVAILABLE, of an unreachable
 * server or one that takes no calls.
 */
const AWAY = [4, RESOURCE_EXHAUSTED, 14];

/**
 * Whether an error means that Temporal or the store is away, or too busy: the same will work later, for all that
 * waits.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return false;
  return hasCode(error, AWAY) || isStoreAway(error);
}
