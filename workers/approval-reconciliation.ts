import type { EntityKey } from '../contracts/kernel/entity-key.js';
import type { Client } from '@temporalio/client';
import type { ApprovalEnd, ApprovalReconciliation } from '../activities/ports/reconciliation.js';
import { noteApproval } from '../activities/approval-log.js';
import { SERVER } from '../contracts/constants/callers.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { JournalWatch } from '../contracts/log/journal.js';
import { inSpace } from '../store/in-space.js';
import { writeRows } from '../store/journal-writer.js';
import { findApproval } from '../store/queries/approval.js';
import { appendToRun } from '../store/queries/run-log.js';
import { approvalsWithout, openQuestionsOf, waitingApprovals } from '../store/queries/unsettled.js';
import type { Store } from '../store/schema.js';
import { approvalRowQuery } from '../workflows/approval/messages.js';
import { withdrawSignal } from '../workflows/suspension/messages.js';
import { appendEvent, asked, signalIfOpen } from './calls.js';
import { endOfWorkflow, pagesFrom } from './placed-pages.js';

/** Approvals as a store and a Temporal namespace have them, but for those that Temporal lists. */
export function approvalReconciliation(
  db: Store,
  client: () => Pick<Client, 'workflow'>,
  watch?: JournalWatch,
): Omit<ApprovalReconciliation, 'endedIn'> {
  return {
    openIn: (until, place) => pagesFrom((page) => waitingApprovals(db, { until, ...page }), place),
    notKnown: (page) => approvalsWithout(db, page, 'a row'),
    notDecided: (page) => approvalsWithout(db, page, 'a decision'),
    endOf: (placed) => endOf(client(), placed),
    find: ({ id, space }) => findApproval(inSpace(db, space), id),
    async withdrawQuestions(placed, reason) {
      const withdrawal = {
        intent_id: null,
        cancelled_by: SERVER.principal,
        settled_by: 'system',
        reason,
      } as const;
      for (const id of await openQuestionsOf(db, placed)) {
        const question = workflowIdOf('suspension', id, placed.space);
        await signalIfOpen(client(), question, withdrawSignal, withdrawal);
      }
    },
    async writeRow(row, space) {
      await writeRows(db, [row], space, watch);
    },
    note: (note, space) =>
      noteApproval(
        {
          store: { appendToRun: (one, salt) => appendToRun(db, one, salt, space) },
          workflows: {
            appendEvent: (one) =>
              appendEvent(client(), workflowIdOf('intent', one.intent_id, space), one),
          },
        },
        note,
      ),
  };
}

/** How the workflow of an approval ended; a closed one can be asked as long as Temporal keeps it. */
function endOf(
  { workflow }: Pick<Client, 'workflow'>,
  { id, space }: EntityKey,
): Promise<ApprovalEnd | undefined> {
  const handle = workflow.getHandle(workflowIdOf('approval', id, space));
  return endOfWorkflow(handle, async () => ({
    kind: 'decided',
    row: await asked(workflow, () => handle.query(approvalRowQuery)),
  }));
}
