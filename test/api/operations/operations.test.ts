import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pino } from 'pino';
import { mcpRoutes } from '../../../api/mcp/door.js';
import { OPENINTENT_ROUTES } from '../../../api/openintent/index.js';
import { WELL_KNOWN_ROUTES } from '../../../api/openintent/discovery.js';
import { ACTION_APPROVALS } from '../../../api/operations/action-approval.js';
import { TOOL_APPROVALS } from '../../../api/operations/approval.js';
import { ACCESS, ASSIGNMENTS } from '../../../api/operations/access.js';
import { AGENTS, COORDINATORS } from '../../../api/operations/agent.js';
import { APPROVAL_REQUESTS } from '../../../api/operations/approval-request.js';
import { EVENTS, STREAMS, SUBSCRIPTIONS } from '../../../api/operations/event.js';
import { ERASURES, GRAPH, INTENTS, LEASES } from '../../../api/operations/intent.js';
import { LINKS } from '../../../api/operations/link.js';
import { WEBHOOK_ANSWERS } from '../../../api/operations/webhook-answer.js';
import { LOGS } from '../../../api/operations/log.js';
import type { Operation } from '../../../api/operations/operation.js';
import { PHASED_PLANS, PLANS, TASKS } from '../../../api/operations/plan.js';
import { MEMBERS, PORTFOLIOS } from '../../../api/operations/portfolio.js';
import { DECISIONS, ESCALATIONS } from '../../../api/operations/records.js';
import { CALLERS, SERVER } from '../../../api/operations/server.js';
import { SLACK } from '../../../api/operations/slack.js';
import { SESSIONS } from '../../../api/operations/session.js';
import { SUSPENSIONS } from '../../../api/operations/suspension.js';
import { isPublic } from '../../../domain/policy/rules.js';
import { SESSION_ROUTES } from '../../../api/sessions/routes.js';
import { SLACK_ROUTES } from '../../../api/slack/route.js';
import { V1_ROUTES } from '../../../api/v1/index.js';

const DECLARED: readonly Operation[] = [
  ACCESS,
  ACTION_APPROVALS,
  AGENTS,
  APPROVAL_REQUESTS,
  ASSIGNMENTS,
  CALLERS,
  COORDINATORS,
  DECISIONS,
  ESCALATIONS,
  EVENTS,
  ERASURES,
  LOGS,
  GRAPH,
  INTENTS,
  LEASES,
  LINKS,
  WEBHOOK_ANSWERS,
  MEMBERS,
  PHASED_PLANS,
  PLANS,
  PORTFOLIOS,
  SERVER,
  SESSIONS,
  SLACK,
  STREAMS,
  SUBSCRIPTIONS,
  SUSPENSIONS,
  TOOL_APPROVALS,
  TASKS,
].flatMap((group) => Object.values<Operation>(group));
const ROUTES = [
  ...V1_ROUTES,
  ...OPENINTENT_ROUTES,
  ...WELL_KNOWN_ROUTES,
  ...SESSION_ROUTES,
  ...SLACK_ROUTES,
  ...mcpRoutes(pino({ level: 'silent' })),
];

describe('operations', () => {
  it('have one name each', () => {
    const names = DECLARED.map(({ name }) => name);
    assert.ok(names.length > 80);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('are each offered by a route of an API', () => {
    const bound = new Set(ROUTES.map(({ operation }) => operation));
    assert.deepEqual(
      DECLARED.filter((one) => !bound.has(one)).map(({ name }) => name),
      [],
    );
  });

  it('are what every route is bound to, streams included', () => {
    const known = new Set(DECLARED);
    assert.ok(ROUTES.length > 140);
    assert.deepEqual(
      ROUTES.filter(({ operation }) => !known.has(operation)),
      [],
    );
    const streams = ROUTES.filter(({ path }) => path.endsWith('/subscribe'));
    assert.deepEqual(
      new Set(streams.map(({ operation }) => operation)),
      new Set<Operation>(Object.values(STREAMS)),
    );
  });

  it('are offered once under a method and a path', () => {
    for (const routes of [V1_ROUTES, OPENINTENT_ROUTES, WELL_KNOWN_ROUTES, SESSION_ROUTES]) {
      const places = routes.map(({ method, path }) => `${method} ${path}`);
      assert.equal(new Set(places).size, places.length);
    }
  });

  it('may each be refused while the server is busy if they start or update a workflow', () => {
    // These write to the store, and tell the workflow by a Signal, which waits in no queue; or they only read.
    const signalling = new Set(['eraseSuspension', 'deleteSubscription', 'readLink']);
    const writes = ROUTES.filter(
      ({ method, operation: { name, refusals } }) =>
        method !== 'get' && refusals.includes('workflow_unavailable') && !signalling.has(name),
    );
    assert.ok(writes.length > 60);
    assert.deepEqual(
      writes.filter(({ operation }) => !operation.refusals.includes('busy')),
      [],
    );
  });

  it('need a key, but for links, what webhooks and Slack sign, what the server says of itself, and to sign in', () => {
    const open = DECLARED.filter(({ name }) => isPublic(name));
    const { readSession: _read, endSession: _end, ...signingIn } = SESSIONS;
    assert.deepEqual(
      open,
      [LINKS, WEBHOOK_ANSWERS, SERVER, signingIn, SLACK].flatMap(Object.values<Operation>),
    );
  });
});
