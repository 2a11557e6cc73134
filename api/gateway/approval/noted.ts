import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import { notedUpdate } from '../../../workflows/approval/messages.js';
import { refusalOf } from '../../errors.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'update'>;
  readonly consistency: Pick<Consistency, 'touch'>;
}

/** Waits until the log of its intent has what happened to an approval. */
export type Noted = (view: ApprovalView) => Promise<void>;

/**
 * What happens to an approval reaches the log of its intent a moment later, and a governance policy judges by that log. So
 * whoever asks or decides is answered after that. What they did counts in any case: without a worker, or while the service
 * is busy, the log follows later.
 */
export function createNoted({ temporal, consistency }: Deps): Noted {
  /** Whether the approval goes on in another run, which has to be asked too. An approval that has ended has told all. */
  async function hasMoved(approvalId: string): Promise<boolean> {
    const asked = await temporal.update(workflowIdOf('approval', approvalId), notedUpdate, {});
    return asked.kind === 'done' && !asked.value;
  }

  return async ({ approval_id, intent_id }) => {
    if (intent_id === null) return;
    try {
      if (await hasMoved(approval_id)) await hasMoved(approval_id);
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
    }
    consistency.touch(intent_id);
  };
}
