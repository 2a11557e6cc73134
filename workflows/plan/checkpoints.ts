import { log, ParentClosePolicy, setHandler, startChild, uuid4 } from '@temporalio/workflow';
import { workflowIdOf, WORKFLOW_TYPES } from '../../contracts/constants/names.js';
import { isReport } from '../../domain/intent-report.js';
import {
  checkpointAsked,
  checkpointQuestion,
  checkpointSettled,
} from '../../domain/plan-checkpoint.js';
import { openRecord } from '../../domain/schedule.js';
import { summaryOf } from '../../domain/summary.js';
import { viewOf } from '../../domain/suspension-view.js';
import { inputReportSignal } from '../human/messages.js';
import { openingAttributes } from '../support/attributes.js';
import { trySignal } from '../support/reporter.js';
import { withdrawSignal, type SuspensionInput } from '../suspension/messages.js';
import type { PlanEntity } from './entity.js';

/** Takes in how the questions of checkpoints end. */
export function registerCheckpoints(entity: PlanEntity): void {
  setHandler(inputReportSignal, (report) => {
    if (!isReport(report)) log.warn('report_malformed');
    else if (report.kind === 'settled') {
      entity.apply((state) => checkpointSettled(state, report.record, entity.at));
    }
  });
}

/**
 * Opens the question of a checkpoint: a suspension like any other, whose subject is the plan (R26-16). The
 * plan's intent goes on, and may wait for a question of its own.
 */
export async function askCheckpoint(entity: PlanEntity, id: string): Promise<void> {
  const { state, at } = entity;
  const checkpoint = state.plan.checkpoints.find((one) => one.id === id);
  if (checkpoint?.status !== 'reached' || entity.over) return;
  const opened = openRecord(checkpointQuestion(state, checkpoint), uuid4(), at);
  const { record } = opened;
  const input: SuspensionInput = {
    ...opened,
    intent_id: null,
    subject_workflow_id: workflowIdOf('plan', state.plan.id),
    asked_by: state.plan.created_by,
  };
  entity.apply((known) => checkpointAsked(known, id, record.id, at));
  await startChild(WORKFLOW_TYPES.suspension, {
    workflowId: workflowIdOf('suspension', record.id),
    args: [input],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(record.question),
    typedSearchAttributes: openingAttributes(
      viewOf({ intent_id: null, record, attempt: 1 }, input, []),
    ),
  });
}

/** Withdraws what is still asked when the plan is over. */
export async function withdrawCheckpoints({ state }: PlanEntity): Promise<void> {
  const { checkpoints, created_by } = state.plan;
  const open = checkpoints.flatMap(({ status, suspension_id }) =>
    status === 'reached' && suspension_id !== null ? [suspension_id] : [],
  );
  const withdrawal = {
    ...{ intent_id: null, cancelled_by: created_by },
    ...{ settled_by: 'agent' as const, reason: 'plan_over' },
  };
  await Promise.all(
    open.map((id) => trySignal(workflowIdOf('suspension', id), withdrawSignal, withdrawal)),
  );
}
