import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { RespondRequest } from '../../../contracts/suspension-requests.js';
import { touchDecided } from '../approval/written.js';
import type { WrittenApprovals } from '../approval/written.js';
import { refusalOf } from '../../errors.js';
import type { Temporal } from '../calls/temporal.js';
import type { IntentRows } from '../intent/left-rows.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/consistency.js';
import type { Settlements } from './inbox.js';
import type { QuestionRows } from './question-rows.js';

interface CountingDeps extends Pick<SettlingDeps, 'consistency' | 'writtenApprovals'> {
  readonly reads: Pick<Reads, 'getSuspension'>;
}

export interface SettlingDeps {
  readonly temporal: Pick<Temporal, 'told'>;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly settlements: Pick<Settlements, 'touch'>;
  readonly writtenApprovals: Pick<WrittenApprovals, 'touch'>;
  readonly questionRows: Pick<QuestionRows, 'writeLast'>;
  readonly intentRows: Pick<IntentRows, 'collect' | 'collectDue'>;
}

/**
 * What follows an answer that counts while others still have to agree: lists of approvals show the version that it has edited.
 */
export async function afterCounting(
  { consistency, reads, writtenApprovals }: CountingDeps,
  intentId: string | null,
  { suspension_id, edits = [] }: Pick<RespondRequest, 'suspension_id' | 'edits'>,
): Promise<void> {
  if (intentId !== null) consistency.touch(intentId);
  if (edits.length === 0) return;
  try {
    const { approval } = (await reads.getSuspension(suspension_id)).value.record;
    const { approval_id, version } = approval?.proposal ?? {};
    if (approval_id === undefined || version === undefined) return;
    writtenApprovals.touch(approval_id, { version });
  } catch (error) {
    // The answer counts all the same.
    if (refusalOf(error) === undefined) throw error;
  }
}

/**
 * What comes between an Update that has settled a question and its reply, so that reads after the reply know the
 * outcome: whoever waits for it is told, and what nobody else writes is in the store. Both have their limits in time. What
 * follows for an intent is written after the reply.
 */
export async function afterSettling(
  { temporal, consistency, settlements, writtenApprovals, questionRows, intentRows }: SettlingDeps,
  suspensionId: string,
  { intent_id, awaited_by }: { readonly intent_id: string | null; readonly awaited_by?: string },
): Promise<void> {
  if (intent_id !== null) consistency.touch(intent_id);
  settlements.touch(suspensionId, 'settled');
  const workflowId = workflowIdOf('suspension', suspensionId);
  if (awaited_by !== undefined) {
    touchDecided(writtenApprovals, suspensionId, awaited_by);
    await temporal.told(awaited_by, workflowId);
  }
  // A plan writes the rows with its own.
  if (intent_id === null && awaited_by === undefined) await questionRows.writeLast(suspensionId);
  if (intent_id !== null && awaited_by !== undefined) intentRows.collectDue(intent_id);
}
