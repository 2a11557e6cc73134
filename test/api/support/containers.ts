import type { AppendEventInput } from '../../../workflows/intent/messages.js';
import type { z } from 'zod';
import { intentSummarySchema } from '../../../contracts/intent/intent.js';
import { planSummarySchema } from '../../../contracts/plan/plan.js';
import { taskSummarySchema } from '../../../contracts/plan/task.js';
import { portfolioSummarySchema } from '../../../contracts/portfolio/portfolio.js';
import type { Page } from '../../../store/queries/bounded.js';
import { aggregateOf } from '../../../domain/graph/aggregate.js';
import { EXAMPLES } from '../../support/examples.js';
import type { FakeQueries } from './fake-store.js';
import type { Answers } from './parts.js';
import { COORDINATOR, MEMBERSHIP, PORTFOLIO } from './portfolio-records.js';
import { EVENT, GRAPH, INTENT } from './records.js';

const { task, plan } = EXAMPLES;
const changed = { version: 4, last_sequence: 2, intent: INTENT };
const written = { portfolio: PORTFOLIO, last_sequence: 2 };

/** What the workflows of a rig's portfolios, coordinators, tasks and plans answer, and an intent of its dependencies. */
export const CONTAINER_ANSWERS: Answers = {
  position: () => ({ last_sequence: 1, written_sequence: 1, head_hash: EVENT.event_hash }),
  appendEvent({ args }) {
    const { event_type, payload, actor } = args[0] as AppendEventInput;
    return { ...EVENT, event_type, payload, actor };
  },
  createChild: () => 'started',
  coordinator: () => COORDINATOR,
  heartbeat: () => COORDINATOR,
  portfolio: () => written,
  changePortfolio: () => written,
  closePortfolio: () => written,
  addMember: () => ({ membership: MEMBERSHIP, last_sequence: 2 }),
  removeMember: () => ({ last_sequence: 3 }),
  task: () => task,
  patchTask: () => ({ version: task.version, task }),
  claimTask: () => ({ version: task.version, task, waits_for: null }),
  plan: () => ({ plan }),
  patchPlan: () => plan,
  addTask: () => undefined,
  addDependency: () => ({ ok: true, value: changed }),
  removeDependency: () => changed,
};

/** A page of the store with these entries, whole or in summary as it is wanted. */
export function formOf<Whole, Summary>(summary: z.ZodType<Summary>, ...entries: readonly Whole[]) {
  return async ({ whole = false }: Pick<Page, 'whole'>) =>
    whole
      ? ({ rows: entries, more: false, whole } as const)
      : ({ rows: entries.map((one) => summary.parse(one)), more: false, whole } as const);
}

/** The same of an intent or a portfolio. */
export function formIn<Whole, Summary>(summary: z.ZodType<Summary>, ...entries: readonly Whole[]) {
  const form = formOf(summary, ...entries);
  return (_id: string, page: Pick<Page, 'whole'>) => form(page);
}

/** What the store of a rig knows of them. */
export const CONTAINERS_STORED: FakeQueries = {
  coordinatorsOf: async () => ({ rows: [COORDINATOR], more: false }),
  isMember: async () => true,
  listPortfolios: formOf(portfolioSummarySchema, PORTFOLIO),
  portfoliosOf: formIn(portfolioSummarySchema, PORTFOLIO),
  listMembers: formIn(intentSummarySchema, INTENT),
  listTasks: formIn(taskSummarySchema, task),
  findTasks: async (ids) => ids.map((id) => ({ task: { ...task, id }, revision: 1 })),
  listPlans: formIn(planSummarySchema, plan),
  relatedIntents: (_relation, _id, page) => formOf(intentSummarySchema, INTENT)(page),
  childrenStatus: async () => aggregateOf([{ status: 'active', count: 1 }]),
  intentGraph: async () => GRAPH,
  findPlans: async (ids) => ids.map((id) => ({ ...plan, id })),
};
