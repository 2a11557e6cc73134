import type { IntentEvent } from '../contracts/event.js';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  Membership,
  PortfolioStatus,
  PortfolioView,
} from '../contracts/portfolio.js';
import { create, pathOf, randomKey, read } from './connection.js';
import type { Connection, CreationOptions, EventQuery, PartialExcept } from './connection.js';
import { listIn } from './reply.js';

export type NewMember = PartialExcept<AddMemberRequest, 'intent_id'>;
export type NewPortfolio = Omit<PartialExcept<CreatePortfolioRequest, 'name'>, 'intents'> & {
  readonly intents?: readonly NewMember[];
};

/** Portfolios (RFC-0007) over HTTP. Refusals are thrown as HoldpointError with the server's code. */
export class PortfolioClient {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Creates a portfolio with its first members; the Idempotency-Key is its own unless given. */
  async create(portfolio: NewPortfolio, options: CreationOptions = {}): Promise<PortfolioView> {
    const key = options.idempotencyKey ?? randomKey();
    return (await create(this.#connection, '/portfolios', portfolio, key)) as PortfolioView;
  }

  /** Reads a portfolio with what its members come to, and how many of them wait (R26-19 … 23). */
  async get(portfolioId: string): Promise<PortfolioView> {
    return (await read(this.#connection, pathOf('portfolios', portfolioId))) as PortfolioView;
  }

  /** Replaces what is named as a whole: `governance_policy.deadline` is moved while it runs. */
  async change(portfolioId: string, change: ChangePortfolioRequest): Promise<PortfolioView> {
    return this.#patch(pathOf('portfolios', portfolioId), change);
  }

  /** Completes or abandons the portfolio; its members go on by themselves. */
  async close(portfolioId: string, status: PortfolioStatus): Promise<PortfolioView> {
    return this.#patch(pathOf('portfolios', portfolioId, '/status'), { status });
  }

  async addMember(portfolioId: string, member: NewMember): Promise<Membership> {
    const path = pathOf('portfolios', portfolioId, '/intents');
    return (await create(this.#connection, path, member)) as Membership;
  }

  async removeMember(portfolioId: string, intentId: string): Promise<void> {
    const path = pathOf('portfolios', portfolioId, `/intents/${encodeURIComponent(intentId)}`);
    await this.#connection.send({ method: 'DELETE', path, repeatable: 'undelivered' });
  }

  /** The portfolio's own log, newest first: who joined, who was suspended, the deadline. */
  async events(portfolioId: string, query: EventQuery = {}): Promise<readonly IntentEvent[]> {
    const path = pathOf('portfolios', portfolioId, '/events');
    const body = await read(this.#connection, path, { ...query });
    return listIn(body, 'events') as readonly IntentEvent[];
  }

  async #patch(path: string, body: object): Promise<PortfolioView> {
    const call = { method: 'PATCH', path, body, repeatable: 'undelivered' } as const;
    return (await this.#connection.send(call)).body as PortfolioView;
  }
}
