import type { UpdateDefinition } from '@temporalio/common';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../../../contracts/portfolio.js';
import {
  addMemberUpdate,
  changePortfolioUpdate,
  closePortfolioUpdate,
  removeMemberUpdate,
} from '../../../workflows/portfolio/messages.js';
import { sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import { memberFrom } from './creation.js';
import type { GetPortfolio } from './reads.js';
import type { OwnReach } from '../intent/access.js';
import { demandEntityId, refused } from '../refusals.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'update'>;
  readonly readNamed: OwnReach['readNamed'];
  readonly getPortfolio: GetPortfolio;
  readonly consistency: Pick<Consistency, 'touch' | 'hold'>;
}

/**
 * Writes to portfolios. Each throws what the portfolio refuses with, `portfolio_not_found`,
 * `portfolio_closed`, and `workflow_unavailable` if no worker took it within 10 s: it may still be
 * carried out. A member has to exist when it is added (`intent_not_found`); it is followed with the portfolio
 * as soon as the store holds it, for which an addition waits up to 2 s.
 */
export function createPortfolios({ temporal, readNamed, getPortfolio, consistency }: Deps) {
  const write = createLiveWrite(temporal, 'portfolio', async (id) => {
    const { status } = (await getPortfolio(id)).value;
    const state = { portfolio_status: status };
    return status === 'active'
      ? refused('workflow_unavailable', 'The portfolio has no running workflow.', { state })
      : refused('portfolio_closed', `The portfolio is ${status}.`, { state });
  });

  async function written<R extends { readonly last_sequence: number }, A>(
    portfolioId: string,
    definition: UpdateDefinition<R, [A]>,
    argument: A,
  ): Promise<R> {
    const result = await write(portfolioId, definition, argument);
    consistency.touch(portfolioId, result.last_sequence);
    return result;
  }

  return {
    async changePortfolio(
      caller: Caller,
      portfolioId: string,
      ifMatch: number,
      change: ChangePortfolioRequest,
    ): Promise<PortfolioView> {
      const input = { ...sentBy(caller), if_match: ifMatch, change };
      return (await written(portfolioId, changePortfolioUpdate, input)).portfolio;
    },
    async closePortfolio(
      caller: Caller,
      portfolioId: string,
      status: PortfolioStatus,
    ): Promise<PortfolioView> {
      await written(portfolioId, closePortfolioUpdate, { ...sentBy(caller), status });
      return (await getPortfolio(portfolioId)).value;
    },
    async addMember(
      caller: Caller,
      portfolioId: string,
      request: AddMemberRequest,
    ): Promise<Membership> {
      demandEntityId('portfolio', portfolioId);
      const read = (intentId: string) => readNamed(caller, intentId);
      const member = await memberFrom(read, request, 'intent_id');
      const added = await written(portfolioId, addMemberUpdate, {
        ...sentBy(caller),
        ...member,
      });
      await consistency.hold(portfolioId, added.last_sequence);
      return added.membership;
    },
    async removeMember(caller: Caller, portfolioId: string, intent_id: string): Promise<void> {
      await written(portfolioId, removeMemberUpdate, { ...sentBy(caller), intent_id });
    },
  };
}
