import type {
  CreatePlanRequest,
  CreateWorkflowRequest,
  PatchPlanRequest,
  Plan,
  WorkflowView,
} from '../../../contracts/plan.js';
import type { Refusal } from '../../../contracts/problem.js';
import type {
  ClaimRequest,
  CreateTaskRequest,
  PatchTaskRequest,
  Task,
  TaskStatus,
} from '../../../contracts/task.js';
import type { Caller, Read } from '../caller.js';

export interface TaskPage {
  readonly limit: number;
  readonly offset: number;
  readonly status?: TaskStatus | undefined;
}

/** What routes may do with tasks, plans and workflows; refusals as for `Gateway`. */
export interface PlanGateway {
  createTask(caller: Caller, request: CreateTaskRequest): Promise<Task>;
  getTask(taskId: string): Promise<Read<Task>>;
  listTasks(intentId: string, page: TaskPage): Promise<Read<readonly Task[]>>;
  /** `anyStatus` is for an API without a status machine. */
  patchTask(
    caller: Caller,
    taskId: string,
    ifMatch: number,
    request: PatchTaskRequest,
    options?: { readonly anyStatus?: boolean },
  ): Promise<Task>;
  /** `waits_for` says why a claim that waits is not granted yet. */
  claimTask(
    caller: Caller,
    taskId: string,
    request: ClaimRequest,
  ): Promise<{ task: Task; waits_for: Refusal | null }>;
  createPlan(caller: Caller, request: CreatePlanRequest, idempotencyKey?: string): Promise<Plan>;
  getPlan(planId: string): Promise<Read<Plan>>;
  listPlans(intentId: string, page: Omit<TaskPage, 'status'>): Promise<Read<readonly Plan[]>>;
  patchPlan(
    caller: Caller,
    planId: string,
    ifMatch: number,
    request: PatchPlanRequest,
  ): Promise<Plan>;
  createPhasedPlan(
    caller: Caller,
    request: CreateWorkflowRequest,
    idempotencyKey?: string,
  ): Promise<WorkflowView>;
  getPhasedPlan(workflowId: string): Promise<Read<WorkflowView>>;
}
