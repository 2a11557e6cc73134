import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  isGrpcServiceError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AccessEntry } from '../../../contracts/intent/access.js';
import type { Caller, Sent } from '../../../contracts/people/caller.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { IntentStatus, Lease, StatePatch } from '../../../contracts/intent/intent.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { AccessChange } from '../../../domain/policy/access-list.js';
import type { CarriedIntent } from '../../../workflows/intent/entity.js';
import { positionQuery } from '../../../workflows/engine/messages.js';
import {
  accessUpdate,
  intentQuery,
  leasesQuery,
  patchStateUpdate,
  planEventSignal,
  setStatusUpdate,
  type IntentSnapshot,
  type IntentWritten,
} from '../../../workflows/intent/messages.js';
import type { World } from './world.js';
import { lookUntil } from '../../support/looks.js';
import { caller, sent } from '../../support/callers.js';

type History = Awaited<ReturnType<IntentHandle['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];

/** What a run hands over that has done nothing yet. */
export const NOTHING_CARRIED: CarriedIntent = {
  leases: [],
  last_sequence: 0,
  head_hash: null,
  request_keys: [],
  unwritten: [],
  observers: { informed: [], owed: [] },
  dependencies: {
    upstream: { known: [], waits: false },
    held_upstream: false,
    holds: 0,
    edge_revision: 0,
    wishes: [],
  },
};

export type IntentHandle = Awaited<ReturnType<World['openIntent']>>;

/** Who makes a write, and how. */
interface Fields extends Partial<Sent> {
  readonly if_match?: number;
  readonly reason?: string;
}

/** Writes a status under the version the intent has now, or the one given. */
export async function writeStatus(
  handle: IntentHandle,
  status: IntentStatus,
  { actor = 'agent-1', by = caller(actor), ...fields }: Fields = {},
): Promise<IntentWritten> {
  const if_match = fields.if_match ?? (await versionOf(handle));
  const input = { ...fields, by, actor, status, if_match };
  return handle.executeUpdate(setStatusUpdate, { args: [input] });
}

/** An access list that lets nobody in but the owner. */
export const CLOSED = { set: { default_policy: 'closed', entries: [] } } as const;

/** An entry of an access list, which does not expire. */
export function accessEntry(
  principal_id: string,
  permission: AccessEntry['permission'],
  fields: Partial<AccessEntry> = {},
): AccessEntry {
  const granted = { granted_by: 'agent-1', granted_at: '2026-01-01T00:00:00.000Z' };
  const rest = { principal_type: 'agent', expires_at: null, reason: null };
  return { id: randomUUID(), principal_id, permission, ...granted, ...rest, ...fields };
}

/** Changes the access list of an intent, as its owner unless told otherwise. */
export function changeAccess(
  handle: IntentHandle,
  change: AccessChange,
  by: Caller = caller('agent-1'),
): Promise<IntentWritten> {
  return handle.executeUpdate(accessUpdate, { args: [{ by, actor: by.principal, change }] });
}

/** Patches the state under the version the intent has now, or the one given. */
export async function patch(
  handle: IntentHandle,
  patches: readonly StatePatch[],
  ifMatch?: number,
): Promise<IntentWritten> {
  const if_match = ifMatch ?? (await versionOf(handle));
  const input = { ...sent('agent-1'), patches, if_match };
  return handle.executeUpdate(patchStateUpdate, { args: [input] });
}

/** Tells an intent of something that happened to a plan of it. */
export function tellOfPlan(handle: IntentHandle): Promise<void> {
  const by = { actor: 'agent-1', principal: 'agent-1' };
  return handle.signal(planEventSignal, { event_type: 'plan.created', ...by, payload: {} });
}

export async function versionOf(handle: IntentHandle): Promise<number> {
  return (await handle.query(positionQuery)).version;
}

/** Why an Update was refused; fails where it was not. */
export async function refusalOf(update: Promise<unknown>): Promise<Refusal> {
  const error = await update.then(
    () => new Error('it was granted'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WorkflowUpdateFailedError, String(error));
  assert.ok(error.cause instanceof ApplicationFailure, String(error.cause));
  const refusal = error.cause.details?.[0] as Refusal | undefined;
  assert.ok(refusal, String(error.cause));
  assert.equal(error.cause.type, refusal.code);
  return refusal;
}

/** The intent's whole log as the store has it, once it has come as far as the workflow. */
export async function logOf(world: World, handle: IntentHandle): Promise<IntentEvent[]> {
  const { intent, last_sequence } = await snapshotOf(handle);
  return lookUntil(async () => {
    const events = world.activities.eventsOf(intent.id);
    return events.length >= last_sequence && events;
  }, 'the store does not catch up');
}

/** The intent and its leases as they are read */
export async function snapshotOf(handle: IntentHandle): Promise<IntentSnapshot> {
  return handle.query(intentQuery);
}

export async function leasesOf(handle: IntentHandle): Promise<readonly Lease[]> {
  return handle.query(leasesQuery);
}

/** Waits until the intent has taken in how its questions ended, as far as they have ended. */
export async function heard(handle: Pick<IntentHandle, 'client' | 'fetchHistory'>): Promise<void> {
  await lookUntil(async () => {
    const { events } = await handle.fetchHistory();
    const count = (key: keyof HistoryEvent) => (events ?? []).filter((event) => event[key]).length;
    const asked = count('startChildWorkflowExecutionInitiatedEventAttributes');
    return count('childWorkflowExecutionCompletedEventAttributes') === asked;
  }, 'the intent does not hear of its questions');
}

export function typesOf(events: readonly IntentEvent[]): string[] {
  return events.map(({ event_type }) => event_type);
}

/** Event types of the intent's log, without the creation. */
export async function storyOf(world: World, handle: IntentHandle): Promise<string[]> {
  return typesOf(await logOf(world, handle)).slice(1);
}

/** All that a refused request must leave alone: record, leases, log, and the events of the history. */
export async function everythingOf(world: World, handle: IntentHandle): Promise<unknown> {
  const log = await logOf(world, handle);
  const snapshot = await snapshotOf(handle);
  const leases = await leasesOf(handle);
  return { log, snapshot, leases, history: (await historyOf(handle)).length };
}

/** The history without workflow tasks, which this server writes for refused Updates too. */
export async function historyOf(handle: IntentHandle) {
  const { events = [] } = await handle.fetchHistory();
  return (events ?? []).filter((event) => !isTask(event));
}

function isTask(event: object): boolean {
  return Object.keys(event).some((key) => key.startsWith('workflowTask') && hasValue(event, key));
}

function hasValue(event: object, key: string): boolean {
  return Boolean((event as Record<string, unknown>)[key]);
}

/** gRPC codes of an Update that a closing run cut off: CANCELLED, FAILED_PRECONDITION, ABORTED. */
const CUT_OFF = new Set([1, 9, 10]);

/** Milliseconds for which an Update is sent that meets a run handing over. */
const MOST_TIME = 120_000;

/** Sends an Update again while the run it meets is handing over, as the API does. */
export async function insist<T>(send: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const isOver = performance.now() - began > MOST_TIME;
      if (isOver || !(isPassing(error) || isBetweenRuns(error))) throw error;
    }
  }
}

/** The time-skipping server closes a run before it has the next one; a real server does both at once. */
function isBetweenRuns(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError && error.message === 'Completed workflow';
}

/** Whether an Update may be sent again as it is. */
export function isPassing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof WorkflowUpdateFailedError) {
    return cause instanceof ApplicationFailure && cause.type === 'moving';
  }
  return [error, cause].some((each) => isGrpcServiceError(each) && CUT_OFF.has(each.code));
}
