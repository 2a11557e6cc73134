import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Sent } from '../../contracts/people/caller.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import type {
  AddMemberRequest,
  ChangePortfolioRequest,
  Membership,
  Portfolio,
  PortfolioStatus,
  PortfolioView,
} from '../../contracts/portfolio/portfolio.js';
import type { LogStart } from '../engine/messages.js';

/** The input of a portfolio: its first record, made by `domain/portfolio/portfolio.ts`. */
export interface PortfolioInput extends LogStart {
  readonly portfolio: Portfolio;
  readonly members?: readonly NewMember[];
  /** Hash of the creating body under its Idempotency-Key, to recognise a repeated request. */
  readonly creation_hash?: string;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  /** How many questions one activity ends at the deadline; only tests set it. */
  readonly deadline_batch?: number;
}

export interface NewMember extends AddMemberRequest {
  /** The principal that owns it, which never changes; absent if unknown. */
  readonly owner?: string;
  readonly snapshot: Announcement;
}

export interface AddMemberInput extends Sent, NewMember {}
export interface RemoveMemberInput extends Sent {
  readonly intent_id: string;
}
export interface ChangePortfolioInput extends Sent {
  /** The version that the caller read. The API always sends it. */
  readonly if_match?: number;
  readonly change: ChangePortfolioRequest;
}
export interface ClosePortfolioInput extends Sent {
  readonly status: PortfolioStatus;
}

/** The portfolio for readers, and the position of its log. */
export interface PortfolioSnapshot {
  readonly portfolio: PortfolioView;
  readonly last_sequence: number;
  readonly creation_hash?: string;
}

export interface MembershipChanged {
  readonly membership: Membership;
  readonly last_sequence: number;
}

/** The position of the log after the intent was removed. */
export interface MemberRemoved {
  readonly last_sequence: number;
}

export const changePortfolioUpdate = defineUpdate<PortfolioSnapshot, [ChangePortfolioInput]>(
  'changePortfolio',
);
export const closePortfolioUpdate = defineUpdate<PortfolioSnapshot, [ClosePortfolioInput]>(
  'closePortfolio',
);
export const addMemberUpdate = defineUpdate<MembershipChanged, [AddMemberInput]>('addMember');
export const removeMemberUpdate = defineUpdate<MemberRemoved, [RemoveMemberInput]>('removeMember');
export const portfolioQuery = defineQuery<PortfolioSnapshot>('portfolio');
