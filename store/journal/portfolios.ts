import { sql } from 'kysely';
import type { Store } from '../schema.js';
import { toJsonText, toText } from '../text-codec.js';
import { oneById } from './by-id.js';
import type { RowOf } from './rows.js';

type PortfolioRow = RowOf<'portfolio'>;
type MemberRow = RowOf<'portfolio_member'>;

/** Writes each portfolio's current row, unless a later one is stored. */
export async function upsertPortfolios(db: Store, rows: readonly PortfolioRow[]): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(
    rows,
    ({ portfolio }) => portfolio.id,
    (row, earlier) => row.last_sequence >= earlier.last_sequence,
  );
  await db
    .insertInto('portfolios')
    .values(
      latest.map(({ portfolio, last_sequence, head_hash }) => ({
        id: portfolio.id,
        version: portfolio.version,
        status: portfolio.status,
        created_by: toText(portfolio.created_by),
        created_at: portfolio.created_at,
        last_sequence,
        head_hash,
        record: toJsonText(portfolio),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          version: eb.ref('excluded.version'),
          status: eb.ref('excluded.status'),
          last_sequence: eb.ref('excluded.last_sequence'),
          head_hash: eb.ref('excluded.head_hash'),
          record: eb.ref('excluded.record'),
        }))
        .where(sql<boolean>`excluded.last_sequence >= portfolios.last_sequence`),
    )
    .execute();
}

/** Writes who is a member as of a revision, unless a later one is stored. */
export async function upsertMembers(db: Store, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return;
  const latest = oneById(
    rows,
    ({ portfolio_id, intent_id }) => `${portfolio_id} ${intent_id}`,
    (row, earlier) => row.revision > earlier.revision,
  );
  await db
    .insertInto('portfolio_memberships')
    .values(
      latest.map(({ portfolio_id, intent_id, revision, membership }) => ({
        portfolio_id,
        intent_id,
        revision,
        membership: membership === null ? null : toJsonText(membership),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['portfolio_id', 'intent_id'])
        .doUpdateSet((eb) => ({
          revision: eb.ref('excluded.revision'),
          membership: eb.ref('excluded.membership'),
        }))
        .whereRef('portfolio_memberships.revision', '<', 'excluded.revision'),
    )
    .execute();
}
