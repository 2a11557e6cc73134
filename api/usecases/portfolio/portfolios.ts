import { defined } from '../../../contracts/constants/defined.js';
import type { UpdateDefinition } from '@temporalio/common';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  Membership,
  Portfolio,
  PortfolioAggregate,
  PortfolioStatus,
  PortfolioSummary,
  PortfolioView,
} from '../../../contracts/portfolio/portfolio.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { announcementOf } from '../../../domain/graph/announcement.js';
import {
  addMemberUpdate,
  changePortfolioUpdate,
  closePortfolioUpdate,
  removeMemberUpdate,
  type NewMember,
  type PortfolioInput,
} from '../../../workflows/portfolio/messages.js';
import {
  nameFor,
  sentBy,
  type Caller,
  type ListedForm,
  type Naming,
  type Page,
  type Read,
} from '../../parts/caller.js';
import { demandEntityId, referenced, refused } from '../../parts/refusals.js';
import { FIRST, READ, START, WRITE, useCase, type Call } from '../usecase.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { countStatuses } from '../../../domain/graph/aggregate.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { newPortfolio } from '../../../domain/portfolio/portfolio.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import { statusAttributes } from '../../../workflows/engine/search-attributes.js';
import { RefusalError, demand } from '../../errors.js';
import { logStartOf, type Creation } from '../../parts/calls/once.js';
import type { Intent, IntentSummary } from '../../../contracts/intent/intent.js';
import {
  listMembers as storedMembers,
  listPortfolios as storedPortfolios,
  portfoliosOf,
  type PortfolioListOptions,
} from '../../../store/queries/portfolio.js';
import { listAfter } from '../../parts/reads/from-store.js';
import { intentsFor, readerFor } from '../visibility.js';

const PORTFOLIO_WRITE = ['portfolio_closed', ...WRITE] as const;

/** Sends an Update to a portfolio; lists wait for it from then on. */
async function writePortfolio<R extends { readonly last_sequence: number }, A>(
  { parts: { portfolios } }: Call,
  portfolioId: string,
  update: UpdateDefinition<R, [A]>,
  argument: A,
): Promise<R> {
  const result = await portfolios.write(portfolioId, update, argument);
  portfolios.touch(portfolioId, result.last_sequence);
  return result;
}

export const changePortfolio = useCase({
  name: 'changePortfolio',
  resource: 'portfolio',
  refusals: ['deadline_in_past', 'version_conflict', ...PORTFOLIO_WRITE],
  async run(
    call: Call,
    portfolioId: string,
    if_match: number,
    change: ChangePortfolioRequest,
  ): Promise<PortfolioView> {
    const input = { ...sentBy(call.caller), if_match, change };
    return (await writePortfolio(call, portfolioId, changePortfolioUpdate, input)).portfolio;
  },
});

/** Completes or abandons a portfolio; its members do not change. */
export const closePortfolio = useCase({
  name: 'closePortfolio',
  resource: 'portfolio',
  refusals: ['invalid_transition', ...PORTFOLIO_WRITE],
  async run(call: Call, portfolioId: string, status: PortfolioStatus): Promise<PortfolioView> {
    const input = { ...sentBy(call.caller), status };
    await writePortfolio(call, portfolioId, closePortfolioUpdate, input);
    return (await call.parts.portfolios.known(portfolioId)).value;
  },
});

/**
 * Returns an intent that is to be a member, as it is now; what it announces is newer in any case.
 * @param field - where the request has its id
 * @throws RefusalError `intent_not_found`, or what else `readNamed` throws
 */
async function memberFrom(
  { caller, parts }: Call,
  request: AddMemberRequest,
  field: string,
): Promise<NewMember> {
  const reading = parts.readNamed(caller, request.intent_id);
  const { value: intent } = await referenced(field, reading);
  const record = intent.state['_suspension'] as unknown as SuspensionRecord | null | undefined;
  const question = record ? { suspension_id: record.id, attempt: 1 } : undefined;
  const progress = { last_sequence: 0, question, held_upstream: false, holds: 0 };
  return {
    ...request,
    ...defined({ owner: intent.owner }),
    snapshot: announcementOf(intent, progress),
  };
}

/**
 * Adds an existing intent. Waits up to 2 s for the store to hold it, because streams of the portfolio follow it from
 * then on.
 */
export const addMember = useCase({
  name: 'addMember',
  resource: 'portfolio',
  refusals: ['intent_not_found', 'member_exists', 'too_many_members', ...PORTFOLIO_WRITE],
  async run(call: Call, portfolioId: string, request: AddMemberRequest): Promise<Membership> {
    demandEntityId('portfolio', portfolioId);
    const member = await memberFrom(call, request, 'intent_id');
    const input = { ...sentBy(call.caller), ...member };
    const added = await writePortfolio(call, portfolioId, addMemberUpdate, input);
    await call.parts.consistency.hold(portfolioId, added.last_sequence);
    return added.membership;
  },
});

export const removeMember = useCase({
  name: 'removeMember',
  resource: 'portfolio',
  refusals: ['member_not_found', ...PORTFOLIO_WRITE],
  async run(call: Call, portfolioId: string, intent_id: string): Promise<void> {
    const input = { ...sentBy(call.caller), intent_id };
    await writePortfolio(call, portfolioId, removeMemberUpdate, input);
  },
});

/**
 * Starts a portfolio; with an Idempotency-Key once. Waits up to 2 s for the store to hold the members, because
 * streams of the portfolio follow them from then on.
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

/** Throws `forbidden` if the deadline of a new portfolio would affect intents of others. */
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

/** Reads the members. Throws `member_exists` and `intent_not_found` with the field at fault. */
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

export const getPortfolio = useCase({
  name: 'getPortfolio',
  resource: 'portfolio',
  refusals: READ,
  async run({ parts }: Call, portfolioId: string): Promise<Read<PortfolioView>> {
    return parts.portfolios.read(portfolioId);
  },
});

export const listPortfolios = useCase({
  name: 'listPortfolios',
  resource: 'portfolio',
  refusals: ['store_unavailable'],
  async run(
    { parts: { consistency, fromStore } }: Call,
    page: PortfolioListOptions,
  ): Promise<ListedForm<PortfolioView, PortfolioSummary>> {
    return listAfter(consistency.catchUpAll(), () => fromStore(storedPortfolios, page));
  },
});

/** A page of a portfolio's intents, and the aggregate of all of them. */
export interface MemberList {
  readonly members: ListedForm<Intent, IntentSummary>;
  readonly aggregate_status: PortfolioAggregate;
}

/** Lists the intents, oldest first, with the aggregate of all of them. */
export const listMembers = useCase({
  name: 'listMembers',
  resource: 'portfolio',
  refusals: READ,
  async run(call: Call, portfolioId: string, page: Page): Promise<MemberList> {
    const { portfolios, consistency, fromStore } = call.parts;
    const { value, stale } = await portfolios.read(portfolioId);
    const list = () => fromStore(storedMembers, portfolioId, page, readerFor(call));
    const members = await listAfter(consistency.catchUpAll(), list);
    const shown = intentsFor(call, { ...members, stale: stale || members.stale });
    return { members: shown, aggregate_status: value.aggregate_status };
  },
});

export const listPortfoliosOf = useCase({
  name: 'listPortfoliosOf',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(
    { parts }: Call,
    intentId: string,
    page: Page,
  ): Promise<ListedForm<PortfolioView, PortfolioSummary>> {
    return parts.portfolios.listOf(portfoliosOf, intentId, page);
  },
});
