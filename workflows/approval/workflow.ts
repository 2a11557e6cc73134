import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import { TEMPORAL } from '../../contracts/constants/callers.js';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import { decidedStages } from '../../domain/approval/deciding/meant-question.js';
import { checkUndecided, mayWithdraw } from '../../domain/approval/deciding/request.js';
import { isAnnouncement } from '../../domain/graph/announcement.js';
import { isInstant, isWorkflowId } from '../../domain/kernel/message-form.js';
import { isReport } from '../../domain/suspension/record/message-form.js';
import { lostRecord } from '../../domain/suspension/record/state.js';
import { demand, onSignal, onWrite } from '../engine/handlers.js';
import { finishSending, run } from '../engine/run.js';
import { announcementSignal, writeSignal } from '../engine/messages.js';
import { forgetSignal, inputReportSignal } from '../suspension/messages.js';
import type { ApprovalRun } from './carried.js';
import { ApprovalEntity } from './entity.js';
import {
  approvalQuery,
  approvalRowQuery,
  resolutionUpdate,
  standingUpdate,
  tellSignal,
  withdrawApprovalSignal,
  withdrawApprovalUpdate,
  type ApprovalResult,
  type Standing,
  type StandingInput,
  type WithdrawApprovalInput,
} from './messages.js';
import { goOn, registerRedemption } from './work.js';

/**
 * An approval (A54): asks the tiers of its stages, one after another, until all stages approve the same version of
 * the proposal, or one rejects it, or time runs out. Each question is a suspension of its own.
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
    async finish(entity) {
      await finishSending(entity);
      await entity.tie.left();
    },
  });
  return entity.result;
}

/** Registers Updates, Queries and the asker's Signal. Handlers never throw; only validators refuse. */
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
  setHandler(standingUpdate, (until) => standing(entity, until), {
    description: 'Wait until it can be answered',
  });
  onSignal(withdrawApprovalSignal, isReason, (reason) => {
    entity.withdraw({ principal: entity.input.asked_by, ...(reason && { reason }) });
  });
  onSignal(announcementSignal, isAnnouncement, (announcement) => {
    entity.tie.hear(announcement);
  });
  onSignal(forgetSignal, isInstant, (at) => {
    entity.forget(at);
  });
  onSignal(tellSignal, isWorkflowId, (workflowId) => {
    entity.tellTo(workflowId);
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

/** Replaces a question that the store does not have; no answer has ended it. */
const NO_QUESTION = { question: '', response_type: 'choice', fallback_policy: 'fail' } as const;

async function withdraw(
  entity: ApprovalEntity,
  { by, reason }: WithdrawApprovalInput,
): Promise<ApprovalView> {
  entity.withdraw({ principal: by.principal, ...(reason !== undefined && { reason }) });
  return resolution(entity);
}

/** Waits even if the workflow is cancelled: that withdraws the approval. */
async function resolution(entity: ApprovalEntity): Promise<ApprovalView> {
  await CancellationScope.nonCancellable(() => condition(() => entity.resolved || entity.moving));
  return entity.view;
}

/** Waits even if the workflow is cancelled: that ends the approval, and its log says so. */
async function standing(
  entity: ApprovalEntity,
  { past, logged }: StandingInput,
): Promise<Standing> {
  const isAsked = () => {
    const { suspension_id } = entity.view;
    return suspension_id !== null && suspension_id !== past;
  };
  const isReached = () =>
    entity.tie.isKnown &&
    (entity.resolved || (isAsked() && !entity.state.withdrawn)) &&
    (!logged || entity.isNoted || entity.input.intent_id === null);
  await CancellationScope.nonCancellable(() => condition(() => entity.moving || isReached()));
  const decided = decidedStages(entity.state);
  const approval = { ...entity.view, ...(decided.length > 0 && { decided }) };
  return { approval, moved: !isReached() };
}
