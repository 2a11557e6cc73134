import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { AskedApproval } from '../../../domain/approval/deciding/meant-question.js';
import {
  standingUpdate,
  type Standing,
  type StandingInput,
} from '../../../workflows/approval/messages.js';
import { refusalOf } from '../../errors.js';
import type { Outcome } from '../../parts/calls/call.js';
import type { Parts } from '../../parts/index.js';
import { writeUnavailable } from '../../parts/refusals.js';

/**
 * Returns an approval once people can answer it or nobody has to, and all that `until` names has happened. Throws
 * `approval_not_found`, and `workflow_unavailable` after 10 s.
 */
export async function standingOf(
  parts: Parts,
  id: string,
  until: StandingInput = {},
): Promise<AskedApproval> {
  const workflowId = workflowIdOf('approval', id);
  // It has an id of its own, because it changes nothing: the key of a request is for its writes.
  const ask = () =>
    parts.temporal.update(workflowId, standingUpdate, until, { updateId: randomUUID() });
  let asked = await ask();
  // The next run has to be asked too.
  if (asked.kind === 'done' && asked.value.moved) asked = await ask();
  return approvalOf(parts, id, asked);
}

/** Returns the approval of a `standing` Update; one that has ended is read. */
export async function approvalOf(
  { readApproval }: Parts,
  id: string,
  asked: Outcome<Standing>,
): Promise<AskedApproval> {
  if (asked.kind === 'done') return asked.value.approval;
  if (asked.kind === 'no_answer') throw writeUnavailable();
  return (await readApproval(id)).value;
}

/**
 * Returns an approval after a write that counts in any case. Undefined if it does not reply within 10 s, without a
 * worker or under load: the change follows later.
 */
export async function standingAfter(
  parts: Parts,
  id: string,
  until: StandingInput,
): Promise<AskedApproval | undefined> {
  try {
    return await standingOf(parts, id, until);
  } catch (error) {
    if (refusalOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns the same, else the approval as it is read. Throws what `readApproval` throws. */
export async function standingOrRead(
  parts: Parts,
  id: string,
  until: StandingInput,
): Promise<AskedApproval> {
  return (await standingAfter(parts, id, until)) ?? (await parts.readApproval(id)).value;
}
