import type { Intent } from '../../contracts/intent.js';
import type {
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  GovernancePolicy,
  Portfolio,
  PortfolioStatus,
} from '../../contracts/portfolio.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { checkOpen } from '../intent/entity.js';
import type { EventDraft, IntentChange } from '../intent/entity.js';
import { jsonBytes } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { toInstant, toMillis } from '../kernel/time.js';

/** The outcome of a write: the next portfolio and the event that tells of it. */
export interface PortfolioChange {
  readonly portfolio: Portfolio;
  readonly event: EventDraft;
}

/** How much JSON a field may hold, and how far ahead a deadline may lie (seconds). */
export interface PortfolioLimits {
  readonly portfolioFieldBytes: number;
  readonly windowSeconds: number;
}

type Fields = Pick<ChangePortfolioRequest, 'governance_policy' | 'metadata'>;
type CheckedFields = Partial<Pick<Portfolio, 'governance_policy' | 'metadata'>>;

/** The first record of a portfolio; refuses `deadline_in_past`, and `invalid_request` for what is too large. */
export function newPortfolio(
  request: CreatePortfolioRequest,
  identity: { readonly id: string; readonly created_by: string; readonly created_at: string },
  limits: PortfolioLimits,
): Ruling<Portfolio> {
  const { id, created_by, created_at } = identity;
  const fields = checkedFields(request, undefined, created_at, limits);
  if (!fields.ok) return fields;
  return ok({
    id,
    name: request.name,
    description: request.description ?? null,
    status: 'active',
    version: 1,
    governance_policy: fields.value.governance_policy ?? {},
    metadata: fields.value.metadata ?? {},
    created_by,
    created_at,
    updated_at: created_at,
  });
}

/** Refuses `portfolio_closed` once a portfolio is completed or abandoned. */
export function checkPortfolioOpen({ status }: Portfolio): Ruling<true> {
  if (status === 'active') return ok(true);
  const state = { portfolio_status: status };
  return refuse('portfolio_closed', `The portfolio is ${status}.`, { state });
}

/** Replaces what the request names; a deadline may be moved or dropped, but not into the past. */
export function changePortfolio(
  portfolio: Portfolio,
  request: ChangePortfolioRequest,
  actor: string,
  now: string,
  limits: PortfolioLimits,
): Ruling<PortfolioChange> {
  const open = checkPortfolioOpen(portfolio);
  if (!open.ok) return open;
  const fields = checkedFields(request, portfolio.governance_policy.deadline, now, limits);
  if (!fields.ok) return fields;
  const { name, description } = request;
  const changed = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...fields.value,
  };
  const version = portfolio.version + 1;
  const payload = { fields: Object.keys(changed), version, ...deadlineIn(fields.value) };
  return ok({
    portfolio: { ...portfolio, ...changed, version, updated_at: now },
    event: { event_type: 'portfolio.changed', actor, payload },
  });
}

/** Closes a portfolio; what it came to by itself is the aggregate's to tell. Refuses `portfolio_closed`. */
export function closePortfolio(
  portfolio: Portfolio,
  status: PortfolioStatus,
  actor: string,
  now: string,
): Ruling<PortfolioChange> {
  const open = checkPortfolioOpen(portfolio);
  if (!open.ok) return open;
  if (status === 'active') {
    return refuse('invalid_transition', 'The portfolio is active.', {
      field: 'status',
      accepted: 'completed, abandoned',
      state: { portfolio_status: status },
    });
  }
  const version = portfolio.version + 1;
  const payload = { status, version };
  return ok({
    portfolio: { ...portfolio, status, version, updated_at: now },
    event: { event_type: 'portfolio.status_changed', actor, payload },
  });
}

function checkedFields(
  { governance_policy: policy, metadata }: Fields,
  deadline: string | null | undefined,
  now: string,
  limits: PortfolioLimits,
): Ruling<CheckedFields> {
  for (const [field, value] of Object.entries({ governance_policy: policy, metadata })) {
    if (jsonBytes(value) <= limits.portfolioFieldBytes) continue;
    const accepted = `at most ${limits.portfolioFieldBytes} bytes of JSON`;
    return refuse('invalid_request', `${field} is too large.`, { field, accepted });
  }
  const known = policy && withInstant(policy);
  const wanted = known?.deadline;
  if (typeof wanted === 'string' && wanted !== deadline) {
    const ahead = checkDeadline(wanted, now, limits.windowSeconds);
    if (!ahead.ok) return ahead;
  }
  return ok({ ...(known && { governance_policy: known }), ...(metadata && { metadata }) });
}

/** The policy with its deadline in UTC, and without one that is null. */
function withInstant({ deadline, ...rest }: GovernancePolicy): GovernancePolicy {
  if (deadline === null || deadline === undefined) return rest;
  return { ...rest, deadline: toInstant(toMillis(deadline)) };
}

function checkDeadline(deadline: string, now: string, windowSeconds: number): Ruling<true> {
  const field = 'governance_policy.deadline';
  const seconds = (toMillis(deadline) - toMillis(now)) / 1_000;
  if (seconds <= 0) {
    const accepted = `an instant after ${now}`;
    return refuse('deadline_in_past', 'The deadline has passed already.', { field, accepted });
  }
  if (seconds <= windowSeconds) return ok(true);
  const accepted = `an instant within ${windowSeconds} seconds`;
  return refuse('invalid_request', 'The deadline lies too far ahead.', { field, accepted });
}

function deadlineIn({ governance_policy: policy }: CheckedFields): JsonObject {
  return policy === undefined ? {} : { deadline: policy.deadline ?? null };
}

/**
 * Keeps a governance policy with the intent, or removes it (wire contract §7): one version, and one event.
 * It is kept as it is given, and not enforced. Refuses `intent_closed`.
 */
export function changeGovernance(
  intent: Intent,
  policy: JsonObject | null,
  actor: string,
  now: string,
): Ruling<IntentChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const version = intent.version + 1;
  const { governance_policy: _former, ...rest } = intent;
  const payload = policy === null ? { version } : { policy, version };
  const event_type = policy === null ? 'governance.policy_removed' : 'governance.policy_set';
  return ok({
    intent: {
      ...rest,
      ...(policy !== null && { governance_policy: policy }),
      version,
      updated_at: now,
    },
    events: [{ event_type, actor, payload }],
  });
}
