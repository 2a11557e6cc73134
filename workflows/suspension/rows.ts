import type { JournalRow } from '../../contracts/journal.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { SettledRecord, TimelineEntry, TimelineKind } from '../../contracts/suspension.js';
import { toInstant } from '../../domain/kernel/time.js';
import { settlementOf } from '../../domain/suspension/state.js';
import type { SuspensionState } from '../../domain/suspension/state.js';
import { now } from '../engine/clock.js';
import type { Journal } from '../engine/journal.js';
import type { SuspensionInput } from './messages.js';

/**
 * What goes as planned: the store gets it with the next row that a list shows, which spares every question
 * a write or two. Who reads one question asks its workflow.
 */
const AS_PLANNED: readonly TimelineKind[] = ['opened', 'attempt', 'attempt_skipped', 'delivered'];

/** What happened to one suspension, in order; each entry goes to the store as well. */
export class Timeline {
  private readonly recorded: TimelineEntry[];
  private readonly suspensionId: string;
  private readonly journal: Journal;

  constructor(suspensionId: string, journal: Journal, carried: readonly TimelineEntry[] = []) {
    this.suspensionId = suspensionId;
    this.journal = journal;
    this.recorded = [...carried];
  }

  get entries(): readonly TimelineEntry[] {
    return this.recorded;
  }

  count(kind: TimelineKind): number {
    return this.recorded.filter((entry) => entry.kind === kind).length;
  }

  add(kind: TimelineKind, detail: JsonObject, at = toInstant(now())): void {
    const entry = { sequence: this.recorded.length + 1, at, kind, detail };
    this.recorded.push(entry);
    const row = { kind: 'timeline', suspension_id: this.suspensionId, entry } as const;
    if (AS_PLANNED.includes(kind)) this.journal.appendLazily(row);
    else this.journal.append(row);
  }
}

/** The row by which lists know a question from the moment it is asked. */
export function openingRow({
  intent_id,
  asked_by,
  record,
  schedule,
}: Pick<SuspensionInput, 'intent_id' | 'asked_by' | 'record' | 'schedule'>): JournalRow {
  return { kind: 'suspension_opened', intent_id, asked_by, record, schedule };
}

/** The row of a settled question; a lower revision never overwrites a higher. */
export function settledRow(
  { record, accepted }: Pick<SuspensionState, 'accepted'> & { readonly record: SettledRecord },
  revision: number,
): JournalRow {
  return {
    kind: 'suspension_settled',
    suspension_id: record.id,
    revision,
    settlement: settlementOf(record),
    ...(accepted && { answer: accepted.answer }),
  };
}
