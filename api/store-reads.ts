import { sql } from 'kysely';
import { changeAgent, findAgent, listAgents } from '../store/queries/agents.js';
import { coordinatorsOf, findCoordinator } from '../store/queries/coordinators.js';
import { countSuspensions, listSuspensions, notYet } from '../store/queries/inbox.js';
import {
  eventsInOrder,
  findEvents,
  lastSequence,
  listEvents,
  logEnd,
} from '../store/queries/events.js';
import { childrenStatus, intentGraph, relatedIntents } from '../store/queries/graph.js';
import { findIntent, listIntents } from '../store/queries/intents.js';
import {
  findPortfolio,
  isMember,
  listMembers,
  listPortfolios,
  portfoliosOf,
} from '../store/queries/portfolios.js';
import { FeedEndFinder } from '../store/feed/end.js';
import { findSubscription, listSubscriptions } from '../store/queries/subscriptions.js';
import { findAnswer, findSuspension } from '../store/queries/suspensions.js';
import { findPlans, findTasks, listPlans, listTasks } from '../store/queries/tasks.js';
import type { Store } from '../store/schema.js';
import type { StoreReads } from './gateway/store-reads.js';

/** The store's queries as the gateway reads them; failures are the driver's. */
export function storeReadsOf(db: Store): StoreReads {
  return {
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    findIntent: (id) => findIntent(db, id),
    listIntents: (page) => listIntents(db, page),
    relatedIntents: (relation, intentId, page) => relatedIntents(db, relation, intentId, page),
    childrenStatus: (intentId) => childrenStatus(db, intentId),
    intentGraph: (intentId, limit) => intentGraph(db, intentId, limit),
    findEvents: (types, page) => findEvents(db, types, page),
    listEvents: (intentId, page) => listEvents(db, intentId, page),
    eventsInOrder: (intentId, range) => eventsInOrder(db, intentId, range),
    logEnd: (intentId) => logEnd(db, intentId),
    lastSequence: (intentId) => lastSequence(db, intentId),
    listSuspensions: (query) => listSuspensions(db, query),
    countSuspensions: (conditions) => countSuspensions(db, conditions),
    notYet: (wanted) => notYet(db, wanted),
    findCoordinator: (id) => findCoordinator(db, id),
    coordinatorsOf: (intentId, page) => coordinatorsOf(db, intentId, page),
    findPortfolio: (id) => findPortfolio(db, id),
    listPortfolios: (page) => listPortfolios(db, page),
    portfoliosOf: (intentId, page) => portfoliosOf(db, intentId, page),
    isMember: (portfolioId, intentId) => isMember(db, portfolioId, intentId),
    listMembers: (portfolioId, page) => listMembers(db, portfolioId, page),
    findSuspension: (id) => findSuspension(db, id),
    findTasks: (ids) => findTasks(db, ids),
    listTasks: (intentId, page) => listTasks(db, intentId, page),
    findPlans: (ids) => findPlans(db, ids),
    listPlans: (intentId, page) => listPlans(db, intentId, page),
    findSubscription: (id) => findSubscription(db, id),
    listSubscriptions: (page) => listSubscriptions(db, page),
    feedEnd: () => new FeedEndFinder(db).reach(),
    findAgent: (agentId) => findAgent(db, agentId),
    listAgents: (limit) => listAgents(db, limit),
    changeAgent: (agentId, rule) => changeAgent(db, agentId, rule),
    findAnswer: (suspensionId) => findAnswer(db, suspensionId),
  };
}
