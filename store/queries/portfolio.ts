import type { Reader } from '../../contracts/intent/access.js';
import { sql } from 'kysely';
import type { MembershipPage, MembershipRequest } from '../../contracts/graph/announcement.js';
import type { Intent, IntentSummary } from '../../contracts/intent/intent.js';
import type {
  Portfolio,
  PortfolioStatus,
  PortfolioSummary,
  PortfolioView,
} from '../../contracts/portfolio/portfolio.js';
import type { StatusCounts } from '../../domain/graph/aggregate.js';
import { viewOfPortfolio } from '../../domain/portfolio/view.js';
import { toJsonText, toJsonTextOrNull, toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { readableBy } from './intent.js';
import { isAny, type Form, type Page } from './bounded.js';
import { findRecord, listLarge } from './records.js';
import { journalWriter } from './upsert.js';

export interface PortfolioListOptions extends Page {
  readonly status?: PortfolioStatus | undefined;
  readonly created_by?: string | undefined;
}

export async function findPortfolio(db: Store, id: string): Promise<PortfolioView | undefined> {
  const portfolio = await findRecord(db, 'portfolios', id);
  return portfolio && viewOfPortfolio(portfolio, await memberCounts(db, id));
}

export async function listPortfolios(
  db: Store,
  { status, created_by, ...page }: PortfolioListOptions,
): Promise<Form<PortfolioView, PortfolioSummary>> {
  const where = { status, created_by };
  return viewsOf(db, await listLarge(db, 'portfolios', { ...page, first: 'newest', where }));
}

/** Returns a page of the portfolios that an intent belongs to, newest first. */
export async function portfoliosOf(
  db: Store,
  intentId: string,
  page: Page,
): Promise<Form<PortfolioView, PortfolioSummary>> {
  const among = sql`select portfolio_id from portfolio_members where intent_id = ${intentId}`;
  return viewsOf(db, await listLarge(db, 'portfolios', { ...page, first: 'newest', among }));
}

export function isMember(db: Store, portfolioId: string, intentId: string): Promise<boolean> {
  const member = sql`
    select from portfolio_members where portfolio_id = ${portfolioId} and intent_id = ${intentId}`;
  return isAny(db, member);
}

/** Returns a page of the intents of a portfolio, oldest first. */
export function listMembers(
  db: Store,
  portfolioId: string,
  page: Page,
  reader?: Reader,
): Promise<Form<Intent, IntentSummary>> {
  const among = sql`select intent_id from portfolio_members where portfolio_id = ${portfolioId}`;
  const only = reader && readableBy(reader);
  return listLarge(db, 'intents', { ...page, first: 'oldest', among, only });
}

export async function memberCounts(db: Store, portfolioId: string): Promise<StatusCounts> {
  const counts = await countsOf(db, [portfolioId]);
  return counts.get(portfolioId) ?? {};
}

async function viewsOf(
  db: Store,
  page: Form<Portfolio, Omit<Portfolio, 'metadata'>>,
): Promise<Form<PortfolioView, PortfolioSummary>> {
  const ids = page.rows.map(({ id }) => id);
  const counts = ids.length === 0 ? new Map<string, StatusCounts>() : await countsOf(db, ids);
  const view = <P extends { readonly id: string }>(one: P) =>
    viewOfPortfolio(one, counts.get(one.id) ?? {});
  return page.whole
    ? { ...page, rows: page.rows.map(view) }
    : { ...page, rows: page.rows.map(view) };
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

/** The size of a page: it stays under 256 KiB, the limit of a result, and exceeds a portfolio's initial members. */
const PAGE = 4_000;

/**
 * Returns the intents that joined or left a portfolio after a version, at most 4,000; undefined while the stored
 * portfolio is older than `last_sequence`. Only the initial members share one version.
 */
export async function membershipChanges(
  db: Store,
  { portfolio_id, since, last_sequence }: MembershipRequest,
  limit: number = PAGE,
): Promise<MembershipPage | undefined> {
  const portfolio = await db
    .selectFrom('portfolios')
    .select('version')
    .where('id', '=', portfolio_id)
    .where('last_sequence', '>=', last_sequence)
    .executeTakeFirst();
  if (portfolio === undefined) return undefined;
  const rows = await db
    .selectFrom('portfolio_memberships')
    .select((eb) => ['intent_id', 'revision', eb('membership', 'is not', null).as('is_member')])
    .where('portfolio_id', '=', portfolio_id)
    .where('revision', '>', since)
    .orderBy('revision')
    .orderBy('intent_id')
    .limit(limit)
    .execute();
  const last = rows.at(-1)?.revision ?? 0;
  const more = rows.length === limit;
  return {
    through: more ? last : Math.max(last, portfolio.version),
    more,
    changes: rows.map(({ intent_id, is_member }) => [intent_id, Boolean(is_member)]),
  };
}

export const writePortfolios = journalWriter({
  kind: 'portfolio',
  table: 'portfolios',
  version: ['last_sequence'],
  columns: ({ portfolio, last_sequence, head_hash, creation_hash }) => ({
    id: portfolio.id,
    version: portfolio.version,
    status: portfolio.status,
    created_by: toText(portfolio.created_by),
    created_at: portfolio.created_at,
    last_sequence,
    head_hash,
    creation_hash: creation_hash ?? null,
    record: toJsonText(portfolio),
  }),
});

export const writeMemberships = journalWriter({
  kind: 'portfolio_member',
  table: 'portfolio_memberships',
  key: ['portfolio_id', 'intent_id'],
  version: ['revision'],
  columns: ({ portfolio_id, intent_id, revision, membership }) => ({
    portfolio_id,
    intent_id,
    revision,
    membership: toJsonTextOrNull(membership),
  }),
});
