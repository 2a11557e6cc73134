import { sql } from 'kysely';
import type { Intent } from '../../contracts/intent.js';
import type { Portfolio, PortfolioStatus, PortfolioView } from '../../contracts/portfolio.js';
import type { StatusCounts } from '../../domain/aggregate-status.js';
import { viewOfPortfolio } from '../../domain/portfolio-view.js';
import type { Store } from '../schema.js';
import { toText } from '../text-codec.js';

export interface PortfolioListOptions {
  readonly limit: number;
  readonly offset: number;
  readonly status?: PortfolioStatus | undefined;
  readonly created_by?: string | undefined;
}

/** The portfolio as last written, with what its members are now; undefined without one. */
export async function findPortfolio(db: Store, id: string): Promise<PortfolioView | undefined> {
  const rows = await db.selectFrom('portfolios').select('record').where('id', '=', id).execute();
  const [view] = await viewsOf(
    db,
    rows.map(({ record }) => record),
  );
  return view;
}

/** A page of portfolios, newest first. */
export async function listPortfolios(
  db: Store,
  { limit, offset, status, created_by }: PortfolioListOptions,
): Promise<PortfolioView[]> {
  let wanted = db.selectFrom('portfolios').select('record');
  if (status !== undefined) wanted = wanted.where('status', '=', status);
  if (created_by !== undefined) wanted = wanted.where('created_by', '=', toText(created_by));
  const rows = await wanted
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return viewsOf(
    db,
    rows.map(({ record }) => record),
  );
}

/** A page of the portfolios that an intent belongs to, newest first. */
export async function portfoliosOf(
  db: Store,
  intentId: string,
  { limit, offset }: Pick<PortfolioListOptions, 'limit' | 'offset'>,
): Promise<PortfolioView[]> {
  const rows = await db
    .selectFrom('portfolios')
    .innerJoin('portfolio_members', 'portfolio_members.portfolio_id', 'portfolios.id')
    .select('portfolios.record')
    .where('portfolio_members.intent_id', '=', intentId)
    .orderBy('portfolios.created_at', 'desc')
    .orderBy('portfolios.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return viewsOf(
    db,
    rows.map(({ record }) => record),
  );
}

/** Whether an intent belongs to a portfolio. */
export async function isMember(db: Store, portfolioId: string, intentId: string): Promise<boolean> {
  const found = await db
    .selectFrom('portfolio_members')
    .select('intent_id')
    .where('portfolio_id', '=', portfolioId)
    .where('intent_id', '=', intentId)
    .executeTakeFirst();
  return found !== undefined;
}

/** A page of the intents of a portfolio, oldest first. */
export async function listMembers(
  db: Store,
  portfolioId: string,
  { limit, offset }: Pick<PortfolioListOptions, 'limit' | 'offset'>,
): Promise<Intent[]> {
  const rows = await db
    .selectFrom('intents')
    .innerJoin('portfolio_members', 'portfolio_members.intent_id', 'intents.id')
    .select('intents.record')
    .where('portfolio_members.portfolio_id', '=', portfolioId)
    .orderBy('intents.created_at')
    .orderBy('intents.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}

/** How many members of a portfolio have which status. */
export async function memberCounts(db: Store, portfolioId: string): Promise<StatusCounts> {
  const counts = await countsOf(db, [portfolioId]);
  return counts.get(portfolioId) ?? {};
}

async function viewsOf(db: Store, portfolios: readonly Portfolio[]): Promise<PortfolioView[]> {
  const ids = portfolios.map(({ id }) => id);
  const counts = ids.length === 0 ? new Map<string, StatusCounts>() : await countsOf(db, ids);
  return portfolios.map((portfolio) => viewOfPortfolio(portfolio, counts.get(portfolio.id) ?? {}));
}

async function countsOf(
  db: Store,
  portfolioIds: readonly string[],
): Promise<Map<string, StatusCounts>> {
  const rows = await db
    .selectFrom('portfolio_members')
    .innerJoin('intents', 'intents.id', 'portfolio_members.intent_id')
    .select(['portfolio_members.portfolio_id', 'intents.status'])
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('portfolio_members.portfolio_id', 'in', [...portfolioIds])
    .groupBy(['portfolio_members.portfolio_id', 'intents.status'])
    .execute();
  const counts = new Map<string, StatusCounts>();
  for (const { portfolio_id, status, count } of rows) {
    counts.set(portfolio_id, { ...counts.get(portfolio_id), [status]: count });
  }
  return counts;
}
