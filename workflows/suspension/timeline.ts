import type { JsonObject } from '../../contracts/json.js';
import type { TimelineEntry, TimelineKind } from '../../contracts/timeline.js';
import { toInstant } from '../../domain/time.js';
import type { Journal } from '../support/journal.js';
import { now } from '../support/clock.js';

/**
 * What goes as planned: the store gets it with the next row that a list shows, which spares every question
 * a write or two. Who reads one question asks its workflow.
 */
const AS_PLANNED: readonly TimelineKind[] = ['opened', 'attempt', 'attempt_skipped', 'delivered'];

/** What happened to one suspension, in order; each entry goes to the store as well. */
export class Timeline {
  private readonly told: TimelineEntry[];
  private readonly suspensionId: string;
  private readonly journal: Journal;

  constructor(suspensionId: string, journal: Journal, carried: readonly TimelineEntry[] = []) {
    this.suspensionId = suspensionId;
    this.journal = journal;
    this.told = [...carried];
  }

  get entries(): readonly TimelineEntry[] {
    return this.told;
  }

  count(kind: TimelineKind): number {
    return this.told.filter((entry) => entry.kind === kind).length;
  }

  tell(kind: TimelineKind, detail: JsonObject, at = toInstant(now())): void {
    const entry = { sequence: this.told.length + 1, at, kind, detail };
    this.told.push(entry);
    const row = { kind: 'timeline', suspension_id: this.suspensionId, entry } as const;
    if (AS_PLANNED.includes(kind)) this.journal.appendLazily(row);
    else this.journal.append(row);
  }
}
