import type { PortfolioAnnouncement } from '../../contracts/graph/announcement.js';
import type {
  Portfolio,
  PortfolioMembers,
  PortfolioAggregate,
  PortfolioView,
} from '../../contracts/portfolio/portfolio.js';
import { aggregateStatusOf, type StatusCounts } from '../graph/aggregate.js';
import type { EventDraft } from '../intent/entity.js';
import { asMarkdown } from '../kernel/text.js';
import { CLOCK_ACTOR } from '../suspension/record/events.js';
import type { MemberMove } from './members.js';

/**
 * Builds a portfolio's aggregate: completed if all members are, failed if one is abandoned, else in progress (R26-20
 * to R26-23).
 */
export function portfolioAggregate(counts: StatusCounts): PortfolioAggregate {
  const aggregate = aggregateStatusOf(counts);
  const { total, by_status } = aggregate;
  if (total > 0 && by_status.completed === total) return { ...aggregate, status: 'completed' };
  return { ...aggregate, status: by_status.abandoned ? 'failed' : 'in_progress' };
}

/** Returns a portfolio for readers: its own status together with the aggregate (R26-19). */
export function viewOfPortfolio<P extends Partial<Portfolio>>(
  portfolio: P,
  counts: StatusCounts,
): P & PortfolioMembers {
  const suspended = counts.suspended_awaiting_input ?? 0;
  return {
    ...portfolio,
    aggregate_status: portfolioAggregate(counts),
    has_suspended_members: suspended > 0,
    suspended_member_count: suspended,
  };
}

/**
 * Describes a portfolio for engineers in the Temporal UI. Markdown.
 *
 * @param reached - the deadline that has passed (ISO-8601)
 */
export function describePortfolio(view: PortfolioView, reached?: string): string {
  const { name, status, aggregate_status: aggregate, governance_policy, created_by } = view;
  const { deadline } = governance_policy;
  const waiting = view.suspended_member_count;
  const members = Object.entries(aggregate.by_status).map(([each, count]) => `${count} ${each}`);
  return [
    `**${asMarkdown(name)}**`,
    '',
    `- Status: \`${status}\`; its members come to \`${aggregate.status}\``,
    `- Members: ${members.length === 0 ? 'none' : members.join(', ')}`,
    ...(waiting > 0 ? [`- Waiting for an operator: ${waiting}`] : []),
    ...(typeof deadline === 'string'
      ? [`- Deadline: ${deadline}${pastOf(deadline, reached)}`]
      : []),
    `- Created by ${asMarkdown(created_by)}`,
  ].join('\n');
}

function pastOf(deadline: string, reached: string | undefined): string {
  return deadline === reached ? ', which has come' : '';
}

/** Returns the first event of a portfolio. */
export function createdPortfolio(portfolio: Portfolio): EventDraft {
  const { name, created_by, owner, governance_policy } = portfolio;
  const payload = { name, deadline: governance_policy.deadline ?? null };
  const principal = owner !== undefined && { principal: owner };
  return { event_type: 'portfolio.created', actor: created_by, ...principal, payload };
}

/** Returns the event of a member that began or stopped waiting (R26-85). */
export function memberMoved(
  { id: portfolio_id, suspended_member_count }: PortfolioView,
  intent_id: string,
  { kind, suspension_id }: MemberMove,
): EventDraft {
  const payload = { portfolio_id, intent_id, suspension_id, suspended_member_count };
  return { event_type: `portfolio.member_${kind}`, actor: CLOCK_ACTOR, payload };
}

export function portfolioAnnouncement(
  { id: portfolio_id, version }: Portfolio,
  { last_sequence }: Pick<PortfolioAnnouncement, 'last_sequence'>,
): PortfolioAnnouncement {
  return { portfolio_id, version, last_sequence };
}
