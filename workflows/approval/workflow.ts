import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import { TEMPORAL } from '../../contracts/constants/callers.js';
import type { ApprovalView } from '../../contracts/approval.js';
import { checkUndecided, mayWithdraw } from '../../domain/approval/withdrawal.js';
import { isInstant } from '../../domain/kernel/message-form.js';
import { isReport } from '../../domain/suspension/message-form.js';
import { lostRecord } from '../../domain/suspension/state.js';
import { demand, onSignal, onWrite } from '../engine/handlers.js';
import { run } from '../engine/run.js';
import { writeSignal } from '../engine/messages.js';
import { forgetSignal, inputReportSignal } from '../suspension/messages.js';
import type { ApprovalRun } from './carried.js';
import { ApprovalEntity } from './entity.js';
import {
  approvalQuery,
  approvalRowQuery,
  notedUpdate,
  resolutionUpdate,
  withdrawApprovalSignal,
  withdrawApprovalUpdate,
} from './messages.js';
import type { ApprovalResult, WithdrawApprovalInput } from './messages.js';
import { registerRedemption } from './redemption.js';
import { goOn } from './work.js';

/**
 * An approval (ADR-0054): asks the tiers of its stages, one after another, until all stages approve the same version of the
 * proposal, or one of them rejects it, or nobody decides in time. Each question is a suspension of its own.
 */
export async function approval(input: ApprovalRun): Promise<ApprovalResult> {
  const entity = await run(input, {
    begin() {
      const entity = new ApprovalEntity(input);
      registerHandlers(entity);
      registerRedemption(entity);
      registerQuestions(entity);
      return entity;
    },
    work: goOn,
    cancel(entity) {
      entity.withdraw({ principal: TEMPORAL.principal, reason: 'cancelled through Temporal' });
    },
  });
  return entity.result;
}

/** Updates, Queries and the Signal of whoever asked. Handlers never throw; only validators refuse. */
function registerHandlers(entity: ApprovalEntity): void {
  onWrite(
    entity,
    withdrawApprovalUpdate,
    'Withdraw the approval',
    ({ by }) => {
      demand(mayWithdraw(by, entity.view));
      demand(checkUndecided(entity.view));
    },
    (input) => withdraw(entity, input),
  );
  setHandler(resolutionUpdate, () => resolution(entity), {
    description: 'Wait until the approval is resolved',
  });
  setHandler(notedUpdate, () => noted(entity), {
    description: 'Wait until the log has it',
  });
  onSignal(withdrawApprovalSignal, isReason, (reason) => {
    entity.withdraw({ principal: entity.input.asked_by, ...(reason && { reason }) });
  });
  onSignal(forgetSignal, isInstant, (at) => {
    entity.forget(at);
  });
  setHandler(writeSignal, () => {
    entity.write([entity.row]);
  });
  setHandler(approvalQuery, () => entity.view);
  setHandler(approvalRowQuery, () => entity.row);
}

function isReason(message: unknown): boolean {
  return message === undefined || typeof message === 'string';
}

/** Takes in how the questions of the approval end. */
function registerQuestions(entity: ApprovalEntity): void {
  onSignal(inputReportSignal, isReport, (report) => {
    if (report.kind === 'voted') entity.voted(report.suspension_id, report);
    if (report.kind !== 'settled') return;
    entity.write(report.rows ?? []);
    entity.settled(report.record);
  });
  entity.watch.start(({ suspension_id: id, record, rows }) => {
    entity.write(rows);
    entity.settled(
      record ?? lostRecord({ ...NO_QUESTION, id, suspended_at: entity.at }, entity.at),
    );
  }, entity.isFirstRun);
}

/** Stands for a question that the store does not know, which no answer has ended. */
const NO_QUESTION = { question: '', response_type: 'choice', fallback_policy: 'fail' } as const;

async function withdraw(
  entity: ApprovalEntity,
  { by, reason }: WithdrawApprovalInput,
): Promise<ApprovalView> {
  entity.withdraw({ principal: by.principal, ...(reason !== undefined && { reason }) });
  return resolution(entity);
}

/** Waits on when the workflow itself is cancelled: that withdraws the approval. */
async function resolution(entity: ApprovalEntity): Promise<ApprovalView> {
  await CancellationScope.nonCancellable(() => condition(() => entity.resolved || entity.moving));
  return entity.view;
}

/** Waits on when the workflow itself is cancelled: the log is told of that too. */
async function noted(entity: ApprovalEntity): Promise<boolean> {
  await CancellationScope.nonCancellable(() => condition(() => entity.isNoted || entity.moving));
  return entity.isNoted;
}
