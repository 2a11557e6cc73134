import type { IntentPlace } from '../../contracts/announcement.js';
import { isNewer } from '../../domain/observed.js';

/** What outlives a run, in short: there may be 10,000 of them. */
export type CarriedPlaces = readonly (readonly [
  intent_id: string,
  version: number,
  last_sequence: number,
])[];

/** How far each intent had come when it was heard of last; what comes late or twice is no news (TM-07). */
export class Places {
  private readonly known: Map<string, IntentPlace>;

  constructor(carried: CarriedPlaces = []) {
    this.known = new Map(
      carried.map(([intent_id, version, last_sequence]) => [
        intent_id,
        { intent_id, version, last_sequence },
      ]),
    );
  }

  get carried(): CarriedPlaces {
    return [...this.known.values()].map(({ intent_id, version, last_sequence }) => [
      intent_id,
      version,
      last_sequence,
    ]);
  }

  /** Whether it is newer than what is known, and from now on known itself. */
  advance({ intent_id, version, last_sequence }: IntentPlace): boolean {
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
