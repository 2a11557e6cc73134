import type { ApprovalPart, EditedCall } from '../../../contracts/approval/approval.js';
import { APPROVAL_DECISIONS } from '../../../contracts/constants/approvals.js';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import {
  recordQuery,
  type OperatorAnswer,
  type SuspensionInput,
} from '../../../workflows/suspension/messages.js';
import { partWith } from '../../domain/approval/wires.js';
import { caller } from '../../support/callers.js';
import { openDelivered, type Opened } from './suspensions.js';
import type { World } from './world.js';

/** What an edited wire says, and that the rules allow it. */
export const LESS: EditedCall = { call_id: 'call-1', arguments: { amount: 100, to: 'DE1' } };
export const ALLOWED = { risk_class: 'medium' } as const;

/** Asks `quorum` people for an approval, within an hour. */
export async function openApproval(
  world: World,
  quorum: number,
  part: Partial<ApprovalPart> = {},
  body: Partial<SuspendBody> = {},
  input: Partial<SuspensionInput> = {},
): Promise<Opened> {
  const asked = {
    choices: APPROVAL_DECISIONS.map((value) => ({ value, label: value })),
    decision_rule: { quorum, denials: ['rejected'], excluded: ['bot', 'ursula'] },
    timeout_seconds: 3_600,
    approval: { ...partWith(), ...part },
    ...body,
  };
  return openDelivered(world, asked, input);
}

/** The hash that the question asks about now. */
export async function hashNow({ handle }: Opened): Promise<string> {
  const { record } = await handle.query(recordQuery);
  return record.approval?.proposal_hash ?? '';
}

/** A vote under a key of its own, for what was asked about first unless it says otherwise. */
export async function voteBy(
  world: World,
  { view }: Opened,
  principal: string,
  value: string,
  fields: Partial<OperatorAnswer> = {},
): Promise<OperatorAnswer> {
  const proposal_hash = fields.proposal_hash ?? view.record.approval?.proposal_hash ?? '';
  const key = `r:${principal} ${value} ${proposal_hash}`;
  const answer = await world.answer(view, value, key);
  const by = caller(principal, 'operator');
  return { ...answer, responded_by: principal, by, proposal_hash, ...fields };
}

/** An approval with other arguments, which the rules allow. */
export function editBy(
  world: World,
  opened: Opened,
  principal: string,
  fields: Partial<OperatorAnswer> = {},
): Promise<OperatorAnswer> {
  const edits = { edits: [LESS], edits_allowed: ALLOWED, ...fields };
  return voteBy(world, opened, principal, 'approved', edits);
}
