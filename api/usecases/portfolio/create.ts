import { LIMITS } from '../../../contracts/constants/limits.js';
import type {
  AddMemberRequest,
  CreatePortfolioRequest,
  Portfolio,
  PortfolioView,
} from '../../../contracts/portfolio/portfolio.js';
import { countStatuses } from '../../../domain/graph/aggregate.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { newPortfolio } from '../../../domain/portfolio/portfolio.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import { statusAttributes } from '../../../workflows/engine/search-attributes.js';
import type { NewMember, PortfolioInput } from '../../../workflows/portfolio/messages.js';
import { RefusalError, demand } from '../../errors.js';
import { nameFor } from '../../parts/caller.js';
import type { Caller, Naming } from '../../parts/caller.js';
import { logStartOf } from '../../parts/calls/once.js';
import type { Creation } from '../../parts/calls/once.js';
import { refused } from '../../parts/refusals.js';
import { START, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { memberFrom } from './write.js';

/**
 * Starts a portfolio; with an Idempotency-Key once. Waits up to 2 s for the store to hold the members, which are followed
 * with the portfolio from then on.
 */
export const createPortfolio = useCase({
  name: 'createPortfolio',
  resource: 'portfolio',
  refusals: [
    'deadline_in_past',
    'intent_not_found',
    'member_exists',
    'idempotency_key_reused',
    'removed_by_retention',
    ...START,
  ],
  async run(
    call: Call,
    request: CreatePortfolioRequest,
    key?: string,
    naming: Naming = {},
  ): Promise<PortfolioView> {
    const { caller, parts } = call;
    const refusal = 'Only an admin key may create a portfolio in the name of somebody else.';
    const sent = { field: 'created_by', name: request.created_by, refusal };
    const created_by = nameFor(caller, 'createPortfolio', sent, naming);
    const creation = parts.creationOf('portfolio', caller, key, request);
    const { id } = creation;
    const { principal: owner } = caller;
    const identity = { id, created_by, owner, created_at: toInstant(parts.clock.now()) };
    return parts.portfolios.createOnce(creation, async () => {
      const made = demand(newPortfolio(request, identity, LIMITS));
      const members = await membersOf(call, request.intents);
      demandReach(caller, made, members);
      return begin(call, creation, { portfolio: made, members, ...logStartOf(creation) });
    });
  },
});

async function begin(
  { parts: { temporal, portfolios, consistency } }: Call,
  { id, workflowId }: Creation,
  input: PortfolioInput & { readonly members: readonly NewMember[] },
): Promise<PortfolioView | 'exists'> {
  const { portfolio, members } = input;
  const outcome = await temporal.start('portfolio', {
    workflowId,
    input,
    summary: portfolio.name,
    attributes: statusAttributes(portfolio.status),
  });
  if (outcome === 'exists') return 'exists';
  if (members.length === 0) portfolios.touch(id, 1);
  else await consistency.hold(id, 1 + members.length);
  return viewOfPortfolio(portfolio, countStatuses(members.map(({ snapshot }) => snapshot.status)));
}

/** Throws `forbidden` if the deadline of a new portfolio would reach intents of others. */
function demandReach(
  caller: Caller,
  { governance_policy }: Portfolio,
  members: readonly NewMember[],
): void {
  if (typeof governance_policy.deadline !== 'string' || members.length === 0) return;
  const owners = members.map(({ owner }) => owner);
  const allowed = authorize(caller, 'addMember', { when: 'withDeadline', owners });
  if (!allowed.ok) throw new RefusalError({ ...allowed.refusal, field: 'intents' });
}

/** Throws `member_exists` and `intent_not_found` with the field at fault. */
async function membersOf(
  call: Call,
  requests: readonly AddMemberRequest[],
): Promise<readonly NewMember[]> {
  const ids = requests.map(({ intent_id }) => intent_id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (twice >= 0) {
    throw refused('member_exists', 'An intent is named twice.', {
      field: `intents[${twice}].intent_id`,
      accepted: 'each intent once',
    });
  }
  return Promise.all(
    requests.map((request, index) => memberFrom(call, request, `intents[${index}].intent_id`)),
  );
}
