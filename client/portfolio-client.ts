import type { IntentEvent } from '../contracts/intent/event.js';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../contracts/portfolio/portfolio.js';
import { SubjectClient, pathOf, randomKey } from './connection.js';
import type { CreationOptions, EventQuery, PartialExcept } from './connection.js';

export type NewMember = PartialExcept<AddMemberRequest, 'intent_id'>;
export type NewPortfolio = Omit<PartialExcept<CreatePortfolioRequest, 'name'>, 'intents'> & {
  readonly intents?: readonly NewMember[];
};

/** Portfolios (RFC-0007). */
export class PortfolioClient extends SubjectClient {
  /** Creates a portfolio with its first members; the Idempotency-Key is a new one by default. */
  async create(portfolio: NewPortfolio, options: CreationOptions = {}): Promise<PortfolioView> {
    return this.connection.create('/portfolios', portfolio, options.idempotencyKey ?? randomKey());
  }

  /** Reads a portfolio with the aggregate status of its members, and how many of them wait (R26-19 … 23). */
  async get(portfolioId: string): Promise<PortfolioView> {
    return this.connection.read(pathOf('portfolios', portfolioId));
  }

  /**
   * Replaces the given fields as a whole; a running `governance_policy.deadline` can be moved. 409 `version_conflict` if
   * `version` is no longer current.
   */
  async change(
    portfolioId: string,
    version: number,
    change: ChangePortfolioRequest,
  ): Promise<PortfolioView> {
    const path = pathOf('portfolios', portfolioId);
    return this.connection.write('PATCH', path, { version, body: change });
  }

  /** Completes or abandons the portfolio; its members continue. */
  async close(portfolioId: string, status: PortfolioStatus): Promise<PortfolioView> {
    const path = pathOf('portfolios', portfolioId, '/status');
    return this.connection.write('PATCH', path, { body: { status } });
  }

  async addMember(portfolioId: string, member: NewMember): Promise<Membership> {
    return this.connection.create(pathOf('portfolios', portfolioId, '/intents'), member);
  }

  async removeMember(portfolioId: string, intentId: string): Promise<void> {
    const path = pathOf('portfolios', portfolioId, `/intents/${encodeURIComponent(intentId)}`);
    await this.connection.write('DELETE', path);
  }

  /** Returns the portfolio's own log, newest first: members joining, suspensions, the deadline. */
  async events(portfolioId: string, query: EventQuery = {}): Promise<readonly IntentEvent[]> {
    return this.connection.list(pathOf('portfolios', portfolioId, '/events'), 'events', query);
  }
}
