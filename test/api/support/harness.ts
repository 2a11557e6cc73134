import type { Express } from 'express';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import request from 'supertest';
import { createApp } from '../../../api/app.js';
import type { Gateway } from '../../../api/gateway/index.js';
import type { AgentRecord } from '../../../contracts/agent.js';
import { serverConfigSchema } from '../../../contracts/config.js';
import type { ApiKey } from '../../../contracts/config.js';
import { aggregateOf } from '../../../domain/graph/aggregate.js';
import { emptyFeed } from '../../support/events.js';
import { EXAMPLES } from '../../support/examples.js';
import { withCheckedReplies } from '../../support/openapi.js';
import { SEEDS, runLog } from '../../support/secrets.js';
import { COORDINATOR, MEMBERSHIP, PORTFOLIO, PORTFOLIO_EVENT } from './portfolio-records.js';
import {
  ANSWERED,
  CANCELLED,
  EVENT,
  GRAPH,
  INTENT,
  LEASE,
  LOG_END,
  REPORT,
  VIEW,
} from './records.js';

export const KEYS = {
  agent: SEEDS.agentKey,
  operator: SEEDS.operatorKey,
  admin: SEEDS.adminKey,
  both: SEEDS.bothKey,
} as const;
export type KeyName = keyof typeof KEYS;

const API_KEYS: readonly ApiKey[] = [
  { key: KEYS.agent, principal: 'refund-agent', roles: ['agent'] },
  { key: KEYS.operator, principal: 'alice', roles: ['operator'] },
  { key: KEYS.admin, principal: 'root', roles: ['admin'] },
  { key: KEYS.both, principal: 'bob', roles: ['agent', 'operator'] },
];

export interface Call {
  readonly method: keyof Gateway;
  readonly args: readonly unknown[];
}

const OK = { ok: true, detail: 'ok' };
const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });

const PORTFOLIOS = {
  createPortfolio: () => Promise.resolve(PORTFOLIO),
  getPortfolio: () => fresh(PORTFOLIO),
  listPortfolios: () => fresh([PORTFOLIO]),
  changePortfolio: () => Promise.resolve(PORTFOLIO),
  closePortfolio: () => Promise.resolve(PORTFOLIO),
  addMember: () => Promise.resolve(MEMBERSHIP),
  removeMember: () => Promise.resolve(),
  listMembers: () => fresh({ intents: [INTENT], aggregate_status: PORTFOLIO.aggregate_status }),
  listPortfoliosOf: () => fresh([PORTFOLIO]),
  listPortfolioEvents: () => fresh([PORTFOLIO_EVENT]),
};

const COORDINATORS = {
  createCoordinator: () => Promise.resolve(COORDINATOR),
  getCoordinator: () => fresh(COORDINATOR),
  heartbeat: () =>
    Promise.resolve({ status: 'ok' as const, next_heartbeat_at: COORDINATOR.granted_at }),
  listCoordinators: () => fresh([COORDINATOR]),
  recordDecision: () => Promise.resolve(EXAMPLES.coordinatorDecision),
};

const AGENT: AgentRecord = {
  agent_id: 'helper',
  role_id: null,
  name: null,
  capabilities: ['pay'],
  capacity: null,
  endpoint: null,
  heartbeat_config: null,
  metadata: {},
  drain_timeout_seconds: null,
  status: 'active',
  current_load: 0,
  tasks_in_progress: [],
  registered_by: 'refund-agent',
  registered_at: COORDINATOR.granted_at,
  last_heartbeat_at: null,
  version: 1,
};

const AGENTS = {
  registerAgent: () => Promise.resolve(AGENT),
  getAgent: () => Promise.resolve(AGENT),
  listAgents: () => Promise.resolve([AGENT]),
  beatAgent: () => Promise.resolve({ at: AGENT.registered_at, next_at: AGENT.registered_at }),
  setAgentStatus: () => Promise.resolve(AGENT),
};

const DEFAULTS: Gateway = {
  ...AGENTS,
  ...PORTFOLIOS,
  ...COORDINATORS,
  createIntent: () => Promise.resolve(INTENT),
  getIntent: () => fresh(INTENT),
  listIntents: () => fresh([INTENT]),
  addDependency: () => Promise.resolve(INTENT),
  removeDependency: () => Promise.resolve(INTENT),
  listRelated: () => fresh([INTENT]),
  childrenStatus: () => fresh(aggregateOf([{ status: 'active', count: 1 }])),
  intentGraph: () => fresh(GRAPH),
  setStatus: () => Promise.resolve(INTENT),
  patchState: () => Promise.resolve(INTENT),
  setGovernance: () => Promise.resolve(INTENT),
  findEvents: () => fresh([EVENT]),
  listEvents: () => fresh([EVENT]),
  verifyEvents: () => fresh(REPORT),
  exportEvents: () => fresh({ events: Readable.from([EVENT]), end: LOG_END }),
  appendEvent: () => Promise.resolve(EVENT),
  acquireLease: () => Promise.resolve(LEASE),
  renewLease: () => Promise.resolve(LEASE),
  releaseLease: () => Promise.resolve(LEASE),
  listLeases: () => Promise.resolve([LEASE]),
  suspend: () => Promise.resolve({ created: true, view: VIEW, warnings: [] }),
  openSuspension: () =>
    Promise.resolve({ created: true, view: { ...VIEW, intent_id: null }, warnings: [] }),
  respond: () => Promise.resolve({ accepted: true, result: ANSWERED }),
  cancel: () => Promise.resolve(CANCELLED),
  engage: (_caller, _id, signals) =>
    Promise.resolve({
      mode: 'autonomous',
      should_ask: false,
      may_act: true,
      rationale: 'fine',
      signals,
    }),
  listSuspensions: () => fresh({ suspensions: [], next_cursor: null }),
  countSuspensions: () => fresh({ pending: 1, responded: 2, expired: 0, cancelled: 0 }),
  getSuspension: () => fresh(VIEW),
  waitForSuspension: () => fresh(VIEW),
  createTask: () => Promise.resolve(EXAMPLES.task),
  getTask: () => fresh(EXAMPLES.task),
  listTasks: () => fresh([EXAMPLES.task]),
  patchTask: () => Promise.resolve(EXAMPLES.task),
  claimTask: () => Promise.resolve({ task: EXAMPLES.task, waits_for: null }),
  createPlan: () => Promise.resolve(EXAMPLES.plan),
  getPlan: () => fresh(EXAMPLES.plan),
  listPlans: () => fresh([EXAMPLES.plan]),
  patchPlan: () => Promise.resolve(EXAMPLES.plan),
  createPhasedPlan: () => Promise.resolve(EXAMPLES.workflow),
  getPhasedPlan: () => fresh(EXAMPLES.workflow),
  subscribe: () => Promise.resolve(EXAMPLES.subscription),
  listSubscriptions: () => fresh([EXAMPLES.subscription]),
  unsubscribe: () => Promise.resolve(EXAMPLES.subscription),
  readiness: () => Promise.resolve({ temporal: OK, worker: OK, store: OK }),
};

export interface Rig {
  readonly app: Express;
  /** Every call that reached the gateway. */
  readonly calls: Call[];
  /** Everything that was logged, as text. */
  logged(): string;
  /** Sends a request with one of the keys, or with none. */
  send(
    key: KeyName | undefined,
    method: 'get' | 'post' | 'patch' | 'delete' | 'put',
    path: string,
  ): request.Test;
}

function recording(calls: Call[], gateway: Gateway): Gateway {
  return new Proxy(gateway, {
    get(target, name) {
      const method = name as keyof Gateway;
      return (...args: unknown[]) => {
        calls.push({ method, args });
        return (target[method] as (...all: unknown[]) => unknown)(...args);
      };
    },
  });
}

/** The API over a gateway that answers at once; `overrides` replace single methods. */
export function createRig(
  overrides: Partial<Gateway> = {},
  config: unknown = {},
  feed = emptyFeed(),
): Rig {
  const calls: Call[] = [];
  const lines: string[] = [];
  const kept = runLog('api');
  const stream = {
    write: (line: string) => {
      lines.push(line);
      kept.write(line);
    },
  };
  const app = withCheckedReplies(
    createApp({
      gateway: recording(calls, { ...DEFAULTS, ...overrides }),
      feed,
      keys: API_KEYS,
      config: serverConfigSchema.parse(config),
      log: pino({}, stream),
    }),
  );
  return {
    app,
    calls,
    logged: () => lines.join(''),
    send(key, method, path) {
      const test = request(app)[method](path);
      return key === undefined ? test : test.set('X-API-Key', KEYS[key]);
    },
  };
}
