import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { tierDraft } from '../../domain/approval/question.js';
import type { ApprovalStep } from '../../domain/approval/route.js';
import { isStoredUnchanged } from '../../domain/approval/stored-proposal.js';
import type { ApprovalEnd } from '../../domain/approval/state.js';
import { hmacBase64Url } from '../../domain/kernel/hashing.js';
import { UNTIL_DONE, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { newQuestion, openQuestion } from '../suspension/ask.js';
import { withdrawSignal } from '../suspension/messages.js';
import type { ApprovalEntity } from './entity.js';

const { readProposal } = proxyActivities<Pick<Activities, 'readProposal'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'read the proposal again',
});

/** Does what the approval waits for itself: asks the next tier, withdraws its question, or ends. */
export async function goOn(entity: ApprovalEntity): Promise<void> {
  const { untold, withdrawal, state } = entity;
  if (untold !== undefined) return withdrawQuestion(entity, untold);
  if (state.end) return conclude(entity, state.end);
  const { step } = entity;
  if (step.kind === 'end') {
    const status = step.verdict === 'approved' ? 'approved' : 'rejected';
    return conclude(entity, { status, by: step.by });
  }
  if (withdrawal) {
    const { reason } = withdrawal;
    const why = reason === undefined ? {} : { reason };
    entity.resolve({ status: 'cancelled', by: 'requester', ...why });
    return;
  }
  return ask(entity, step);
}

/** Opens the question to a tier: a suspension like any other, whose subject is the approval. */
async function ask(
  entity: ApprovalEntity,
  step: Extract<ApprovalStep, { kind: 'ask' }>,
): Promise<void> {
  const { input, state } = entity;
  const { asked_by, asked_as, log_key, proposal } = input;
  const { warnings } = step.ask;
  const question = newQuestion(
    tierDraft(state, step, input),
    {
      intent_id: null,
      subject_workflow_id: peerIdOf('approval', proposal.approval_id),
      asked_by,
      ...(asked_as !== undefined && { asked_as }),
      ...(warnings && { findings: { warnings } }),
    },
    entity.at,
  );
  const { id } = question.record;
  const key = log_key === undefined ? {} : { log_key: hmacBase64Url(log_key, `log of ${id}`) };
  entity.asked(id, step, entity.at);
  const opened = await openQuestion({ ...question, ...key }, { lastRows: 'subject_writes' });
  entity.watch.follow(opened);
  entity.desk.running = id;
}

async function withdrawQuestion(entity: ApprovalEntity, suspensionId: string): Promise<void> {
  const { withdrawal, input } = entity;
  const { principal = input.asked_by, reason } = withdrawal ?? {};
  entity.tell(suspensionId);
  const cancel = {
    intent_id: null,
    cancelled_by: principal,
    settled_by: principal === input.asked_by ? ('agent' as const) : ('admin' as const),
    ...(reason !== undefined && { reason }),
  };
  const taken = await trySignal(peerIdOf('suspension', suspensionId), withdrawSignal, cancel);
  if (!taken) entity.watch.miss(suspensionId);
}

/**
 * Ends the approval. What people have decided on is what was proposed only if the store still has it so, in
 * the approval and in the questions: the proposal is read and hashed again before anything follows from the decision (A54-19, A54-20, A54-24).
 */
async function conclude(entity: ApprovalEntity, end: ApprovalEnd): Promise<void> {
  if (end.status === 'cancelled' || (await isUnchanged(entity))) entity.resolve(end);
  else entity.mutated();
}

async function isUnchanged(entity: ApprovalEntity): Promise<boolean> {
  const { state, journal } = entity;
  await journal.drained();
  const { proposal, decided_in } = state;
  const { approval_id } = proposal;
  const questions = decided_in?.map(({ suspension_id }) => suspension_id);
  const stored = await (questions
    ? readProposal(approval_id, questions)
    : readProposal(approval_id));
  return stored !== null && isStoredUnchanged(state, stored);
}
