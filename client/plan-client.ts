import type {
  CreatePlanRequest,
  CreateWorkflowRequest,
  Plan,
  WorkflowView,
} from '../contracts/plan.js';
import type { CreateTaskRequest, PatchTaskRequest, Task } from '../contracts/task.js';
import type { Connection } from './connection.js';
import { pathOf } from './connection.js';
import { randomKey } from './random-key.js';

type Given<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

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
  async createTask(task: Given<CreateTaskRequest, 'intent_id' | 'name'>): Promise<Task> {
    return (await this.#post('/tasks', task)) as Task;
  }

  async getTask(taskId: string): Promise<Task> {
    return (await this.#get(pathOf('tasks', taskId))) as Task;
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
    plan: Given<CreatePlanRequest, 'intent_id'>,
    options: { readonly idempotencyKey?: string } = {},
  ): Promise<Plan> {
    return (await this.#post('/plans', plan, options.idempotencyKey ?? randomKey())) as Plan;
  }

  /** Reads a plan; `progress.suspended_tasks` names who waits (R26-24). */
  async getPlan(planId: string): Promise<Plan> {
    return (await this.#get(pathOf('plans', planId))) as Plan;
  }

  /** Creates a workflow of phases; the Idempotency-Key is its own unless given. */
  async createWorkflow(
    workflow: Given<CreateWorkflowRequest, 'title'> & { readonly phases: object },
    options: { readonly idempotencyKey?: string } = {},
  ): Promise<WorkflowView> {
    const key = options.idempotencyKey ?? randomKey();
    return (await this.#post('/workflows', workflow, key)) as WorkflowView;
  }

  /** Reads a workflow; `progress.suspended_phases` names who waits (R26-25). */
  async getWorkflow(workflowId: string): Promise<WorkflowView> {
    return (await this.#get(pathOf('workflows', workflowId))) as WorkflowView;
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#connection.send({ method: 'GET', path, repeatable: 'always' })).body;
  }

  async #post(path: string, body: object, key?: string): Promise<unknown> {
    const repeatable = key === undefined ? 'undelivered' : 'always';
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const call = { method: 'POST', path, headers, body, repeatable } as const;
    return (await this.#connection.send(call)).body;
  }
}
