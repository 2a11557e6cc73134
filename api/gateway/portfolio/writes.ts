import type { UpdateDefinition } from '@temporalio/common';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../../../contracts/portfolio.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import {
  addMemberUpdate,
  changePortfolioUpdate,
  closePortfolioUpdate,
  removeMemberUpdate,
} from '../../../workflows/portfolio/messages.js';
import { actorOf } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import { isEntityId } from '../references.js';
import { memberFrom } from './creation.js';
import type { GetPortfolio } from './reads.js';
import type { Reads } from '../intent/reads.js';
import { portfolioNotFound, refused, writeUnavailable } from '../refusals.js';
import type { Temporal } from '../calls/temporal.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'update'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly getPortfolio: GetPortfolio;
  readonly consistency: Pick<Consistency, 'touch' | 'hold'>;
}

/**
 * Writes to portfolios. Each throws what the portfolio refuses with, `portfolio_not_found`,
 * `portfolio_closed`, and `workflow_unavailable` where no worker took it within 10 s: it may still be
 * carried out. A member has to exist when it is added (`intent_not_found`); it is followed with the portfolio
 * as soon as the store holds it, for which an addition waits up to 2 s.
 */
export function createPortfolios({ temporal, reads, getPortfolio, consistency }: Deps) {
  async function write<R extends { readonly last_sequence: number }, A>(
    portfolioId: string,
    definition: UpdateDefinition<R, [A]>,
    argument: A,
  ): Promise<R> {
    if (!isEntityId(portfolioId)) throw portfolioNotFound();
    const workflowId = workflowIdOf('portfolio', portfolioId);
    const outcome = await temporal.update(workflowId, definition, argument);
    if (outcome.kind === 'done') {
      consistency.touch(portfolioId, outcome.value.last_sequence);
      return outcome.value;
    }
    if (outcome.kind === 'no_answer') throw writeUnavailable();
    const { status } = (await getPortfolio(portfolioId)).value;
    const state = { portfolio_status: status };
    if (status !== 'active') {
      throw refused('portfolio_closed', `The portfolio is ${status}.`, { state });
    }
    throw refused('workflow_unavailable', 'The portfolio has no running workflow.', { state });
  }

  return {
    async changePortfolio(
      caller: Caller,
      portfolioId: string,
      change: ChangePortfolioRequest,
    ): Promise<PortfolioView> {
      const input = { actor: actorOf(caller), change };
      return (await write(portfolioId, changePortfolioUpdate, input)).portfolio;
    },
    async closePortfolio(
      caller: Caller,
      portfolioId: string,
      status: PortfolioStatus,
    ): Promise<PortfolioView> {
      await write(portfolioId, closePortfolioUpdate, { actor: actorOf(caller), status });
      return (await getPortfolio(portfolioId)).value;
    },
    async addMember(
      caller: Caller,
      portfolioId: string,
      request: AddMemberRequest,
    ): Promise<Membership> {
      if (!isEntityId(portfolioId)) throw portfolioNotFound();
      const member = await memberFrom(reads, request, 'intent_id');
      const added = await write(portfolioId, addMemberUpdate, {
        actor: actorOf(caller),
        ...member,
      });
      await consistency.hold(portfolioId, added.last_sequence);
      return added.membership;
    },
    async removeMember(caller: Caller, portfolioId: string, intent_id: string): Promise<void> {
      await write(portfolioId, removeMemberUpdate, { actor: actorOf(caller), intent_id });
    },
  };
}
