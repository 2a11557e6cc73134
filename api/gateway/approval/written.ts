import { entityIdOf, typeOfWorkflow } from '../../../contracts/constants/names.js';
import { approvalsNotShown } from '../../../store/queries/approval.js';
import type { WantedApproval } from '../../../store/queries/approval.js';
import type { Clock } from '../calls/deadline.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';
import type { SpaceMemory } from '../reads/write-memory.js';
import { isEntityId } from '../refusals.js';

interface Deps {
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly memory: SpaceMemory<WantedApproval>;
}

/** The approvals that this replica opened, decided or withdrew, for lists of them. */
export type WrittenApprovals = ReturnType<typeof createWrittenApprovals>;

export function createWrittenApprovals(deps: Deps, fromStore: FromStore) {
  return new ReadYourWrites(deps, {
    missing: (wanted) => fromStore(approvalsNotShown, wanted),
  });
}

/**
 * Remembers that a question was decided.
 *
 * @param awaitedBy - the workflow that waits for it, which may be that of an approval
 */
export function touchDecided(
  written: Pick<WrittenApprovals, 'touch'>,
  suspensionId: string,
  awaitedBy: string,
): void {
  if (typeOfWorkflow(awaitedBy) !== 'approval') return;
  const id = entityIdOf(awaitedBy, 'approval');
  // Agents name their own workflows as they like.
  if (isEntityId(id)) written.touch(id, { past: suspensionId });
}
