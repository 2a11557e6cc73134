import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { erasedEvent, identityOf } from '../../domain/intent/erasure.js';
import { newestWithin } from '../../domain/kernel/json.js';
import { recordedKey, type RecordedEvent } from '../../domain/suspension/record/events.js';

/** What outlives a run. */
export interface CarriedEvents {
  /** What the log says of the latest questions. */
  readonly recorded?: readonly RecordedEvent[];
  /** Events by the key under which they were appended, newest last. */
  readonly keyed_events?: readonly (readonly [key: string, event: IntentEvent])[];
}

/**
 * What the log says of the latest questions, and how approvals were decided: an agent that posts the same events
 * itself adds none a second time, whichever side comes first.
 */
export class RecordedEvents {
  private kept: readonly RecordedEvent[];
  private keyed: NonNullable<CarriedEvents['keyed_events']>;

  constructor({ recorded = [], keyed_events = [] }: CarriedEvents = {}) {
    this.kept = recorded;
    this.keyed = keyed_events;
  }

  get carried(): CarriedEvents {
    return {
      recorded: this.kept,
      ...(this.keyed.length > 0 && { keyed_events: this.keyed }),
    };
  }

  /** The latest questions that the log speaks of. */
  get questionIds(): readonly string[] {
    return [...new Set(this.kept.map(questionOf))].filter((id) => id !== undefined);
  }

  /** The event that was appended under this key. */
  under(key: string | undefined): IntentEvent | undefined {
    return this.keyed.find(([known]) => known === key)?.[1];
  }

  /** Remembers it under its key, if it has one; beyond a size the oldest are forgotten. */
  keep(key: string | undefined, event: IntentEvent): void {
    if (key === undefined) return;
    this.keyed = newestWithin([...this.keyed, [key, event]], WORKFLOW_LIMITS.keptNoteBytes);
  }

  /** The recorded event that says the same, among those that count. */
  find(draft: EventDraft, counts: (one: RecordedEvent) => boolean): IntentEvent | undefined {
    const key = recordedKey(draft);
    if (key === undefined) return undefined;
    const found = this.kept.find((one) => counts(one) && recordedKey(one.event) === key)?.event;
    return found?.erased ? erasedEvent(found) : found;
  }

  /** Keeps of each event which it is, so that nobody adds it a second time, and nothing of what it says. */
  forget(): void {
    this.kept = this.kept.map(({ event, posted }) => ({ event: identityOf(event), posted }));
    this.keyed = this.keyed.map(([key, event]) => [key, erasedEvent(event)] as const);
  }

  /** Remembers those about a question; beyond a size the oldest are forgotten. */
  note(events: readonly IntentEvent[], posted = false): void {
    const recorded = events.filter((event) => recordedKey(event) !== undefined);
    if (recorded.length === 0) return;
    const kept = [...this.kept, ...recorded.map((event) => ({ event, posted }))];
    this.kept = newestWithin(kept, WORKFLOW_LIMITS.keptRecordedBytes);
  }

  /** Forgets all but the latest questions; an agent may still post about the one before this. */
  turnTo(suspensionId: string): void {
    const newestFirst = this.kept.map(questionOf).reverse();
    const latest = [...new Set([suspensionId, ...newestFirst.filter((id) => id !== undefined)])];
    const kept = new Set([undefined, ...latest.slice(0, WORKFLOW_LIMITS.keptRecordedQuestions)]);
    this.kept = this.kept.filter((one) => kept.has(questionOf(one)));
  }
}

/** The question that an event is about, if it is about one. */
function questionOf({ event: { payload } }: RecordedEvent): string | undefined {
  return payload['suspension_id'] as string | undefined;
}
