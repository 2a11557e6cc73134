import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ApprovalView, RedemptionView } from '../../contracts/approval/approval.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import type { IntentStatus } from '../../contracts/intent/intent.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { StoredSnapshot } from '../../contracts/approval/snapshot.js';
import { takeSnapshot } from '../../domain/approval/asking/snapshot.js';
import { sealTimelineEntry } from '../../domain/log/seal.js';
import { writeRows } from '../../store/journal-writer.js';
import { recordDelivery, recordTry } from '../../store/queries/work/deliveries.js';
import { eraseClosedIntent } from '../../store/queries/erasure/erasure.js';
import { setAside } from '../../store/queries/work/quarantine.js';
import { appendToRun, saveSnapshot } from '../../store/queries/run-log.js';
import type { Store } from '../../store/schema.js';
import { partWith } from '../domain/approval/wires.js';
import { granted } from '../domain/samples.js';
import { logOfNotes } from '../support/events.js';
import { aRecord, anIntent, instant, openedRow, settledRow } from './rows.js';

/** The rows of an intent with a log, as its workflow hands them over. */
export function lived(length = 3, status: IntentStatus = 'completed', changes: object = {}) {
  const log = logOfNotes(length);
  const id = log[0]?.intent_id ?? assert.fail();
  const head_hash = log.at(-1)?.event_hash ?? null;
  const intent = anIntent({ id, status, updated_at: instant(length), ...changes });
  const events = log.map((event) => ({ kind: 'event', event }) as const);
  return {
    id,
    log,
    rows: [...events, { kind: 'intent', intent, last_sequence: length, head_hash } as const],
  };
}

/** The rows of a question; one that is settled has a timeline of its own. */
export function asked(intentId: string | null, state: 'settled' | 'pending' = 'settled') {
  const record = aRecord();
  const { id } = record;
  const opened = { ...openedRow(intentId ?? '', record), intent_id: intentId } as JournalRow;
  const entry = { sequence: 1, at: instant(1), kind: 'delivered', detail: {} } as const;
  const seal = sealTimelineEntry(id, entry, null, 'salt');
  const rows: JournalRow[] = [opened, { kind: 'timeline', suspension_id: id, entry, seal }];
  return { id, rows: state === 'settled' ? [...rows, settledRow(id, 1)] : rows };
}

/** Fields of an approval that a test may set. */
interface ApprovalFields {
  readonly intent_id?: string | null;
  readonly run_id?: string;
  readonly status?: ApprovalView['status'];
  /** When it was decided; an approval without it waits. */
  readonly resolved_at?: string | null;
  readonly redemption?: RedemptionView;
}

/** An approval with the question that asks for it, as their workflows hand over the rows. */
export function approvalOf({
  intent_id = null,
  run_id = `run ${randomUUID()}`,
  status = 'approved',
  resolved_at = instant(9),
  redemption,
}: ApprovalFields = {}) {
  const approval_id = randomUUID();
  const approval = partWith({ approval_id, run_id });
  const { proposal, proposal_hash } = approval;
  const question = aRecord({ approval });
  const view: ApprovalView = {
    approval_id,
    status: resolved_at === null ? 'pending' : status,
    proposal,
    proposal_hash,
    proposed_hash: proposal_hash,
    intent_id,
    asked_by: 'agent-1',
    created_at: instant(0),
    suspension_id: question.id,
    stage: 0,
    tier: 0,
    ...(status !== 'pending' &&
      resolved_at !== null && {
        resolution: { status, by: 'people', approvers: [], resolved_at, proposal_hash },
      }),
    ...(redemption && { redemption }),
  };
  const opened = { ...openedRow('', question), intent_id: null } as JournalRow;
  const rows: JournalRow[] = [
    { kind: 'approval', approval: view, proposed: proposal, revision: 1 },
    opened,
    settledRow(question.id, 1),
  ];
  const note = (name: string, at: string): ApprovalNote => ({
    key: `approval:${approval_id}:${name}`,
    run_id,
    intent_id,
    event_type: `approval_${name}`,
    actor: 'bot',
    principal: 'agent-1',
    payload: { approval_id, run_id, proposal: proposal as unknown as JsonObject },
    at,
  });
  return { id: approval_id, run_id, question, view, rows, note };
}

/** What an agent was while it waited for an approval. */
export function snapshotOf({ view }: Pick<ReturnType<typeof approvalOf>, 'view'>): StoredSnapshot {
  const { agent, run_id, turn_index } = view.proposal;
  return granted(
    takeSnapshot({
      agent,
      run_id,
      turn_index,
      event_position: 3,
      proposals: [view.proposal],
      working_memory: { asked: view.proposal.prompt },
    }),
  );
}

/** A closed intent with something in every table that retention knows. */
export async function wholeLife(db: Store) {
  const intent = lived();
  const question = asked(intent.id);
  const approval = approvalOf({ intent_id: intent.id, run_id: `run of ${intent.id}` });
  await writeRows(db, [...intent.rows, ...question.rows, ...approval.rows]);
  await appendToRun(db, approval.note('resolved', instant(9)), 'salt', 'default');
  const delivery_id = `${question.id}:1:0`;
  await recordDelivery(db, {
    delivery_id,
    channel: 'console',
    reference: null,
    delivered_at: instant(1),
  });
  await recordTry(db, {
    delivery_id,
    at: instant(1),
    try_number: 1,
    channel: 'console',
    outcome: 'delivered',
    status_code: null,
    duration_ms: 3,
  });
  await db
    .insertInto('snoozes')
    .values({
      principal: 'alice',
      suspension_id: question.id,
      ends_at: instant(9),
      question_version: 1,
      snoozed_at: instant(1),
    })
    .execute();
  await setAside(db, intent.rows[0] ?? assert.fail(), 'conflict');
  await db
    .insertInto('feed_members')
    .values({ kind: 'agent', audience: 'agent-2', intent_id: intent.id })
    .execute();
  await db
    .insertInto('dependencies')
    .values({ intent_id: intent.id, dependency_id: randomUUID(), revision: 1, present: true })
    .execute();
  await eraseClosedIntent(db, intent.id, { by: 'root', actor: 'root', at: instant(9) });
  await saveSnapshot(db, snapshotOf(approval), instant(1));
  for (const [table, state] of [
    ['plans', 'state'],
    ['tasks', 'status'],
  ] as const) {
    await sql`
      insert into ${sql.table(table)}
        (id, intent_id, ${sql.ref(state)}, revision, created_at, record)
      values (${`${table} of ${intent.id}`}, ${intent.id}, 'completed', 1, now(), '{}')`.execute(
      db,
    );
  }
  await sql`
    insert into coordinators (id, version, intent_id, granted_at, record)
    values (${randomUUID()}, 1, ${intent.id}, now(), '{"status": "completed"}')`.execute(db);
  await sql`
    insert into subscriptions (id, intent_id, created_by, created_at, active, record)
    values (${randomUUID()}, ${intent.id}, 'agent-1', now(), false, '{}')`.execute(db);
  return { ...intent, question, approval };
}
