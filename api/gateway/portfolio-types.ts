import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  CreatePortfolioRequest,
  Membership,
  PortfolioAggregate,
  PortfolioStatus,
  PortfolioView,
} from '../../contracts/portfolio.js';
import type { Caller, EventPage, Read } from './types.js';

export interface MemberPage {
  readonly limit: number;
  readonly offset: number;
}
export interface PortfolioPage extends MemberPage {
  readonly status?: PortfolioStatus;
  readonly created_by?: string;
}

/** A page of a portfolio's intents, and what all of them come to. */
export interface MemberList {
  readonly intents: readonly Intent[];
  readonly aggregate_status: PortfolioAggregate;
}

/** What the routes may do with portfolios (RFC-0007). */
export interface PortfolioGateway {
  createPortfolio(
    caller: Caller,
    request: CreatePortfolioRequest,
    idempotencyKey?: string,
  ): Promise<PortfolioView>;
  getPortfolio(portfolioId: string): Promise<Read<PortfolioView>>;
  listPortfolios(page: PortfolioPage): Promise<Read<readonly PortfolioView[]>>;
  changePortfolio(
    caller: Caller,
    portfolioId: string,
    change: ChangePortfolioRequest,
  ): Promise<PortfolioView>;
  closePortfolio(
    caller: Caller,
    portfolioId: string,
    status: PortfolioStatus,
  ): Promise<PortfolioView>;
  addMember(caller: Caller, portfolioId: string, request: AddMemberRequest): Promise<Membership>;
  removeMember(caller: Caller, portfolioId: string, intentId: string): Promise<void>;
  listMembers(portfolioId: string, page: MemberPage): Promise<Read<MemberList>>;
  listPortfoliosOf(intentId: string, page: MemberPage): Promise<Read<readonly PortfolioView[]>>;
  listPortfolioEvents(portfolioId: string, page: EventPage): Promise<Read<readonly IntentEvent[]>>;
}

/** What of portfolios the gateway reads from the store. Ids have the form of an entity's id. */
export interface PortfolioReads {
  findPortfolio(id: string): Promise<PortfolioView | undefined>;
  listPortfolios(page: PortfolioPage): Promise<readonly PortfolioView[]>;
  portfoliosOf(intentId: string, page: MemberPage): Promise<readonly PortfolioView[]>;
  isMember(portfolioId: string, intentId: string): Promise<boolean>;
  listMembers(portfolioId: string, page: MemberPage): Promise<readonly Intent[]>;
}
