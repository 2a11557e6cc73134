import type { Announcement, IntentVersion } from '../../contracts/announcement.js';
import type { Coordinator } from '../../contracts/coordinator.js';
import type { IntentNote } from '../../contracts/intent.js';
import { holdChange } from '../../domain/coordinator/coordinator.js';
import { isNewer, openQuestionOf } from '../../domain/graph/announcement.js';
import { CLOCK_ACTOR } from '../../domain/suspension/events.js';

/** What a coordinator holds; outlives a run. */
export interface CarriedHolds {
  /** Intents, by id, to which the phases that it holds are wired. */
  readonly held: readonly string[];
  /** How often it has held or released. */
  readonly turns: number;
}

/**
 * The intents whose wired phases a coordinator holds: from a suspension until the intent completes or ends, is
 * no longer in its scope, or the lease is over (R26-33). The intent gets to know, and announces it, so
 * that phases hear of it that come later too.
 */
export class Holds {
  private readonly send: (note: IntentNote) => void;
  private readonly held: Set<string>;
  private turns: number;

  constructor(send: (note: IntentNote) => void, { held, turns }: CarriedHolds = NONE) {
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

  /** Releases what was held for one intent, if anything was. */
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

const NONE: CarriedHolds = { held: [], turns: 0 };

/** What outlives a run, in short: there may be 10,000 of them. */
export type CarriedLastHeard = readonly (readonly [
  intent_id: string,
  version: number,
  last_sequence: number,
])[];

/** How far each intent had come when it was heard of last; what comes late or twice is no news. */
export class LastHeard {
  private readonly known: Map<string, IntentVersion>;

  constructor(carried: CarriedLastHeard = []) {
    this.known = new Map(
      carried.map(([intent_id, version, last_sequence]) => [
        intent_id,
        { intent_id, version, last_sequence },
      ]),
    );
  }

  get carried(): CarriedLastHeard {
    return [...this.known.values()].map(({ intent_id, version, last_sequence }) => [
      intent_id,
      version,
      last_sequence,
    ]);
  }

  /** Whether it is newer than what is known, and from now on known itself. */
  advance({ intent_id, version, last_sequence }: IntentVersion): boolean {
    const next = { intent_id, version, last_sequence };
    if (!isNewer(this.known.get(intent_id), next)) return false;
    this.known.set(intent_id, next);
    return true;
  }

  /** One that leaves the scope and comes back is heard anew. */
  forget(intentId: string): void {
    this.known.delete(intentId);
  }
}
