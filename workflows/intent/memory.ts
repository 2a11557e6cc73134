import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { erasedEvent, identityOf } from '../../domain/intent/erasure.js';
import { newestWithin } from '../../domain/kernel/json.js';
import { recordedKey, type RecordedEvent } from '../../domain/suspension/record/events.js';
import { FORGOTTEN_HASH } from '../../contracts/constants/erasure.js';
import type { RequestKey } from '../../contracts/log/journal.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import type { IntentErasure } from '../../contracts/log/erasure.js';
import { OrderedQueue } from '../engine/queue.js';
import { trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { forgetSignal } from '../suspension/messages.js';

export interface CarriedEvents {
  /** The log's events about the latest questions. */
  readonly recorded?: readonly RecordedEvent[];
  /** Events by the key under which they were appended, newest last. */
  readonly keyed_events?: readonly (readonly [key: string, event: IntentEvent])[];
}

/**
 * The log's events about the latest questions and the decisions on approvals: an agent that posts the same events
 * itself adds none a second time, whichever side is first.
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

  get questionIds(): readonly string[] {
    return [...new Set(this.kept.map(questionOf))].filter((id) => id !== undefined);
  }

  under(key: string | undefined): IntentEvent | undefined {
    return this.keyed.find(([known]) => known === key)?.[1];
  }

  /** Stores an event under its key, if it has one; beyond a size the oldest are dropped. */
  keep(key: string | undefined, event: IntentEvent): void {
    if (key === undefined) return;
    this.keyed = newestWithin([...this.keyed, [key, event]], WORKFLOW_LIMITS.keptNoteBytes);
  }

  /** The recorded event with the same meaning, among those that `counts` accepts. */
  find(draft: EventDraft, counts: (one: RecordedEvent) => boolean): IntentEvent | undefined {
    const key = recordedKey(draft);
    if (key === undefined) return undefined;
    const found = this.kept.find((one) => counts(one) && recordedKey(one.event) === key)?.event;
    return found?.erased ? erasedEvent(found) : found;
  }

  /** Keeps only the identity of each event, so that nobody adds it a second time, and drops its content. */
  forget(): void {
    this.kept = this.kept.map(({ event, posted }) => ({ event: identityOf(event), posted }));
    this.keyed = this.keyed.map(([key, event]) => [key, erasedEvent(event)] as const);
  }

  /** Stores the events about a question; beyond a size the oldest are dropped. */
  note(events: readonly IntentEvent[], posted = false): void {
    const recorded = events.filter((event) => recordedKey(event) !== undefined);
    if (recorded.length === 0) return;
    const kept = [...this.kept, ...recorded.map((event) => ({ event, posted }))];
    this.kept = newestWithin(kept, WORKFLOW_LIMITS.keptRecordedBytes);
  }

  /** Drops all but the latest questions; an agent may still post about the one before this. */
  turnTo(suspensionId: string): void {
    const newestFirst = this.kept.map(questionOf).reverse();
    const latest = [...new Set([suspensionId, ...newestFirst.filter((id) => id !== undefined)])];
    const kept = new Set([undefined, ...latest.slice(0, WORKFLOW_LIMITS.keptRecordedQuestions)]);
    this.kept = this.kept.filter((one) => kept.has(questionOf(one)));
  }
}

/** The question that an event is about, if any. */
function questionOf({ event: { payload } }: RecordedEvent): string | undefined {
  return payload['suspension_id'] as string | undefined;
}

/** A request_key that was used, with the hash of its question. */
interface UsedRequestKey extends RequestKey {
  readonly suspension_id: string;
}

export interface CarriedRequestKeys {
  /** Newest last. */
  readonly request_keys: readonly UsedRequestKey[];
  /** Whether older keys were dropped. */
  readonly keys_forgotten?: true;
}

/** The request keys of an intent. Beyond a size the oldest are dropped; the store still has them. */
export class RequestKeys {
  private used: readonly UsedRequestKey[];
  private hasForgotten: boolean;

  constructor({ request_keys, keys_forgotten }: CarriedRequestKeys = NONE) {
    this.used = request_keys;
    this.hasForgotten = keys_forgotten === true;
  }

  get carried(): CarriedRequestKeys {
    return { request_keys: this.used, ...(this.hasForgotten && { keys_forgotten: true }) };
  }

  /**
   * The suspension that a key opened before, if any. Refuses `request_key_reused` for another question, and
   * `request_key_forgotten` if only the store knows the key.
   *
   * @param isNew - whether the store does not know the key
   */
  find(request: RequestKey | undefined, isNew: boolean): Ruling<string | undefined> {
    if (request === undefined) return ok(undefined);
    const known = this.used.find(({ key }) => key === request.key);
    if (known === undefined) {
      if (isNew || !this.hasForgotten) return ok(undefined);
      return refuse('request_key_forgotten', 'The key may have been used long ago.', {
        field: 'request_key',
        accepted: 'a key that the store was asked for',
      });
    }
    const { body_hash, suspension_id } = known;
    if (body_hash === FORGOTTEN_HASH || body_hash === request.body_hash) return ok(suspension_id);
    return refuse('request_key_reused', 'This request_key opened another question.', {
      field: 'request_key',
      accepted: 'the question of the first request, or a new key',
    });
  }

  add(used: UsedRequestKey): void {
    const all = [...this.used, used];
    const latest = all.slice(-WORKFLOW_LIMITS.keptRequestKeys);
    this.used = newestWithin(latest, WORKFLOW_LIMITS.keptRequestKeyBytes);
    this.hasForgotten ||= this.used.length < all.length;
  }

  /** Deletes the content of the questions, but not the keys. */
  forget(): void {
    this.used = this.used.map((used) => ({ ...used, body_hash: FORGOTTEN_HASH }));
  }
}

const NONE: CarriedRequestKeys = { request_keys: [] };

export interface CarriedErasure {
  readonly erasure?: IntentErasure;
  /** Settled questions that may not have been informed of it. */
  readonly forgetting?: readonly string[];
}

/** The latest erasure of an intent. It makes settled questions whose workflows still run erase their data as well. */
export class Erasures extends OrderedQueue<string> {
  private latest: IntentErasure | undefined;

  constructor({ erasure, forgetting }: CarriedErasure = {}) {
    super(forgetting);
    this.latest = erasure;
  }

  get current(): IntentErasure | undefined {
    return this.latest;
  }

  get handedOver(): CarriedErasure {
    if (this.latest === undefined) return {};
    const { carried } = this;
    return { erasure: this.latest, ...(carried.length > 0 && { forgetting: carried }) };
  }

  take(erasure: IntentErasure, questions: readonly string[]): void {
    this.latest = erasure;
    this.add(...questions);
  }

  /** Most of these workflows ended long ago and receive nothing. */
  protected override async deliver([suspensionId]: readonly string[]): Promise<void> {
    if (suspensionId === undefined || this.latest === undefined) return;
    await trySignal(peerIdOf('suspension', suspensionId), forgetSignal, this.latest.erased_at);
  }
}
