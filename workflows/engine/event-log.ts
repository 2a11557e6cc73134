import { SERVER } from '../../contracts/constants/callers.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { payloadSalt, sealEvent } from '../../domain/log/seal.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { hmacBase64Url } from '../../domain/kernel/hashing.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now, reach } from './clock.js';
import type { LogEnd, LogPosition, LogStart } from './messages.js';
import { addedToLog } from './task-mark.js';

/** Numbers the events of one intent without a gap and chains them by their hashes (RFC-0019 §2). */
export class EventLog {
  private readonly intentId: string;
  private readonly key: string;
  private readonly beganAt: string | undefined;
  private last: LogEnd;

  /** `beganAt` is the instant of the first event, if that should differ from the time of the task that adds it. */
  constructor(
    intentId: string,
    { log_key = intentId }: LogStart,
    end: Partial<LogEnd> = {},
    beganAt?: string,
  ) {
    this.intentId = intentId;
    this.key = log_key;
    this.beganAt = beganAt;
    if (beganAt !== undefined) reach(beganAt);
    this.last = { last_sequence: end.last_sequence ?? 0, head_hash: end.head_hash ?? null };
  }

  get end(): LogEnd {
    return this.last;
  }

  /** Derives the key for the log of a question, without revealing the key of this log. */
  keyFor(id: string): string {
    return hmacBase64Url(this.key, `log of ${id}`);
  }

  /** The position of the log, and the one that the store has confirmed; `unwritten` are the unconfirmed rows. */
  position(version: number, unwritten: readonly JournalRow[]): LogPosition {
    const first = unwritten.find((row) => row.kind === 'event');
    const next = first?.event.sequence ?? this.last.last_sequence + 1;
    return { version, ...this.last, written_sequence: next - 1 };
  }

  /**
   * Makes the next event, at the present instant; a first one may have a given instant.
   *
   * @param principal - who makes the write with the event; by default the server
   */
  add(draft: EventDraft, principal: string = SERVER.principal): IntentEvent {
    addedToLog();
    const sequence = this.last.last_sequence + 1;
    const created_at = (sequence === 1 ? this.beganAt : undefined) ?? toInstant(now());
    const place = { intent_id: this.intentId, sequence, created_at };
    const salt = payloadSalt(this.key, sequence);
    const event = sealEvent({ principal, ...draft, ...place }, this.last.head_hash, salt);
    this.last = { last_sequence: event.sequence, head_hash: event.event_hash };
    return event;
  }
}
