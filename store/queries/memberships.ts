import type { MembershipPage, MembershipRequest } from '../../contracts/announcement.js';
import type { Store } from '../schema.js';

/** Under 256 KiB, which no result may exceed, and over the members that a portfolio may be created with. */
const PAGE = 4_000;

/**
 * Who came into a portfolio and left it after a version, at most 4,000 of them; undefined while what is stored
 * of the portfolio is older than `last_sequence`. Only what it was created with shares a version.
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
