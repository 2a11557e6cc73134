import type { PortfolioAnnouncement } from '../contracts/announcement.js';
import type { Portfolio, PortfolioView } from '../contracts/portfolio.js';
import type { EventDraft } from './intent-entity.js';
import type { MemberMove } from './portfolio-members.js';
import { CLOCK_ACTOR } from './suspension-events.js';

/** The first event of a portfolio's log. */
export function createdPortfolio({ name, created_by, governance_policy }: Portfolio): EventDraft {
  const payload = { name, deadline: governance_policy.deadline ?? null };
  return { event_type: 'portfolio.created', actor: created_by, payload };
}

/** A member began or stopped to wait (AM-10). */
export function memberMoved(
  { id: portfolio_id, suspended_member_count }: PortfolioView,
  intent_id: string,
  { kind, suspension_id }: MemberMove,
): EventDraft {
  const payload = { portfolio_id, intent_id, suspension_id, suspended_member_count };
  return { event_type: `portfolio.member_${kind}`, actor: CLOCK_ACTOR, payload };
}

/** What a portfolio announces: how far it has come. */
export function placeOf(
  { id: portfolio_id, version }: Portfolio,
  { last_sequence }: Pick<PortfolioAnnouncement, 'last_sequence'>,
): PortfolioAnnouncement {
  return { portfolio_id, version, last_sequence };
}
