import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { PortfolioAnnouncement } from '../../contracts/announcement.js';
import { askToObserve } from '../engine/observing.js';
import { Sender, UNTIL_DONE } from '../engine/sender.js';

const { readMembers } = proxyActivities<Pick<Activities, 'readMembers'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'read the members of a portfolio',
});

/** Who belongs to the portfolio, as of a version; outlives a run. */
export interface CarriedMembership {
  readonly members: readonly string[];
  readonly known: number;
  readonly asked: boolean;
  /** How far the portfolio's log has come, where that is news. */
  readonly wanted: number | null;
}

/** Who came and who left. */
export interface MembersMoved {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

/**
 * The members of a portfolio: it announces that it changed, and the changes are read from the store, so that
 * 10,000 of them make no large message (docs/adr/0023). A portfolio that is closed is read once.
 */
export class Membership extends Sender {
  private readonly portfolioId: string;
  private readonly moved: (moves: MembersMoved) => void;
  private readonly members: Set<string>;
  private known: number;
  private asked: boolean;
  private wanted: number | null;

  constructor(
    portfolioId: string,
    moved: (moves: MembersMoved) => void,
    carried: CarriedMembership = NONE,
  ) {
    super();
    this.portfolioId = portfolioId;
    this.moved = moved;
    this.members = new Set(carried.members);
    this.known = carried.known;
    this.asked = carried.asked;
    this.wanted = carried.wanted;
  }

  get carried(): CarriedMembership {
    const { known, asked, wanted } = this;
    return { members: [...this.members], known, asked, wanted };
  }

  has(intentId: string): boolean {
    return this.members.has(intentId);
  }

  /** An older announcement, or one of another portfolio, changes nothing. */
  take({ portfolio_id, last_sequence, version }: PortfolioAnnouncement): void {
    if (portfolio_id !== this.portfolioId || version <= this.known) return;
    this.wanted = Math.max(this.wanted ?? 0, last_sequence);
  }

  /** A coordinator that ends needs to hear of nobody any more. */
  override get owes(): boolean {
    return false;
  }

  protected override get ready(): boolean {
    return !this.asked || this.wanted !== null;
  }

  protected override async sendNext(): Promise<void> {
    if (this.wanted === null) await this.ask();
    else await this.read(this.wanted);
  }

  private async ask(): Promise<void> {
    const unreached = await askToObserve('portfolio', [this.portfolioId]);
    this.asked = true;
    if (unreached.length > 0) this.wanted ??= 0;
  }

  private async read(last_sequence: number): Promise<void> {
    const request = { portfolio_id: this.portfolioId, since: this.known, last_sequence };
    const { through, more, changes } = await readMembers(request);
    const joined = changes.flatMap(([id, is]) => (is && !this.members.has(id) ? [id] : []));
    const left = changes.flatMap(([id, is]) => (!is && this.members.has(id) ? [id] : []));
    for (const id of joined) this.members.add(id);
    for (const id of left) this.members.delete(id);
    this.known = through;
    if (!more && this.wanted === last_sequence) this.wanted = null;
    this.moved({ joined, left });
  }
}

const NONE: CarriedMembership = { members: [], known: 0, asked: false, wanted: null };
