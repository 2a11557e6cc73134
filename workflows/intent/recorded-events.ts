import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { recordedKey, type RecordedEvent } from '../../domain/suspension/events.js';
import type { IntentEntity } from './entity.js';
import type { CarriedIntent } from './messages.js';

/**
 * What the log tells of the latest questions, and how approvals were decided, so that an agent which posts the same events itself (wire
 * contract §3.2) adds none a second time, whichever side comes first.
 */
export class RecordedEvents {
  private kept: readonly RecordedEvent[];
  private noted: NonNullable<CarriedIntent['noted']>;

  constructor({ told = [], noted = [] }: Pick<CarriedIntent, 'told' | 'noted'> = {}) {
    this.kept = told;
    this.noted = noted;
  }

  get carried(): Pick<CarriedIntent, 'told' | 'noted'> {
    return { told: this.kept, ...(this.noted.length > 0 && { noted: this.noted }) };
  }

  /** The event that was appended under this key. */
  under(key: string | undefined): IntentEvent | undefined {
    return this.noted.find(([known]) => known === key)?.[1];
  }

  /** Remembers it under its key, if it has one; beyond a size the oldest are forgotten. */
  keep(key: string | undefined, event: IntentEvent): void {
    if (key === undefined) return;
    this.noted = [...this.noted, [key, event]];
    while (jsonBytes(this.noted) > WORKFLOW_LIMITS.keptNoteBytes) this.noted = this.noted.slice(1);
  }

  /** The event that told the same, of all or of those that were posted. */
  find(draft: EventDraft, postedOnly = false): IntentEvent | undefined {
    const key = recordedKey(draft);
    if (key === undefined) return undefined;
    const same = (told: RecordedEvent) => told.posted || !postedOnly;
    return this.kept.find((told) => same(told) && recordedKey(told.event) === key)?.event;
  }

  /** Remembers those that tell of a question; beyond a size the oldest are forgotten. */
  note(events: readonly IntentEvent[], posted = false): void {
    const told = events.filter((event) => recordedKey(event) !== undefined);
    if (told.length === 0) return;
    this.kept = [...this.kept, ...told.map((event) => ({ event, posted }))];
    while (jsonBytes(this.kept) > WORKFLOW_LIMITS.keptRecordedBytes) this.kept = this.kept.slice(1);
  }

  /** Forgets what was told of all but the latest questions; an agent may post of one before this. */
  turnTo(suspensionId: string): void {
    const newestFirst = this.kept.map(questionOf).reverse();
    const latest = [...new Set([suspensionId, ...newestFirst.filter((id) => id !== undefined)])];
    const kept = new Set([undefined, ...latest.slice(0, WORKFLOW_LIMITS.keptRecordedQuestions)]);
    this.kept = this.kept.filter((told) => kept.has(questionOf(told)));
  }
}

/** The question that an event tells of; undefined where it tells of none. */
function questionOf({ event: { payload } }: RecordedEvent): string | undefined {
  return payload['suspension_id'] as string | undefined;
}

/** Appends an event that a client posts; what was told before is returned as it stands. */
export function postEvent(entity: IntentEntity, draft: EventDraft): IntentEvent {
  const known = entity.recorded.find(draft);
  if (known) return known;
  const event = entity.record(draft);
  entity.recorded.note([event], true);
  return event;
}

/** Appends the server's own events but for those that a client posted before. */
export function recordUnlessPosted(entity: IntentEntity, drafts: readonly EventDraft[]): void {
  for (const draft of drafts) {
    if (!entity.recorded.find(draft, true)) entity.recorded.note([entity.record(draft)]);
  }
}
