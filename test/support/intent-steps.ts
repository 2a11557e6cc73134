import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { IntentEvent } from '../../contracts/event.js';
import type { IntentStatus, StatePatch } from '../../contracts/intent.js';
import type { Refusal } from '../../contracts/refusal.js';
import {
  leasesQuery,
  patchStateUpdate,
  positionQuery,
  setStatusUpdate,
  type IntentWritten,
} from '../../workflows/intent/messages.js';
import type { World } from './world.js';

export type IntentHandle = Awaited<ReturnType<World['openIntent']>>;

/** Queries it takes at most until the store has caught up. */
const CATCH_UP_QUERIES = 2_000;

/** Writes a status under the version the intent has now, or the one given. */
export async function writeStatus(
  handle: IntentHandle,
  status: IntentStatus,
  fields: { if_match?: number; actor?: string; reason?: string } = {},
): Promise<IntentWritten> {
  const if_match = fields.if_match ?? (await versionOf(handle));
  const input = { actor: 'agent-1', ...fields, status, if_match };
  return handle.executeUpdate(setStatusUpdate, { args: [input] });
}

/** Patches the state under the version the intent has now, or the one given. */
export async function patch(
  handle: IntentHandle,
  patches: readonly StatePatch[],
  ifMatch?: number,
): Promise<IntentWritten> {
  const if_match = ifMatch ?? (await versionOf(handle));
  const input = { actor: 'agent-1', patches, if_match };
  return handle.executeUpdate(patchStateUpdate, { args: [input] });
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
  const { id } = (await world.snapshot(handle)).intent;
  for (let query = 0; query < CATCH_UP_QUERIES; query += 1) {
    const { last_sequence } = await handle.query(positionQuery);
    const events = world.activities.eventsOf(id);
    if (events.length >= last_sequence) return events;
  }
  return assert.fail('the store does not catch up');
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
  const snapshot = await world.snapshot(handle);
  const leases = await handle.query(leasesQuery);
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
