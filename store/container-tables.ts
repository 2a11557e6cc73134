import type { ColumnType } from 'kysely';
import type { Coordinator } from '../contracts/coordinator.js';
import type { Membership, Portfolio, PortfolioStatus } from '../contracts/portfolio.js';
import type { Plan, PlanStateName } from '../contracts/plan.js';
import type { Task, TaskStatus } from '../contracts/task.js';
import type { Json } from './schema.js';

export interface PortfoliosTable {
  id: string;
  version: number;
  status: PortfolioStatus;
  created_by: string;
  created_at: string;
  last_sequence: number;
  /** Hash of the event `last_sequence`. */
  head_hash: string | null;
  record: Json<Portfolio>;
}

export interface PortfolioMembershipsTable {
  portfolio_id: string;
  intent_id: string;
  /** The version of the portfolio that made it so. */
  revision: number;
  /** Null once the intent is no member any more. */
  membership: ColumnType<Membership | null, string | null, string | null>;
}

/** A view of the memberships that stand. */
export interface PortfolioMembersView {
  portfolio_id: string;
  intent_id: string;
  membership: ColumnType<Membership, never, never>;
}

/** A view of whose events a portfolio's are. */
export interface PortfolioIntentsView {
  portfolio_id: string;
  intent_id: string;
  /** The last place in the feed that counts; null where there is none. The driver reads a bigint as text. */
  until_position: ColumnType<string | null, never, never>;
}

export interface TasksTable {
  id: string;
  intent_id: string;
  plan_id: string | null;
  status: TaskStatus;
  revision: number;
  created_at: string;
  record: Json<Task>;
}

export interface PlansTable {
  id: string;
  intent_id: string;
  state: PlanStateName;
  revision: number;
  created_at: string;
  record: Json<Plan>;
}

export interface CoordinatorsTable {
  id: string;
  version: number;
  intent_id: string | null;
  portfolio_id: string | null;
  granted_at: string;
  record: Json<Coordinator>;
}
