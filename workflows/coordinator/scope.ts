import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type {
  Announcement,
  IntentVersion,
  PortfolioAnnouncement,
} from '../../contracts/graph/announcement.js';
import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import type { IntentNote } from '../../contracts/intent/intent.js';
import { holdChange } from '../../domain/coordinator/coordinator.js';
import { isNewer, openQuestionOf } from '../../domain/graph/announcement.js';
import { CLOCK_ACTOR } from '../../domain/suspension/record/events.js';
import { observeSignal } from '../engine/messages.js';
import { Sender, UNTIL_DONE, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';

const { readMembers } = proxyActivities<Pick<Activities, 'readMembers'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'read the members of a portfolio',
});

export interface CarriedMembership {
  readonly members: readonly string[];
  readonly known: number;
  readonly asked: boolean;
  /** The newest sequence in the portfolio's log that must still be read; null if none. */
  readonly wanted: number | null;
}

export interface MembersMoved {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

/**
 * The members of a portfolio. It announces only that it changed, and the changes are read from the store, so that
 * 10,000 of them make no large message (docs/adr/0023). A closed portfolio is read once.
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
    carried: CarriedMembership = NO_MEMBERS,
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

  /** An older announcement, or that of another portfolio, changes nothing. */
  take({ portfolio_id, last_sequence, version }: PortfolioAnnouncement): void {
    if (portfolio_id !== this.portfolioId || version <= this.known) return;
    this.wanted = Math.max(this.wanted ?? 0, last_sequence);
  }

  /** A coordinator that ends needs no more announcements. */
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
    const portfolio = peerIdOf('portfolio', this.portfolioId);
    const isThere = await trySignal(portfolio, observeSignal, workflowInfo().workflowId);
    this.asked = true;
    if (!isThere) this.wanted ??= 0;
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

const NO_MEMBERS: CarriedMembership = { members: [], known: 0, asked: false, wanted: null };

export interface CarriedHolds {
  readonly held: readonly string[];
  /** How often it has held or released something. */
  readonly turns: number;
}

/**
 * The intents whose wired phases a coordinator holds: from a suspension until the intent ends or leaves the scope, or
 * the lease ends (R26-33). The intent announces the hold, so that phases that are wired later learn of it.
 */
export class Holds {
  private readonly send: (note: IntentNote) => void;
  private readonly held: Set<string>;
  private turns: number;

  constructor(send: (note: IntentNote) => void, { held, turns }: CarriedHolds = NO_HOLDS) {
    this.send = send;
    this.held = new Set(held);
    this.turns = turns;
  }

  get carried(): CarriedHolds {
    return { held: [...this.held], turns: this.turns };
  }

  observe(coordinator: Coordinator, announcement: Announcement): void {
    const { intent_id } = announcement;
    const turn = holdChange(coordinator.suspension_policy, announcement, this.held.has(intent_id));
    if (turn === 'forget') this.held.delete(intent_id);
    if (turn !== 'hold') return;
    this.held.add(intent_id);
    const suspension_id = openQuestionOf(announcement)?.suspension_id ?? null;
    this.turn(coordinator, intent_id, true, { intent_id, suspension_id });
  }

  release(coordinator: Coordinator, intentId: string, reason: 'left' | 'lease_over'): void {
    if (!this.held.delete(intentId)) return;
    this.turn(coordinator, intentId, false, { intent_id: intentId, reason });
  }

  releaseAll(coordinator: Coordinator): void {
    for (const intentId of [...this.held]) this.release(coordinator, intentId, 'lease_over');
  }

  private turn(
    { id: coordinator_id }: Coordinator,
    intent_id: string,
    held: boolean,
    payload: IntentNote['payload'],
  ): void {
    this.turns += 1;
    this.send({
      key: `${coordinator_id}:hold:${this.turns}`,
      intent_id,
      actor: CLOCK_ACTOR,
      event_type: `coordinator.dependents_${held ? 'held' : 'released'}`,
      payload: { coordinator_id, ...payload },
      hold: { coordinator_id, held },
    });
  }
}

const NO_HOLDS: CarriedHolds = { held: [], turns: 0 };

/** The versions that outlive a run, in a short form: there may be 10,000 of them. */
export type CarriedLastHeard = readonly (readonly [
  intent_id: string,
  version: number,
  last_sequence: number,
])[];

/** The latest version that each intent announced; late and repeated announcements are ignored. */
export class LastHeard {
  private readonly known = new Map<string, IntentVersion>();

  constructor(carried: CarriedLastHeard = []) {
    for (const [intent_id, version, last_sequence] of carried)
      this.known.set(intent_id, { intent_id, version, last_sequence });
  }

  get carried(): CarriedLastHeard {
    const versions = [...this.known.values()];
    return versions.map(({ intent_id, version, last_sequence }) => [
      intent_id,
      version,
      last_sequence,
    ]);
  }

  /** Notes a version; returns whether it is newer than the known one. */
  advance({ intent_id, version, last_sequence }: IntentVersion): boolean {
    const next = { intent_id, version, last_sequence };
    if (!isNewer(this.known.get(intent_id), next)) return false;
    this.known.set(intent_id, next);
    return true;
  }

  /** Drops an intent that leaves the scope, so that its next announcement counts if it comes back. */
  forget(intentId: string): void {
    this.known.delete(intentId);
  }
}
