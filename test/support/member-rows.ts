import type { MembershipPage, MembershipRequest } from '../../contracts/announcement.js';
import type { JournalRow } from '../../contracts/journal.js';

/** Members that one page holds; few, so that tests see more than one. */
const PAGE = 2;

/** Who came into a portfolio and left it, as the store would tell it from such rows. */
export function membersIn(
  rows: readonly JournalRow[],
  { portfolio_id, since, last_sequence }: MembershipRequest,
): MembershipPage | undefined {
  const stored = rows.findLast(
    (row) => row.kind === 'portfolio' && row.portfolio.id === portfolio_id,
  );
  if (stored?.kind !== 'portfolio' || stored.last_sequence < last_sequence) return undefined;
  const newest = new Map(
    rows.flatMap((row) =>
      row.kind === 'portfolio_member' && row.portfolio_id === portfolio_id
        ? [[row.intent_id, row] as const]
        : [],
    ),
  );
  const changed = [...newest.values()]
    .filter(({ revision }) => revision > since)
    .sort((one, other) => one.revision - other.revision);
  const page = changed.slice(0, PAGE);
  const more = changed.length > PAGE;
  return {
    through: more ? (page.at(-1)?.revision ?? since) : stored.portfolio.version,
    more,
    changes: page.map(({ intent_id, membership }) => [intent_id, membership !== null]),
  };
}
