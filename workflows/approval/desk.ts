import type { RedemptionView } from '../../contracts/approval/approval.js';
import {
  closingAt,
  newDesk,
  redemptionView,
  type Desk,
} from '../../domain/approval/running/desk.js';
import type { RedeemableApproval } from '../../domain/approval/running/redemption.js';
import { plusSeconds, toMillis } from '../../domain/kernel/time.js';
import type { CarriedApproval } from './carried.js';
import type { ApprovalInput } from './messages.js';

/** The redemption of an approval by an agent that is not on Temporal; empty for other agents. */
export class AgentDesk {
  private readonly within: number | undefined;
  private requestHash: string | undefined;
  private current: Desk | undefined;
  private overdue = false;

  constructor(
    { redeemable }: Pick<ApprovalInput, 'redeemable'>,
    carried?: Pick<CarriedApproval, 'desk'>,
  ) {
    if (redeemable === undefined) return;
    this.within = redeemable.within_seconds;
    this.requestHash = redeemable.request_hash;
    this.current = carried?.desk ?? newDesk(redeemable.sealed !== undefined);
  }

  get carried(): { readonly desk?: Desk } {
    return this.current === undefined ? {} : { desk: this.current };
  }

  viewFor(approval: RedeemableApproval): { readonly redemption?: RedemptionView } {
    if (this.current === undefined) return {};
    const until = this.closesAt(approval);
    return { redemption: redemptionView(this.current, this.requestHash, until) };
  }

  get desk(): Desk {
    return this.current ?? newDesk(false);
  }

  take(desk: Desk): void {
    this.current = desk;
  }

  /** Deletes the results of the calls, and closes: nothing can be redeemed any more. */
  forget(): void {
    this.overdue = true;
    this.requestHash = undefined;
    if (this.current) this.current = { ...this.current, redemptions: {} };
  }

  /** Until when calls can be redeemed after the decision; undefined if none remain. */
  closesAt(approval: RedeemableApproval): string | undefined {
    const { resolution } = approval;
    if (this.current === undefined || this.within === undefined || this.overdue) return undefined;
    if (resolution === undefined) return undefined;
    return closingAt(this.current, approval, plusSeconds(resolution.resolved_at, this.within));
  }

  /** Closes the redemption once its time is over. */
  settleDue(approval: RedeemableApproval, now: number): void {
    const until = this.closesAt(approval);
    if (until !== undefined && toMillis(until) <= now) this.overdue = true;
  }
}
