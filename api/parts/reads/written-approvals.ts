import { entityIdOf, typeOfWorkflow } from '../../../contracts/constants/names.js';
import { approvalsNotShown } from '../../../store/queries/approval.js';
import type { WantedApproval } from '../../../store/queries/approval.js';
import type { Clock } from '../calls/deadline.js';
import type { FromStore, WarningLog } from './from-store.js';
import { ReadYourWrites } from './read-your-writes.js';
import type { SpaceMemory } from './write-memory.js';
import { isEntityId } from '../refusals.js';

interface Deps {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<WantedApproval>;
}

/** The approvals that this replica opened, decided or withdrew, for lists of them. */
export type WrittenApprovals = ReturnType<typeof createWrittenApprovals>;

export function createWrittenApprovals(deps: Deps, fromStore: FromStore) {
  return new ReadYourWrites(deps, {
    missing: (wanted) => fromStore(approvalsNotShown, wanted),
  });
}

/** The id of the approval that a workflow is, by the id of the workflow; undefined for any other. */
export function approvalIn(workflowId: string): string | undefined {
  if (typeOfWorkflow(workflowId) !== 'approval') return undefined;
  const id = entityIdOf(workflowId, 'approval');
  // Agents name their own workflows as they like.
  return isEntityId(id) ? id : undefined;
}
