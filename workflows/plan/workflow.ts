import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import { TEMPORAL } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import { isAnnouncement } from '../../domain/graph/announcement.js';
import { addMembers } from '../../domain/plan/assembly.js';
import { isNews } from '../../domain/plan/message-form.js';
import { checkPlanWriter } from '../../domain/plan/checkpoints.js';
import { changePlanState, checkPlanVersion, takeNews } from '../../domain/plan/plan.js';
import { checkpointSettled, failureSettled } from '../../domain/plan/questions.js';
import {
  planThen,
  planUnchanged,
  type PlanChange,
  type PlanState,
} from '../../domain/plan/state.js';
import { authorize } from '../../domain/policy/authorize.js';
import { isReport } from '../../domain/suspension/record/message-form.js';
import { lostRecord } from '../../domain/suspension/record/state.js';
import { demand, onSignal, onWrite, uncancelled } from '../engine/handlers.js';
import { announcementSignal, newsSignal } from '../engine/messages.js';
import { finishSending, run } from '../engine/run.js';
import { inputReportSignal } from '../suspension/messages.js';
import { cancelTasks, doDuties, startTask, withdrawQuestions } from './duties.js';
import { PlanEntity, type PlanRun } from './entity.js';
import { addTaskUpdate, patchPlanUpdate, planQuery, type PatchPlanInput } from './messages.js';

/**
 * The plan of an intent (RFC-0012 §2): starts its tasks and asks at its checkpoints. The suspension of a task's
 * intent affects its progress, never its state (RFC-0026 Rules 1 and 4).
 */
export async function plan(input: PlanRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new PlanEntity(input);
      registerPlanHandlers(entity);
      registerQuestions(entity);
      return entity;
    },
    work: doDuties,
    cancel(entity) {
      const cancelled = changePlanState(entity.state, 'cancelled', 'temporal', entity.at);
      if (cancelled.ok) entity.apply(() => cancelled.value, TEMPORAL.principal);
    },
    async finish(entity) {
      await withdrawQuestions(entity);
      await condition(allHandlersFinished);
      await cancelTasks(entity);
      await finishSending(entity);
    },
  });
}

function registerPlanHandlers(entity: PlanEntity): void {
  onWrite(
    entity,
    patchPlanUpdate,
    'Change the plan',
    (input) => patchOf(entity, input),
    (input) => {
      const change = patchOf(entity, input);
      entity.apply(() => change, input.by.principal);
      entity.tasks.observe(...input.members.map(({ task_id }) => task_id));
      return entity.written;
    },
  );
  onWrite(
    entity,
    addTaskUpdate,
    'Add a task',
    ({ by, member }) => {
      demand(authorize(by, 'createTask', { access: entity.accessFor(by) }));
      demand(addMembers(entity.state, [member], LIMITS.planTasks, entity.at));
    },
    uncancelled(async ({ by, child, member }) => {
      const change = demand(addMembers(entity.state, [member], LIMITS.planTasks, entity.at));
      entity.apply(() => change, by.principal);
      await startTask(child);
      return undefined;
    }),
  );
  onSignal(newsSignal, isNews, (news) => entity.apply((state) => takeNews(state, news, entity.at)));
  onSignal(announcementSignal, isAnnouncement, (announcement) => entity.hear(announcement));
  setHandler(planQuery, () => ({ plan: entity.view, ...entity.creation }));
}

function registerQuestions(entity: PlanEntity): void {
  onSignal(inputReportSignal, isReport, (report) => {
    if (report.kind === 'settled') settled(entity, report.record);
  });
  entity.watch.start(({ suspension_id: id, record, rows }) => {
    const { at } = entity;
    entity.write(rows);
    settled(entity, record ?? lostRecord({ ...NO_QUESTION, id, suspended_at: at }, at));
  }, entity.isFirstRun);
}

/** Replaces a question that the store does not have; no answer has ended it. */
const NO_QUESTION = { question: '', response_type: 'choice', fallback_policy: 'fail' } as const;

function settled(entity: PlanEntity, record: SettledRecord): void {
  const { at } = entity;
  const after = (state: PlanState) =>
    planThen(checkpointSettled(state, record, at), (next) => failureSettled(next, record, at));
  entity.apply(after, record.submitted_by);
}

/** Throws a refusal. */
function patchOf(entity: PlanEntity, input: PatchPlanInput): PlanChange {
  const { state, at } = entity;
  demand(checkPlanWriter(state.plan, input.by, input, entity.accessFor(input.by)));
  demand(checkPlanVersion(state.plan, input.if_match));
  const { members, checkpoints, actor, state: wanted } = input;
  const changed =
    members.length > 0 || checkpoints !== undefined
      ? demand(addMembers(state, members, LIMITS.planTasks, at, checkpoints))
      : planUnchanged(state);
  if (wanted === undefined) return changed;
  return planThen(changed, (next) => demand(changePlanState(next, wanted, actor, at)));
}
