import { uuid4 } from '@temporalio/workflow';
import type { IntentEvent } from '../../contracts/event.js';
import { sealEvent } from '../../domain/intent/event-chain.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from './clock.js';
import type { LogEnd } from './messages.js';

/** Numbers the events of one intent without a gap and chains them by their hashes (RFC-0019 §2). */
export class EventLog {
  private readonly intentId: string;
  private last: LogEnd;

  constructor(intentId: string, end: Partial<LogEnd> = {}) {
    this.intentId = intentId;
    this.last = { last_sequence: end.last_sequence ?? 0, head_hash: end.head_hash ?? null };
  }

  get end(): LogEnd {
    return this.last;
  }

  /** The next event, of this instant. */
  add({ event_type, actor, payload }: EventDraft): IntentEvent {
    const draft = {
      id: uuid4(),
      intent_id: this.intentId,
      sequence: this.last.last_sequence + 1,
      event_type,
      actor,
      payload,
      created_at: toInstant(now()),
    };
    const event = sealEvent(draft, this.last.head_hash);
    this.last = { last_sequence: event.sequence, head_hash: event.event_hash };
    return event;
  }
}
