import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { recordedKey, type RecordedEvent } from '../../domain/suspension/events.js';

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

  /** The event that was appended under this key. */
  under(key: string | undefined): IntentEvent | undefined {
    return this.keyed.find(([known]) => known === key)?.[1];
  }

  /** Remembers it under its key, if it has one; beyond a size the oldest are forgotten. */
  keep(key: string | undefined, event: IntentEvent): void {
    if (key === undefined) return;
    this.keyed = [...this.keyed, [key, event]];
    while (jsonBytes(this.keyed) > WORKFLOW_LIMITS.keptNoteBytes) this.keyed = this.keyed.slice(1);
  }

  /** The event that says the same, of all or of those that were posted. */
  find(draft: EventDraft, postedOnly = false): IntentEvent | undefined {
    const key = recordedKey(draft);
    if (key === undefined) return undefined;
    const counts = ({ posted }: RecordedEvent) => posted || !postedOnly;
    return this.kept.find((one) => counts(one) && recordedKey(one.event) === key)?.event;
  }

  /** Remembers those about a question; beyond a size the oldest are forgotten. */
  note(events: readonly IntentEvent[], posted = false): void {
    const recorded = events.filter((event) => recordedKey(event) !== undefined);
    if (recorded.length === 0) return;
    this.kept = [...this.kept, ...recorded.map((event) => ({ event, posted }))];
    while (jsonBytes(this.kept) > WORKFLOW_LIMITS.keptRecordedBytes) this.kept = this.kept.slice(1);
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
