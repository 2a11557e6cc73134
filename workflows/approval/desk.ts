import { patched } from '@temporalio/workflow';
import type { RedemptionView } from '../../contracts/approval.js';
import { isClosed, newDesk, redemptionView } from '../../domain/approval/desk.js';
import type { Desk } from '../../domain/approval/desk.js';
import type { RedeemableApproval } from '../../domain/approval/redemption.js';
import { plusSeconds, toMillis } from '../../domain/kernel/time.js';
import type { CarriedApproval } from './carried.js';
import type { ApprovalInput } from './messages.js';

/** The patch that has rows of an approval say until when its agent can pick something up. */
const TELLS_UNTIL = 'holdpoint-tells-redeemable-until';

/** What an approval keeps for an agent that is not on Temporal; nothing for any other. */
export class AgentDesk {
  private readonly within: number | undefined;
  private requestHash: string | undefined;
  private current: Desk | undefined;
  /** The question whose workflow runs: people can answer it. */
  running: string | undefined;
  /** Nobody has picked up everything in time. */
  private overdue = false;
  /** Whether rows say until when something is left. A run from before that goes on without. */
  private readonly tellsUntil: boolean = false;

  constructor(
    { redeemable }: Pick<ApprovalInput, 'redeemable'>,
    carried?: Pick<CarriedApproval, 'desk' | 'state'>,
  ) {
    this.running = carried?.state.open?.suspension_id;
    if (redeemable === undefined) return;
    this.within = redeemable.within_seconds;
    this.requestHash = redeemable.request_hash;
    this.tellsUntil = patched(TELLS_UNTIL);
    this.current = carried?.desk ?? newDesk(redeemable.sealed !== undefined);
  }

  get carried(): { readonly desk?: Desk } {
    return this.current === undefined ? {} : { desk: this.current };
  }

  viewFor(approval: RedeemableApproval): { readonly redemption?: RedemptionView } {
    if (this.current === undefined) return {};
    const until = this.tellsUntil ? this.closesAt(approval) : undefined;
    return { redemption: redemptionView(this.current, this.requestHash, until) };
  }

  /** The desk as it stands; an empty one for an agent on Temporal. */
  get desk(): Desk {
    return this.current ?? newDesk(false);
  }

  take(desk: Desk): void {
    this.current = desk;
  }

  /** Forgets what came of the calls, and closes: nothing can be picked up any more. */
  forget(): void {
    this.overdue = true;
    this.requestHash = undefined;
    if (this.current) this.current = { ...this.current, redemptions: {} };
  }

  /** Until when the desk stays open after the decision; undefined if nothing is left to pick up. */
  closesAt(approval: RedeemableApproval): string | undefined {
    const { resolution } = approval;
    if (this.current === undefined || this.within === undefined || this.overdue) return undefined;
    if (resolution === undefined || isClosed(this.current, approval)) return undefined;
    return plusSeconds(resolution.resolved_at, this.within);
  }

  /** Closes the desk once its time is over. */
  settleDue(approval: RedeemableApproval, now: number): void {
    const until = this.closesAt(approval);
    if (until !== undefined && toMillis(until) <= now) this.overdue = true;
  }
}
