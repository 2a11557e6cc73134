import type { Express } from 'express';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import request from 'supertest';
import type { z } from 'zod';
import { createApp } from '../../../api/app.js';
import type { AppOptions } from '../../../api/app.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import type { Tokens } from '../../../api/sign-in/tokens.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import type { ListedForm, Page } from '../../../api/gateway/caller.js';
import type { Gateway } from '../../../api/gateway/index.js';
import type { AgentRecord } from '../../../contracts/agent.js';
import type { Checkpoint } from '../../../contracts/checkpoint.js';
import { serverConfigSchema } from '../../../contracts/config.js';
import type { ApiKey } from '../../../contracts/api-key.js';
import { intentSummarySchema } from '../../../contracts/intent.js';
import { planSummarySchema } from '../../../contracts/plan.js';
import { portfolioSummarySchema } from '../../../contracts/portfolio.js';
import { taskSummarySchema } from '../../../contracts/task.js';
import { aggregateOf } from '../../../domain/graph/aggregate.js';
import { emptyFeed } from '../../support/events.js';
import { EXAMPLES } from '../../support/examples.js';
import { withCheckedReplies } from '../../support/openapi.js';
import { SEEDS, runLog } from '../../support/secrets.js';
import { APPROVALS } from './approval-records.js';
import { APPROVAL_REQUEST_METHODS } from './approvals.js';
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
  SUSPENSION_ID,
  VIEW,
} from './records.js';

export const KEYS = {
  agent: SEEDS.agentKey,
  operator: SEEDS.operatorKey,
  admin: SEEDS.adminKey,
  auditor: SEEDS.auditorKey,
  both: SEEDS.bothKey,
  user: SEEDS.userKey,
  assistant: SEEDS.assistantKey,
} as const;
export type KeyName = keyof typeof KEYS;

const API_KEYS: readonly ApiKey[] = [
  { key: KEYS.agent, principal: 'refund-agent', roles: ['agent'], acts_for: ['ursula'] },
  { key: KEYS.operator, principal: 'alice', roles: ['operator'] },
  { key: KEYS.admin, principal: 'root', roles: ['admin'] },
  { key: KEYS.auditor, principal: 'carol', roles: ['auditor'] },
  { key: KEYS.both, principal: 'bob', roles: ['agent', 'operator'] },
  { key: KEYS.user, principal: 'ursula', roles: ['user'] },
  { key: KEYS.assistant, principal: 'ada', roles: ['agent', 'user'] },
];

export interface Call {
  readonly method: keyof Gateway;
  readonly args: readonly unknown[];
}

const OK = { ok: true, detail: 'ok' };
const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });
/** A list of one page. */
export const listed = <T>(value: readonly T[], stale = false) =>
  Promise.resolve({ value, stale, more: false });
/** The same of what may be large, whole or in summary as the page is wanted. */
export async function listedFor<Whole, Summary>(
  { whole = false }: Pick<Page, 'whole'>,
  summarySchema: z.ZodType<Summary>,
  entries: readonly Whole[],
  stale = false,
): Promise<ListedForm<Whole, Summary>> {
  if (whole) return { value: entries, stale, more: false, whole };
  const value = entries.map((entry) => summarySchema.parse(entry));
  return { value, stale, more: false, whole };
}

const PORTFOLIOS = {
  createPortfolio: () => Promise.resolve(PORTFOLIO),
  getPortfolio: () => fresh(PORTFOLIO),
  listPortfolios: (page: Page) => listedFor(page, portfolioSummarySchema, [PORTFOLIO]),
  changePortfolio: () => Promise.resolve(PORTFOLIO),
  closePortfolio: () => Promise.resolve(PORTFOLIO),
  addMember: () => Promise.resolve(MEMBERSHIP),
  removeMember: () => Promise.resolve(),
  async listMembers(_id: string, page: Page) {
    const members = await listedFor(page, intentSummarySchema, [INTENT]);
    return { members, aggregate_status: PORTFOLIO.aggregate_status };
  },
  listPortfoliosOf: (_id: string, page: Page) =>
    listedFor(page, portfolioSummarySchema, [PORTFOLIO]),
  listPortfolioEvents: () => listed([PORTFOLIO_EVENT]),
};

const COORDINATORS = {
  createCoordinator: () => Promise.resolve(COORDINATOR),
  getCoordinator: () => fresh(COORDINATOR),
  heartbeat: () =>
    Promise.resolve({ status: 'ok' as const, next_heartbeat_at: COORDINATOR.granted_at }),
  listCoordinators: () => listed([COORDINATOR]),
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

export const CHECKPOINT: Checkpoint = {
  number: 1,
  signed_at: '2026-11-20T10:00:00.000Z',
  tree_size: 1,
  root_hash: `sha256:${'A'.repeat(43)}`,
  previous_hash: null,
  public_key: `ed25519:${'A'.repeat(43)}`,
  signature: 'A'.repeat(86),
};

const DEFAULTS: Gateway = {
  ...AGENTS,
  ...APPROVALS,
  ...PORTFOLIOS,
  ...COORDINATORS,
  ...APPROVAL_REQUEST_METHODS,
  createIntent: () => Promise.resolve(INTENT),
  getIntent: () => fresh(INTENT),
  listIntents: (page) => listedFor(page, intentSummarySchema, [INTENT]),
  addDependency: () => Promise.resolve(INTENT),
  removeDependency: () => Promise.resolve(INTENT),
  listRelated: (_relation, _id, page) => listedFor(page, intentSummarySchema, [INTENT]),
  childrenStatus: () => fresh(aggregateOf([{ status: 'active', count: 1 }])),
  intentGraph: () => fresh(GRAPH),
  setStatus: () => Promise.resolve(INTENT),
  patchState: () => Promise.resolve(INTENT),
  endRefusedAsk: () => Promise.resolve(),
  setGovernance: () => Promise.resolve(INTENT),
  judgeAccess: () => Promise.resolve(),
  demandAccess: () => fresh(INTENT),
  demandAccessTo: () => Promise.resolve(),
  setAccess: (_caller, _id, list) => Promise.resolve(list),
  grantAccess: (_caller, _id, entry) => Promise.resolve(entry),
  revokeAccess: () => Promise.resolve(),
  findEvents: () => listed([EVENT]),
  listEvents: () => listed([EVENT]),
  verifyEvents: () => fresh(REPORT),
  exportEvents: () => fresh({ events: Readable.from([EVENT]), end: LOG_END }),
  appendEvent: () => Promise.resolve(EVENT),
  postEvent: () => Promise.resolve(EVENT),
  acquireLease: () => Promise.resolve(LEASE),
  renewLease: () => Promise.resolve(LEASE),
  releaseLease: () => Promise.resolve(LEASE),
  listLeases: () => Promise.resolve([LEASE]),
  suspend: () => Promise.resolve({ created: true, view: VIEW, warnings: [] }),
  openSuspension: () =>
    Promise.resolve({ created: true, view: { ...VIEW, intent_id: null }, warnings: [] }),
  respond: () => Promise.resolve({ accepted: true, result: ANSWERED }),
  respondToMany: (_caller, { answers }) =>
    Promise.resolve(
      answers.map(({ suspension_id }) => ({ suspension_id, outcome: 'settled', result: ANSWERED })),
    ),
  resume: () => Promise.resolve({ accepted: true, result: ANSWERED }),
  cancel: () => Promise.resolve(CANCELLED),
  changeEligibility: () => Promise.resolve(VIEW),
  claimSuspension: () => Promise.resolve(VIEW),
  releaseSuspension: () => Promise.resolve(VIEW),
  commentOnSuspension: () => Promise.resolve(VIEW),
  delegateSuspension: () => Promise.resolve(VIEW),
  amendSuspension: () => Promise.resolve(VIEW),
  erasePersonalData: (caller, intent_id) =>
    Promise.resolve({
      intent_id,
      erased_at: INTENT.updated_at,
      erased_by: caller.principal,
      through_sequence: 4,
      event_sequence: 5,
    }),
  eraseSuspension: (caller, suspension_id) =>
    Promise.resolve({ suspension_id, erased_at: INTENT.updated_at, erased_by: caller.principal }),
  engage: (_caller, _id, signals) =>
    Promise.resolve({
      mode: 'autonomous',
      should_ask: false,
      may_act: true,
      rationale: 'fine',
      signals,
    }),
  listSuspensions: () => fresh({ suspensions: [], next_cursor: null }),
  listBlocked: () => fresh([{ kind: 'intent', id: INTENT.id, title: INTENT.title, depth: 0 }]),
  countSuspensions: () => fresh({ pending: 1, responded: 2, expired: 0, cancelled: 0 }),
  unknownApprovers: () => [],
  newestTries: () => Promise.resolve({ last_delivered: null, last_failed: null }),
  channelChecks: () => Promise.resolve(new Map()),
  runsSetAside: () => Promise.resolve({ workflows: [], more: false }),
  requestCheckpoint: () => Promise.resolve(CHECKPOINT),
  latestCheckpoint: () => Promise.resolve(CHECKPOINT),
  listCheckpoints: () =>
    Promise.resolve({ checkpoints: [CHECKPOINT], public_keys: [CHECKPOINT.public_key] }),
  exportLogs: () => Promise.resolve({ checkpoint: CHECKPOINT, lines: Readable.from([EVENT]) }),
  getSuspension: () => fresh(VIEW),
  verifyTimeline: () => {
    const { intent_id: _log, ...report } = REPORT;
    return fresh({ suspension_id: SUSPENSION_ID, ...report });
  },
  exportTimeline: () => fresh({ events: Readable.from([EVENT]), end: LOG_END }),
  waitForSuspension: () => fresh(VIEW),
  createTask: () => Promise.resolve(EXAMPLES.task),
  getTask: () => fresh(EXAMPLES.task),
  listTasks: (_id, page) => listedFor(page, taskSummarySchema, [EXAMPLES.task]),
  patchTask: () => Promise.resolve(EXAMPLES.task),
  claimTask: () => Promise.resolve({ task: EXAMPLES.task, waits_for: null }),
  createPlan: () => Promise.resolve(EXAMPLES.plan),
  getPlan: () => fresh(EXAMPLES.plan),
  listPlans: (_id, page) => listedFor(page, planSummarySchema, [EXAMPLES.plan]),
  patchPlan: () => Promise.resolve(EXAMPLES.plan),
  createPhasedPlan: () => Promise.resolve(EXAMPLES.workflow),
  getPhasedPlan: () => fresh(EXAMPLES.workflow),
  subscribe: () =>
    Promise.resolve({ ...EXAMPLES.subscription, secret: 'whsec_of this subscription' }),
  listSubscriptions: () => listed([EXAMPLES.subscription]),
  unsubscribe: () => Promise.resolve(EXAMPLES.subscription),
  readiness: () => Promise.resolve({ api: OK, temporal: OK, worker: OK, store: OK }),
};

export interface Rig {
  readonly app: Express;
  /** The same app, for replies that its routes never give: the OpenAPI document does not allow them. */
  readonly unchecked: Express;
  /** Every call that reached the gateway, but for those that ask access lists. */
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

/** What runs before operations of agents, to ask access lists. */
const CHECKS: readonly (keyof Gateway)[] = ['demandAccess', 'demandAccessTo', 'judgeAccess'];

function recording(calls: Call[], gateway: Gateway): Gateway {
  return new Proxy(gateway, {
    get(target, name) {
      const method = name as keyof Gateway;
      return (...args: unknown[]) => {
        if (!CHECKS.includes(method)) calls.push({ method, args });
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
  tokens?: Pick<Tokens, 'find'>,
  signIn = createSignIn(new KeyRing(API_KEYS), tokens),
  more: Pick<
    AppOptions,
    | 'browsers'
    | 'metrics'
    | 'openAnswer'
    | 'openLink'
    | 'slack'
    | 'temporalUi'
    | 'tracing'
    | 'webFolder'
  > = {},
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
  const gateway = recording(calls, { ...DEFAULTS, ...overrides });
  const unchecked = createApp({
    gateways: () => gateway,
    feed,
    signIn,
    config: serverConfigSchema.parse(config),
    log: pino({}, stream),
    ...more,
  });
  const app = withCheckedReplies(unchecked);
  return {
    app,
    unchecked,
    calls,
    logged: () => lines.join(''),
    send(key, method, path) {
      const test = request(app)[method](path);
      return key === undefined ? test : test.set('X-API-Key', KEYS[key]);
    },
  };
}
