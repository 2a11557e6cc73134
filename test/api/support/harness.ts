import type { Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { createApp, type AppOptions } from '../../../api/app.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import type { Tokens } from '../../../api/sign-in/tokens.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import type { AgentRecord } from '../../../contracts/agent/agent.js';
import { WORKFLOW_TYPES, workflowIdOf } from '../../../contracts/constants/names.js';
import type { Checkpoint } from '../../../contracts/log/checkpoint.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { ApiKey } from '../../../contracts/people/api-key.js';
import { intentSummarySchema } from '../../../contracts/intent/intent.js';
import { emptyFeed } from '../../support/events.js';
import { EXAMPLES } from '../../support/examples.js';
import { withCheckedReplies } from '../../support/openapi.js';
import { SEEDS, runLog } from '../../support/secrets.js';
import { ASKED, STORED_APPROVALS, approvalsOf } from './approvals.js';
import { CONTAINERS_STORED, CONTAINER_ANSWERS, formOf } from './containers.js';
import { COORDINATOR, PORTFOLIO_EVENT } from './portfolio-records.js';
import { fakeParts, knowingIntent, type Answers, type Fakes } from './parts.js';
import { FakeFeed } from './fake-feed.js';
import {
  ManualClock,
  closed,
  hanging,
  sequences,
  type FakeCall,
  type FakeHandlers,
  type FakeQueries,
  type StoreCall,
} from './fakes.js';
import {
  answersOf,
  askedAs,
  diagnosing,
  doneTo,
  notingIn,
  type Noted,
  type Questions,
  type Told,
} from './questions.js';
import type { Sent } from '../../../contracts/people/caller.js';
import type { AccessInput, EngagementInput } from '../../../workflows/intent/messages.js';
import type { OperatorAnswer, RespondReceipt } from '../../../workflows/suspension/messages.js';
import { ANSWERED, CANCELLED, EVENT, INTENT, INTENT_ID, LEASE, VIEW } from './records.js';

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
  { key: KEYS.admin, principal: 'root', roles: ['admin'], acts_for: ['ursula'] },
  { key: KEYS.auditor, principal: 'carol', roles: ['auditor'] },
  { key: KEYS.both, principal: 'bob', roles: ['agent', 'operator'] },
  { key: KEYS.user, principal: 'ursula', roles: ['user'] },
  { key: KEYS.assistant, principal: 'ada', roles: ['agent', 'user'] },
];

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

export const CHECKPOINT: Checkpoint = {
  number: 1,
  signed_at: '2026-11-20T10:00:00.000Z',
  tree_size: 1,
  root_hash: `sha256:${'A'.repeat(43)}`,
  previous_hash: null,
  public_key: `ed25519:${'A'.repeat(43)}`,
  signature: 'A'.repeat(86),
};

/** What the Temporal of a rig does, and says of itself, unless a test says otherwise. */
const temporalAt = (clock: ManualClock): FakeHandlers => ({
  start: () => undefined,
  execute: () => CHECKPOINT,
  service: {
    getSystemInfo: async () => ({ serverVersion: '1.29.1' }),
    describeTaskQueue: async () => ({
      pollers: [{ lastAccessTime: { seconds: clock.now() / 1_000 + 1 } }],
    }),
    listWorkflowExecutions: async () => ({ executions: [] }),
  },
});

/** Waits of a rig hear of the outcome from its Temporal. */
function awayFeed(): FakeFeed {
  return Object.assign(new FakeFeed(), { isAway: true });
}

/** What the store of a rig knows, unless a test says otherwise. */
const STORED: FakeQueries = {
  ...STORED_APPROVALS,
  recordsOf: async () => new Map(),
  listIntents: formOf(intentSummarySchema, INTENT),
  listBlocked: async () => [{ kind: 'intent', id: INTENT.id, title: INTENT.title, depth: 0 }],
  timelineEnd: async () => ({ last_sequence: 0, head_hash: null }),
  timelineEvents: async () => [],
  lastSequences: sequences(() => Infinity),
  ...CONTAINERS_STORED,
  findEvents: async () => ({ rows: [EVENT], more: false }),
  listEvents: async (id) => ({
    rows: [id === INTENT_ID ? EVENT : PORTFOLIO_EVENT],
    more: false,
  }),
  countSubscriptions: async () => ({ own: 0, all: 0 }),
  listSuspensions: async () => ({ rows: [], more: false }),
  countSuspensions: async () => ({ pending: 1, responded: 2, expired: 0, cancelled: 0 }),
  findSubscription: async () => ({
    ...EXAMPLES.subscription,
    created_by: 'refund-agent',
    active: false,
  }),
  listSubscriptions: async () => ({ rows: [EXAMPLES.subscription], more: false }),
  newestTries: async () => ({ last_delivered: null, last_failed: null }),
  channelChecks: async () => new Map(),
  notedSetAside: async () => [],
  forgetSetAside: async () => undefined,
  latestCheckpoint: async () => CHECKPOINT,
  findCheckpoint: async () => CHECKPOINT,
  listCheckpoints: async () => ({
    checkpoints: [CHECKPOINT],
    public_keys: [CHECKPOINT.public_key],
  }),
  leavesOf: async () => [],
  findAgent: () => Promise.resolve(AGENT),
  listAgents: () => Promise.resolve({ rows: [AGENT], more: false }),
  changeAgent: (_id, change) => Promise.resolve(change(AGENT)),
};

/** What the workflows of a rig answer to messages, unless a test says otherwise. */
const ANSWERS: Answers = {
  ...CONTAINER_ANSWERS,
  ...knowingIntent(INTENT),
  forget: () => undefined,
  engagement: ({ args }) => ({
    mode: 'autonomous',
    should_ask: false,
    may_act: true,
    rationale: 'fine',
    signals: (args[0] as EngagementInput).signals,
  }),
  setStatus: () => ({ last_sequence: 2, intent: INTENT }),
  patchState: () => ({ last_sequence: 2, intent: INTENT }),
  endRefusedAsk: () => ({ last_sequence: 2, intent: INTENT }),
  acquireLease: () => LEASE,
  erasePersonalData: ({ args }) => ({
    intent_id: INTENT_ID,
    erased_at: INTENT.updated_at,
    erased_by: (args[0] as Sent).by.principal,
    through_sequence: 4,
    event_sequence: 5,
  }),
  renewLease: () => LEASE,
  releaseLease: () => LEASE,
  leases: () => [LEASE],
  access({ args }) {
    const { change } = args[0] as AccessInput;
    return {
      last_sequence: 2,
      intent: { ...INTENT, ...('set' in change && { access: change.set }) },
    };
  },
  record: () => VIEW,
  timelinePosition: () => ({ last_sequence: 0, head_hash: null, written_sequence: 0 }),
  ...doneTo(() => Promise.resolve(VIEW)),
  respond: (call) => receiptOf(call),
  suspend: () => askedAs(VIEW),
  cancel: () => ({ record: CANCELLED, intent_id: null }),
};

/** What a question says to an answer: that of an approval counts until others agree, any other settles it. */
function receiptOf({ workflowId, args }: FakeCall): RespondReceipt {
  const { body_hash } = (args[0] as OperatorAnswer).answer;
  const { resolution: _open, ...vote } = ANSWERED;
  return workflowId === workflowIdOf('suspension', ASKED)
    ? { verdict: 'counted', result: vote, body_hash }
    : { verdict: 'settled', result: ANSWERED, body_hash };
}

export interface Rig {
  readonly app: Express;
  /** The same app, for replies that its routes never give: the OpenAPI document does not allow them. */
  readonly unchecked: Express;
  /** What was done to questions, but for opening them. */
  readonly calls: Noted[];
  /** Every call that Temporal got from a use case. */
  readonly sent: FakeCall[];
  /** Every query that the store got from a use case. */
  readonly asked: StoreCall[];
  /** The time of the use cases; it moves on where somebody waits for a question that stays open. */
  readonly clock: ManualClock;
  /** Everything that was logged, as text. */
  logged(): string;
  /** Sends a request with one of the keys, or with none. */
  send(
    key: KeyName | undefined,
    method: 'get' | 'post' | 'patch' | 'delete' | 'put',
    path: string,
  ): request.Test;
}

/** The API over a Temporal and a store that answer at once, and over questions that do what a test says. */
export function createRig(
  questions: Questions = {},
  config: unknown = {},
  feed = emptyFeed(),
  tokens?: Pick<Tokens, 'find'>,
  signIn = createSignIn(new KeyRing(API_KEYS), tokens),
  more: Pick<
    AppOptions,
    | 'browsers'
    | 'codecs'
    | 'metrics'
    | 'openAnswer'
    | 'openLink'
    | 'pushKey'
    | 'slack'
    | 'temporalUi'
    | 'tracing'
    | 'webFolder'
  > = {},
  fakes: Fakes = {},
): Rig {
  const calls: Noted[] = [];
  const lines: string[] = [];
  const kept = runLog('api');
  const stream = {
    write: (line: string) => {
      lines.push(line);
      kept.write(line);
    },
  };
  const { listSuspensions, started } = questions;
  const { clock = new ManualClock() } = fakes;
  const approvals = approvalsOf(clock);
  const told: Told = {};
  const {
    parts: faked,
    calls: sent,
    asked,
  } = fakeParts({
    config,
    clock,
    ...fakes,
    deps: { feed: awayFeed(), ...fakes.deps },
    temporal: {
      ...temporalAt(clock),
      start: (call) =>
        call.name === WORKFLOW_TYPES.suspension ? started?.(call) : approvals.start(call),
      result: closed,
      describe: closed,
      ...fakes.temporal,
    },
    answers: notingIn(calls, {
      ...ANSWERS,
      outcome: (call) => {
        void clock.skip();
        return hanging(call);
      },
      ...approvals.answers,
      ...answersOf(questions, clock, told),
      ...fakes.answers,
    }),
    store: { ...STORED, ...(listSuspensions && { listSuspensions }), ...fakes.store },
  });
  const parts = diagnosing(faked, told);
  const unchecked = createApp({
    partsOf: () => parts,
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
    sent,
    asked,
    clock,
    logged: () => lines.join(''),
    send(key, method, path) {
      const test = request(app)[method](path);
      return key === undefined ? test : test.set('X-API-Key', KEYS[key]);
    },
  };
}

/** What the first Update with a name, or the start of a workflow of a type, carried. */
export function sentIn(
  { sent }: Pick<Rig, 'sent'>,
  name: string,
): Readonly<Record<string, unknown>> {
  const first = sent.find((call) => call.name === name && call.args.length > 0);
  const [input] = first?.args ?? [];
  const { args = [input] } = input as { readonly args?: readonly unknown[] };
  return args[0] as Readonly<Record<string, unknown>>;
}

/** What the store was first asked by a query. */
export function askedOf(
  { asked }: Pick<Rig, 'asked'>,
  query: string,
): readonly unknown[] | undefined {
  return asked.find(({ name }) => name === query)?.args;
}

/** The API over fakes of Temporal and of the store. */
export function rigOver(fakes: Fakes, questions: Questions = {}): Rig {
  return createRig(questions, fakes.config, undefined, undefined, undefined, {}, fakes);
}
