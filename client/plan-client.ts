import type {
  CreatePlanRequest,
  CreatePhasedPlanRequest,
  Plan,
  PhasedPlanView,
} from '../contracts/plan/plan.js';
import type { CreateTaskRequest, PatchTaskRequest, Task } from '../contracts/plan/task.js';
import { SubjectClient, pathOf, randomKey } from './connection.js';
import type { CreationOptions, PartialExcept } from './connection.js';

/** Tasks, plans and phased plans. Refusals of the wiring are thrown as `WorkflowError`. */
export class PlanClient extends SubjectClient {
  /** Creates a task of an intent, in a plan if `plan_id` is given. */
  async createTask(task: PartialExcept<CreateTaskRequest, 'intent_id' | 'name'>): Promise<Task> {
    return this.connection.create('/tasks', task);
  }

  async getTask(taskId: string): Promise<Task> {
    return this.connection.read(pathOf('tasks', taskId));
  }

  /**
   * Claims a task, and returns it with its resolved `input`. With `wait`, an early claim is kept until it can be granted
   * (`waiting_claim` is set until then); without it, throws `UpstreamIntentSuspendedError` or `UnresolvableInputError`.
   */
  async claimTask(taskId: string, options: { readonly wait?: boolean } = {}): Promise<Task> {
    return this.connection.repeat('POST', pathOf('tasks', taskId, '/claim'), options);
  }

  /** Writes a task; `version` is the one that was read. */
  async patchTask(taskId: string, version: number, request: PatchTaskRequest): Promise<Task> {
    return this.connection.write('PATCH', pathOf('tasks', taskId), { version, body: request });
  }

  /** Creates a plan; the Idempotency-Key is a new one by default. */
  async createPlan(
    plan: PartialExcept<CreatePlanRequest, 'intent_id'>,
    options: CreationOptions = {},
  ): Promise<Plan> {
    return this.connection.create('/plans', plan, options.idempotencyKey ?? randomKey());
  }

  /** Reads a plan; `progress.suspended_tasks` names the waiting tasks (R26-24). */
  async getPlan(planId: string): Promise<Plan> {
    return this.connection.read(pathOf('plans', planId));
  }

  /** Creates a workflow of phases; the Idempotency-Key is a new one by default. */
  async createWorkflow(
    workflow: PartialExcept<CreatePhasedPlanRequest, 'title'> & { readonly phases: object },
    options: CreationOptions = {},
  ): Promise<PhasedPlanView> {
    return this.connection.create('/workflows', workflow, options.idempotencyKey ?? randomKey());
  }

  /** Reads a workflow; `progress.suspended_phases` names the waiting phases (R26-25). */
  async getWorkflow(workflowId: string): Promise<PhasedPlanView> {
    return this.connection.read(pathOf('workflows', workflowId));
  }
}
