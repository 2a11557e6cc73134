import type { AggregateStatus, IntentGraph, Relation } from '../contracts/graph/graph.js';
import type { CreateIntentRequest, Intent, IntentSummary } from '../contracts/intent/intent.js';
import {
  SubjectClient,
  pathOf,
  randomKey,
  type CreationOptions,
  type EventQuery,
  type Page,
  type PartialExcept,
} from './connection.js';
import type {
  CreatePlanRequest,
  CreatePhasedPlanRequest,
  Plan,
  PhasedPlanView,
} from '../contracts/plan/plan.js';
import type { CreateTaskRequest, PatchTaskRequest, Task } from '../contracts/plan/task.js';
import type { IntentEvent } from '../contracts/intent/event.js';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../contracts/portfolio/portfolio.js';
import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorDecisionRequest,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../contracts/coordinator/coordinator.js';

export type NewChild = Omit<PartialExcept<CreateIntentRequest, 'title'>, 'parent_intent_id'>;

/** The children of an intent, and their aggregate status (R26-18). */
export interface Children {
  readonly children: readonly IntentSummary[];
  readonly aggregate_status: AggregateStatus;
}

/**
 * Parents, children and dependencies (RFC-0002). The refusal `dependency_cycle` has the cycle in `state.path`.
 */
export class GraphClient extends SubjectClient {
  /** Creates a child of an intent; the Idempotency-Key is a new one by default. */
  async createChild(
    parentId: string,
    child: NewChild,
    options: CreationOptions = {},
  ): Promise<Intent> {
    const path = pathOf('intents', parentId, '/children');
    return this.connection.create(path, child, options.idempotencyKey ?? randomKey());
  }

  async children(intentId: string, page: Page = {}): Promise<Children> {
    const path = pathOf('intents', intentId, '/children');
    const { entries, reply } = await this.connection.listWith(path, 'children', page);
    return { ...(reply as Children), children: entries as readonly IntentSummary[] };
  }

  /** Returns the intents in a relation to this one; `ready` and `blocked` are its children. */
  async related(
    intentId: string,
    relation: Relation,
    page: Page = {},
  ): Promise<readonly IntentSummary[]> {
    return this.connection.list(pathOf('intents', intentId, `/${relation}`), relation, page);
  }

  /** Makes an intent wait for another; `version` is the one that was read. */
  async addDependency(intentId: string, version: number, dependencyId: string): Promise<Intent> {
    const path = pathOf('intents', intentId, '/dependencies');
    return this.connection.write('POST', path, { version, body: { dependency_id: dependencyId } });
  }

  /** Ends the wait of an intent for another; `version` is the one that was read. */
  async removeDependency(intentId: string, version: number, dependencyId: string): Promise<Intent> {
    const path = pathOf('intents', intentId, `/dependencies/${encodeURIComponent(dependencyId)}`);
    return this.connection.write('DELETE', path, { version });
  }

  /** Returns an intent with all its descendants, and their aggregate status (R26-17). */
  async graph(intentId: string): Promise<IntentGraph> {
    return this.connection.read(pathOf('intents', intentId, '/graph'));
  }
}

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

export type NewMember = PartialExcept<AddMemberRequest, 'intent_id'>;
export type NewPortfolio = Omit<PartialExcept<CreatePortfolioRequest, 'name'>, 'intents'> & {
  readonly intents?: readonly NewMember[];
};

/** Portfolios (RFC-0007). */
export class PortfolioClient extends SubjectClient {
  /** Creates a portfolio with its first members; the Idempotency-Key is a new one by default. */
  async create(portfolio: NewPortfolio, options: CreationOptions = {}): Promise<PortfolioView> {
    return this.connection.create('/portfolios', portfolio, options.idempotencyKey ?? randomKey());
  }

  /** Reads a portfolio with the aggregate status of its members, and how many of them wait (R26-19 … 23). */
  async get(portfolioId: string): Promise<PortfolioView> {
    return this.connection.read(pathOf('portfolios', portfolioId));
  }

  /**
   * Replaces the given fields as a whole; a running `governance_policy.deadline` can be moved. 409 `version_conflict` if
   * `version` is no longer current.
   */
  async change(
    portfolioId: string,
    version: number,
    change: ChangePortfolioRequest,
  ): Promise<PortfolioView> {
    const path = pathOf('portfolios', portfolioId);
    return this.connection.write('PATCH', path, { version, body: change });
  }

  /** Completes or abandons the portfolio; its members continue. */
  async close(portfolioId: string, status: PortfolioStatus): Promise<PortfolioView> {
    const path = pathOf('portfolios', portfolioId, '/status');
    return this.connection.write('PATCH', path, { body: { status } });
  }

  async addMember(portfolioId: string, member: NewMember): Promise<Membership> {
    return this.connection.create(pathOf('portfolios', portfolioId, '/intents'), member);
  }

  async removeMember(portfolioId: string, intentId: string): Promise<void> {
    const path = pathOf('portfolios', portfolioId, `/intents/${encodeURIComponent(intentId)}`);
    await this.connection.write('DELETE', path);
  }

  /** Returns the portfolio's own log, newest first: members joining, suspensions, the deadline. */
  async events(portfolioId: string, query: EventQuery = {}): Promise<readonly IntentEvent[]> {
    return this.connection.list(pathOf('portfolios', portfolioId, '/events'), 'events', query);
  }
}

/** The scope (`intent_id` or `portfolio_id`), and any field that differs from its default. */
export type NewCoordinator = Partial<CreateCoordinatorRequest>;
export type NewDecision = PartialExcept<
  CoordinatorDecisionRequest,
  'coordinator_id' | 'intent_id' | 'decision_type' | 'summary' | 'rationale'
>;

/** Leases of coordinators (RFC-0013). */
export class CoordinatorClient extends SubjectClient {
  /** Takes the lease of an intent or a portfolio, which ends without heartbeats. */
  async create(coordinator: NewCoordinator): Promise<Coordinator> {
    return this.connection.create('/coordinators', coordinator);
  }

  async get(coordinatorId: string): Promise<Coordinator> {
    return this.connection.read(pathOf('coordinators', coordinatorId));
  }

  async of(intentId: string, page: Page = {}): Promise<readonly Coordinator[]> {
    return this.connection.list(pathOf('intents', intentId, '/coordinators'), 'coordinators', page);
  }

  /** Renews the lease; throws `coordinator_closed` once it is over. */
  async heartbeat(coordinatorId: string): Promise<HeartbeatReply> {
    const path = pathOf('coordinators', coordinatorId, '/heartbeat');
    return this.connection.repeat('POST', path, {});
  }

  async decide(decision: NewDecision): Promise<CoordinatorDecision> {
    return this.connection.create('/decisions', decision);
  }

  /** Returns the decisions of coordinators for an intent, newest first. */
  async decisions(intentId: string, page: Page = {}): Promise<readonly CoordinatorDecision[]> {
    const path = pathOf('intents', intentId, '/coordinator-decisions');
    return this.connection.list(path, 'decisions', page);
  }
}
