import type {
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  GovernancePolicy,
  Portfolio,
  PortfolioStatus,
} from '../../contracts/portfolio/portfolio.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { EventDraft } from '../intent/entity.js';
import { checkAhead, checkFieldSizes, checkIfMatch, ok, refuse } from '../kernel/ruling.js';
import { toInstant, toMillis } from '../kernel/time.js';
import { defined } from '../../contracts/constants/defined.js';

/** The result of a write: the next portfolio and its event. */
export interface PortfolioChange {
  readonly portfolio: Portfolio;
  readonly event: EventDraft;
}

/** The largest fields in bytes, and how many seconds ahead a deadline may be. */
interface PortfolioLimits {
  readonly portfolioFieldBytes: number;
  readonly windowSeconds: number;
}

type Fields = Pick<ChangePortfolioRequest, 'governance_policy' | 'metadata'>;
type CheckedFields = Partial<Pick<Portfolio, 'governance_policy' | 'metadata'>>;

/** Creates the first record of a portfolio. Refuses `deadline_in_past`, and `invalid_request` for large fields. */
export function newPortfolio(
  request: CreatePortfolioRequest,
  identity: {
    readonly id: string;
    readonly created_by: string;
    readonly owner: string;
    readonly created_at: string;
  },
  limits: PortfolioLimits,
): Ruling<Portfolio> {
  const { id, created_by, owner, created_at } = identity;
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
    owner,
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

/** Refuses `version_conflict` unless `ifMatch` is the current version. */
export function checkPortfolioVersion(
  { version, status }: Portfolio,
  ifMatch: number,
): Ruling<true> {
  return checkIfMatch(version, ifMatch, { portfolio_status: status });
}

export function setsDeadline(
  { governance_policy: { deadline: before = null } }: Portfolio,
  { governance_policy }: Pick<ChangePortfolioRequest, 'governance_policy'>,
): boolean {
  const deadline = governance_policy && withInstant(governance_policy).deadline;
  return typeof deadline === 'string' && deadline !== before;
}

/** Replaces the fields in the request. A deadline can be moved or removed, but not moved into the past. */
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
    ...defined({ name, description }),
    ...fields.value,
  };
  const version = portfolio.version + 1;
  const payload = { fields: Object.keys(changed), version, ...deadlineIn(fields.value) };
  return ok({
    portfolio: { ...portfolio, ...changed, version, updated_at: now },
    event: { event_type: 'portfolio.changed', actor, payload },
  });
}

/** Closes a portfolio by hand. Refuses `portfolio_closed`. */
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
  const sizes = checkFieldSizes(
    { governance_policy: policy, metadata },
    limits.portfolioFieldBytes,
  );
  if (!sizes.ok) return sizes;
  const known = policy && withInstant(policy);
  const wanted = known?.deadline;
  if (typeof wanted === 'string' && wanted !== deadline) {
    const ahead = checkAhead(wanted, now, limits.windowSeconds, {
      field: 'governance_policy.deadline',
      past: 'The deadline has passed already.',
      far: 'The deadline lies too far ahead.',
    });
    if (!ahead.ok) return ahead;
  }
  return ok(defined({ governance_policy: known, metadata }));
}

/** Returns the policy with its deadline in UTC. Drops a deadline that is null. */
function withInstant({ deadline, ...rest }: GovernancePolicy): GovernancePolicy {
  if (deadline === null || deadline === undefined) return rest;
  return { ...rest, deadline: toInstant(toMillis(deadline)) };
}

function deadlineIn({ governance_policy: policy }: CheckedFields): JsonObject {
  return policy === undefined ? {} : { deadline: policy.deadline ?? null };
}
