import { pino } from 'pino';
import { exampleOf, EXAMPLE_IDS } from '../../../api/openapi/operation.js';
import type { Binding } from '../../../api/http/route.js';
import { mcpRoutes } from '../../../api/mcp/routes.js';
import { WELL_KNOWN_ROUTES } from '../../../api/openintent/discovery.js';
import { OPENINTENT_ROUTES } from '../../../api/openintent/index.js';
import { V1_ROUTES } from '../../../api/v1/index.js';
import type { Route } from '../../../api/v1/route.js';
import { EVENT, INTENT_ID, LEASE_ID, SUSPENSION_ID } from '../support/records.js';

/** A request for one route of one API that its operation takes. */
export interface Attempt {
  readonly binding: Binding;
  /** E.g. `POST /v1/intents/:intentId/status`. */
  readonly name: string;
  readonly path: string;
  /** Undefined for routes that take none. */
  readonly body: unknown;
}

/** What stands in a path for a name that is no id of `/v1`. */
const PARTS: Readonly<Record<string, string>> = {
  ...EXAMPLE_IDS,
  intentId: INTENT_ID,
  other: LEASE_ID,
  agent: 'helper',
  escalationId: `${INTENT_ID}.${EVENT.id}`,
  recordId: EVENT.id,
  entryId: EVENT.id,
};

/** The door for models takes calls of tools; who may open it may ask which there are. */
const MCP_ROUTES = mcpRoutes(pino({ level: 'silent' }));
const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Bodies of the OpenIntent API by method and path. A route that is not here takes none, or fails the test. */
const OPENINTENT_BODIES: Readonly<Record<string, object>> = {
  'post /intents': { title: 'Refund' },
  'post /intents/:intentId/status': { status: 'active' },
  'post /intents/:intentId/state': { state: { paid: true } },
  'put /intents/:intentId/governance': { max_cost: 3 },
  'post /intents/:intentId/events': { event_type: 'comment' },
  'post /intents/:intentId/leases': { scope: 'refunds', duration_seconds: 60 },
  'patch /intents/:intentId/leases/:leaseId': { duration_seconds: 60 },
  'post /intents/:intentId/children': { title: 'Refund' },
  'post /intents/:intentId/dependencies': { dependency_id: LEASE_ID },
  'post /intents/:intentId/suspend/respond': { suspension_id: SUSPENSION_ID, value: 'yes' },
  'post /intents/:intentId/decisions': { decision_type: 'route', outcome: 'a', reasoning: 'b' },
  'post /intents/:intentId/arbitrate': { reason: 'two agents disagree' },
  'post /intents/:intentId/escalations': { reason: 'stuck' },
  'post /escalations/:escalationId/resolve': { resolution: 'done' },
  'post /intents/:intentId/approvals': { action: 'complete', reason: 'done' },
  'put /intents/:intentId/acl': { default_policy: 'closed', entries: [] },
  'post /intents/:intentId/acl/entries': { principal_id: 'helper', permission: 'read' },
  'post /intents/:intentId/agents': { agent_id: 'helper' },
  'post /portfolios': { name: 'Refunds' },
  'patch /portfolios/:portfolioId/status': { status: 'completed' },
  'post /portfolios/:portfolioId/intents': { intent_id: INTENT_ID },
  'post /tasks': { intent_id: INTENT_ID, name: 'review' },
  'patch /tasks/:taskId': { status: 'completed' },
  'post /plans': { intent_id: INTENT_ID },
  'patch /plans/:planId': { state: 'paused' },
  'post /coordinators': { intent_id: INTENT_ID, agent_id: 'refund-agent' },
  'post /decisions': {
    coordinator_id: LEASE_ID,
    intent_id: INTENT_ID,
    decision_type: 'route',
    summary: 'a',
    rationale: 'b',
  },
  'post /subscriptions': { webhook_url: 'https://example.com/hook' },
  'post /agents/register': { agent_id: 'helper' },
  'post /agents/:agent/heartbeat': {},
  'patch /agents/:agent/status': { status: 'draining' },
};

function pathOf(prefix: string, { path }: Binding): string {
  return (
    prefix +
    path.replaceAll(/:(\w+)/g, (_part, name: string) => {
      const value = PARTS[name];
      if (value === undefined)
        throw new Error(`No test knows what stands for :${name} in ${path}.`);
      return value;
    })
  );
}

function attemptAt(
  prefix: string,
  binding: Binding,
  bodyOf: (binding: Binding) => unknown,
): Attempt {
  const name = `${binding.method.toUpperCase()} ${prefix}${binding.path}`;
  const body = binding.takesBody ? bodyOf(binding) : undefined;
  if (binding.takesBody && body === undefined) throw new Error(`No test has a body for ${name}.`);
  return { binding, name, path: pathOf(prefix, binding), body };
}

/**
 * A request for every route of both APIs.
 *
 * @throws Error for a route that no request is known for
 */
export function everyAttempt(): readonly Attempt[] {
  const example = (binding: Binding) => exampleOf((binding as Route).id, 'request');
  const written = ({ method, path }: Binding) => OPENINTENT_BODIES[`${method} ${path}`];
  return [
    ...V1_ROUTES.map((route) => attemptAt('/v1', route, example)),
    ...OPENINTENT_ROUTES.map((route) => attemptAt('/api/v1', route, written)),
    ...WELL_KNOWN_ROUTES.map((route) => attemptAt('/.well-known', route, written)),
    ...MCP_ROUTES.map((route) => attemptAt('/mcp', route, () => LIST_TOOLS)),
  ];
}
