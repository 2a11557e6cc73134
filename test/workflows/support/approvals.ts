import type { WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { ApprovalPart } from '../../../contracts/approval/approval.js';
import type { ApprovalAsk } from '../../../contracts/approval/requests.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { entityIdOf, workflowIdOf } from '../../../contracts/constants/names.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { openingOf } from '../../../domain/approval/asking/opening.js';
import type { ApprovalInput } from '../../../workflows/approval/messages.js';
import type { approval } from '../../../workflows/approval/workflow.js';
import {
  respondUpdate,
  type OperatorAnswer,
  type RespondReceipt,
} from '../../../workflows/suspension/messages.js';
import { granted } from '../../domain/samples.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { startedChildren } from './children.js';
import type { World } from './world.js';

export type ApprovalHandle = WorkflowHandle<typeof approval>;

/** A question of an approval, as its workflow started with it. */
export interface AskedTier {
  readonly id: string;
  readonly record: SuspensionRecord;
  readonly approval: ApprovalPart;
}

/** Rules of the configuration, as a file would have them. */
export type Rules = Parameters<typeof approvalsConfigSchema.parse>[0];

/** Opens an approval of one wire, judged by rules: one person decides on it without any. */
export async function openApproval(
  world: World,
  rules: Rules = {},
  fields: Partial<ApprovalAsk> = {},
  input: Partial<ApprovalInput> = {},
): Promise<ApprovalHandle> {
  const ask: ApprovalAsk = {
    approval_id: randomUUID(),
    kind: 'tool_approval',
    run_id: `run-${randomUUID()}`,
    turn_index: 0,
    agent: 'bot',
    calls: [{ id: 'call-1', tool: 'wire', arguments: { amount: 500, to: 'ada' } }],
    visible_context: { invoice: 'INV-7' },
    ...fields,
  };
  const opening = granted(openingOf(ask, approvalsConfigSchema.parse(rules)));
  return startWith(world, { ...opening, ...input });
}

/** Starts an approval with what somebody else has prepared. */
export async function startWith(
  world: World,
  input: Pick<ApprovalInput, 'proposal' | 'verdict'> & Partial<ApprovalInput>,
): Promise<ApprovalHandle> {
  const asked_at = new Date(await world.now()).toISOString();
  return world.client.start<typeof approval>('approval', {
    workflowId: workflowIdOf('approval', input.proposal.approval_id),
    taskQueue: world.taskQueue,
    args: [{ asked_by: 'bot-key', asked_at, intent_id: null, log_key: randomUUID(), ...input }],
  });
}

/** The questions that an approval has asked in this run, once there are `count` and their first messages are out. */
export async function tiersOf(
  world: World,
  handle: ApprovalHandle,
  count = 1,
): Promise<readonly AskedTier[]> {
  return lookUntil(async () => {
    const ids = await startedChildren(handle);
    const asked = ids.flatMap((id) => openedIn(world, entityIdOf(id, 'suspension')) ?? []);
    if (asked.length !== count) return undefined;
    for (const { id } of asked) await world.delivered(id);
    return asked;
  }, `not ${count} questions of ${handle.workflowId}`);
}

/** The question that an approval has asked last, once there are `count`. */
export async function tierOf(world: World, handle: ApprovalHandle, count = 1): Promise<AskedTier> {
  const asked = (await tiersOf(world, handle, count)).at(-1);
  if (!asked) throw new Error('no question');
  return asked;
}

function openedIn({ activities }: World, id: string): AskedTier | undefined {
  const row = activities.rows.find(
    (one) => one.kind === 'suspension_opened' && one.record.id === id,
  );
  if (row?.kind !== 'suspension_opened' || !row.record.approval) return undefined;
  return { id, record: row.record, approval: row.record.approval };
}

/** A vote as the API would hand it in. */
export async function voteOf(
  world: World,
  { approval: { proposal_hash } }: Pick<AskedTier, 'approval'>,
  principal: string,
  value: 'approved' | 'rejected' = 'approved',
  fields: Partial<OperatorAnswer> = {},
): Promise<OperatorAnswer> {
  return {
    value,
    responded_by: principal,
    by: caller(principal, 'operator'),
    received_at: new Date(await world.now()).toISOString(),
    answer: { key: randomUUID(), body_hash: `${principal} ${value}` },
    proposal_hash,
    ...fields,
  };
}

/** Votes by Update; rejects where the question refuses. */
export async function vote(
  world: World,
  tier: AskedTier,
  principal: string,
  value: 'approved' | 'rejected' = 'approved',
  fields: Partial<OperatorAnswer> = {},
): Promise<RespondReceipt> {
  const answer = await voteOf(world, tier, principal, value, fields);
  return world.suspension(tier.id).executeUpdate(respondUpdate, { args: [answer] });
}

/** The events of a run in their order. */
export function eventsOf({ activities }: World, run_id: string) {
  return activities.noted.filter((one) => one.run_id === run_id);
}
