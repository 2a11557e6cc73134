import { defined } from '../../../contracts/constants/defined.js';
import type { UpdateDefinition } from '@temporalio/common';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../../../contracts/portfolio/portfolio.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { announcementOf } from '../../../domain/graph/announcement.js';
import {
  addMemberUpdate,
  changePortfolioUpdate,
  closePortfolioUpdate,
  removeMemberUpdate,
} from '../../../workflows/portfolio/messages.js';
import type { NewMember } from '../../../workflows/portfolio/messages.js';
import { sentBy } from '../../parts/caller.js';
import { demandEntityId, referenced } from '../../parts/refusals.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** The refusals of every write to a portfolio. */
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

/** Completes or abandons it; its members stay what they are. */
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
 * An intent that is to be a member, with what it is now; what it announces is newer in any case.
 *
 * @param field - where the request has its id
 * @throws RefusalError `intent_not_found`, or what else `readNamed` throws
 */
export async function memberFrom(
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

/** The intent has to exist. It is followed with the portfolio once the store holds it, for which this waits up to 2 s. */
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
