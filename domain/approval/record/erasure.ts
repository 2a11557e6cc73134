import type {
  ApprovalResolution,
  ApprovalView,
  Proposal,
} from '../../../contracts/approval/approval.js';
import { ERASED_TEXT, FORGOTTEN_PROPOSAL_HASH } from '../../../contracts/constants/erasure.js';
import type { ApprovalNote } from '../../../contracts/approval/log.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { erasedSuspensionRow } from '../../suspension/record/erasure.js';
import type { ApprovalState } from './state.js';
import { defined } from '../../../contracts/constants/defined.js';

/** Returns an erased proposal: no call, and nothing of what people were shown. */
export function erasedProposal(proposal: Proposal): Proposal {
  return { ...proposal, calls: [], prompt: ERASED_TEXT, visible_context: {} };
}

function erasedResolution(resolution: ApprovalResolution): ApprovalResolution {
  const { status, by, approvers, resolved_at, respondent, code } = resolution;
  return {
    status,
    by,
    approvers: approvers.map(({ comment: _comment, ...approver }) => approver),
    resolved_at,
    proposal_hash: FORGOTTEN_PROPOSAL_HASH,
    ...defined({ respondent, code }),
  };
}

/**
 * Returns an approval after the erasure of its personal data at `at` (ISO-8601): who asked, how it ended, and who
 * decided. A repeated erasure keeps the first instant. The hashes are erased too, because they could confirm guesses.
 */
export function erasedApproval(view: ApprovalView, at: string): ApprovalView {
  const { resolution, redemption, erased_at = at, ...others } = view;
  const { response_schema: _schema, action: _action, ...rest } = others;
  return {
    ...rest,
    proposal: erasedProposal(view.proposal),
    proposal_hash: FORGOTTEN_PROPOSAL_HASH,
    proposed_hash: FORGOTTEN_PROPOSAL_HASH,
    ...(resolution && { resolution: erasedResolution(resolution) }),
    ...(redemption && {
      redemption: { checkpoint: redemption.checkpoint, request_hash: null, calls: [] },
    }),
    erased_at,
  };
}

export function erasedState(
  { proposal, resolution, withdrawn }: ApprovalState,
  at: string,
): ApprovalState {
  return {
    proposal: erasedProposal(proposal),
    proposal_hash: FORGOTTEN_PROPOSAL_HASH,
    proposed_hash: FORGOTTEN_PROPOSAL_HASH,
    rounds: [],
    decided_in: [],
    ...(resolution && { resolution: erasedResolution(resolution) }),
    ...defined({ withdrawn }),
    erased_at: at,
  };
}

/** Returns an erased event, which still names its approval. */
export function erasedNote(note: ApprovalNote): ApprovalNote {
  const { approval_id, run_id } = note.payload;
  return { ...note, payload: { ...defined({ approval_id }), run_id: run_id ?? note.run_id } };
}

/** Returns an erased row that an approval still has to write, of itself or of its questions. */
export function erasedApprovalRow(row: JournalRow, at: string): JournalRow {
  if (row.kind !== 'approval') return erasedSuspensionRow(row, at);
  return {
    ...row,
    approval: erasedApproval(row.approval, at),
    proposed: erasedProposal(row.proposed),
  };
}

/** Refuses `approval_decided` for an erased approval: nobody can read what was approved, so nothing runs. */
export function checkNotErased({
  resolution,
  erased_at,
}: {
  readonly resolution?: ApprovalResolution | undefined;
  readonly erased_at?: string | undefined;
}): Ruling<true> {
  if (erased_at === undefined) return ok(true);
  return refuse('approval_decided', 'What was approved has been erased.', {
    state: { ...(resolution && { status: resolution.status }), erased_at },
  });
}

/**
 * Judges whether the question of an approval may be erased, together with the approval. Refuses `question_open`
 * before the decision, and `question_of_intent` if an intent's log has the approval too.
 */
export function checkApproval(
  approval: { readonly intent_id: string | null; readonly pending: boolean } | undefined,
): Ruling<true> {
  if (approval === undefined) return ok(true);
  if (approval.intent_id !== null) {
    return refuse('question_of_intent', 'The question belongs to the approval of an intent.', {
      field: 'suspension_id',
      accepted: 'a question without an intent; erase its intent',
    });
  }
  if (!approval.pending) return ok(true);
  return refuse('question_open', 'The approval waits for its decision.', {
    field: 'state',
    accepted: 'a question whose approval is decided',
  });
}
