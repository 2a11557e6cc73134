import type {
  CreatePlanRequest,
  CreatePhasedPlanRequest,
  Plan,
  PhasedPlanView,
} from '../contracts/plan.js';
import type { CreateTaskRequest, PatchTaskRequest, Task } from '../contracts/task.js';
import { create, pathOf, randomKey, read } from './connection.js';
import type { Connection, CreationOptions, PartialExcept } from './connection.js';

/**
 * Tasks, plans and workflows of phases over HTTP. Refusals of the wiring are thrown as `WorkflowError`,
 * others as HoldpointError.
 */
export class PlanClient {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Creates a task of an intent; in a plan where `plan_id` is given. */
  async createTask(task: PartialExcept<CreateTaskRequest, 'intent_id' | 'name'>): Promise<Task> {
    return (await create(this.#connection, '/tasks', task)) as Task;
  }

  async getTask(taskId: string): Promise<Task> {
    return (await read(this.#connection, pathOf('tasks', taskId))) as Task;
  }

  /**
   * Takes a task, and returns it with its resolved `input`. With `wait` a claim that comes too early is kept
   * until it can be granted (`waiting_claim` is set until then); without it
   * `UpstreamIntentSuspendedError` or `UnresolvableInputError` is thrown.
   */
  async claimTask(taskId: string, options: { readonly wait?: boolean } = {}): Promise<Task> {
    const call = { path: pathOf('tasks', taskId, '/claim'), body: options } as const;
    const reply = await this.#connection.send({ method: 'POST', ...call, repeatable: 'always' });
    return reply.body as Task;
  }

  /** Writes a task; `version` is the one that was read. */
  async patchTask(taskId: string, version: number, request: PatchTaskRequest): Promise<Task> {
    const reply = await this.#connection.send({
      method: 'PATCH',
      path: pathOf('tasks', taskId),
      headers: { 'if-match': String(version) },
      body: request,
      repeatable: 'undelivered',
    });
    return reply.body as Task;
  }

  /** Creates a plan; the Idempotency-Key is its own unless given. */
  async createPlan(
    plan: PartialExcept<CreatePlanRequest, 'intent_id'>,
    options: CreationOptions = {},
  ): Promise<Plan> {
    return (await create(
      this.#connection,
      '/plans',
      plan,
      options.idempotencyKey ?? randomKey(),
    )) as Plan;
  }

  /** Reads a plan; `progress.suspended_tasks` names who waits (R26-24). */
  async getPlan(planId: string): Promise<Plan> {
    return (await read(this.#connection, pathOf('plans', planId))) as Plan;
  }

  /** Creates a workflow of phases; the Idempotency-Key is its own unless given. */
  async createWorkflow(
    workflow: PartialExcept<CreatePhasedPlanRequest, 'title'> & { readonly phases: object },
    options: CreationOptions = {},
  ): Promise<PhasedPlanView> {
    const key = options.idempotencyKey ?? randomKey();
    return (await create(this.#connection, '/workflows', workflow, key)) as PhasedPlanView;
  }

  /** Reads a workflow; `progress.suspended_phases` names who waits (R26-25). */
  async getWorkflow(workflowId: string): Promise<PhasedPlanView> {
    return (await read(this.#connection, pathOf('workflows', workflowId))) as PhasedPlanView;
  }
}
