import { workflowIdOf } from '../../../contracts/constants/names.js';
import { touchDecided } from '../approval/written.js';
import type { WrittenApprovals } from '../approval/written.js';
import type { Temporal } from '../calls/temporal.js';
import type { IntentRows } from '../intent/left-rows.js';
import type { Consistency } from '../reads/consistency.js';
import type { Settlements } from './inbox.js';
import type { QuestionRows } from './question-rows.js';

export interface SettlingDeps {
  readonly temporal: Pick<Temporal, 'told'>;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly settlements: Pick<Settlements, 'touch'>;
  readonly writtenApprovals: Pick<WrittenApprovals, 'touch'>;
  readonly questionRows: Pick<QuestionRows, 'writeLast'>;
  readonly intentRows: Pick<IntentRows, 'collect' | 'collectDue'>;
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
