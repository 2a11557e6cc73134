import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Announcement } from '../../contracts/announcement.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { Intent, Lease } from '../../contracts/intent.js';
import type { EventDraft, IntentChange } from '../../domain/intent-entity.js';
import { announcementOf, type AskedQuestion } from '../../domain/announcement.js';
import { describeIntent } from '../../domain/intent-details.js';
import { jsonBytes } from '../../domain/json-size.js';
import { expireDueLeases, nextLeaseInstant } from '../../domain/lease.js';
import { isClosed } from '../../domain/status.js';
import { Announcer } from '../observing/announcer.js';
import { intentAttributes } from '../support/attributes.js';
import { Journal } from '../support/journal.js';
import { sendInOrder } from '../support/outbox.js';
import { EventLog } from './event-log.js';
import type {
  ActiveSuspension,
  CarriedIntent,
  IntentInput,
  IntentPosition,
  IntentWritten,
  UsedRequestKey,
} from './messages.js';
import { isRunLong } from '../support/run-length.js';

/** No Update result may be larger; the caller then reads the intent by Query (design §4). */
const RESULT_BYTES = 256 * 1_024;

/** The intent's state in this run. Every change goes through `commit`, `record` or the leases. */
export class IntentEntity {
  readonly journal: Journal;
  readonly announcer: Announcer;
  readonly creationHash: string | undefined;
  private readonly historyLimit: number | undefined;
  private current: Intent;
  private held: readonly Lease[];
  private readonly log: EventLog;
  private keys: readonly UsedRequestKey[];
  active: ActiveSuspension | undefined;
  private question: AskedQuestion | undefined;
  /** The suspension whose workflow is being started. */
  opening: string | undefined;
  /** Set while this run hands over to the next. */
  moving = false;

  constructor({ intent, creation_hash, carried, history_limit }: IntentInput) {
    this.historyLimit = history_limit;
    this.current = intent;
    this.creationHash = creation_hash;
    this.held = carried?.leases ?? [];
    this.log = new EventLog(intent.id, carried);
    this.keys = carried?.request_keys ?? [];
    this.active = carried?.active;
    this.question = carried?.question;
    this.journal = new Journal(carried?.unwritten);
    this.announcer = new Announcer(() => this.announcement, carried?.observers);
    void sendInOrder(this.journal, this.announcer);
    setCurrentDetails(describeIntent(intent));
    if (carried) return;
    const { title, status } = intent;
    const created = {
      event_type: 'intent_created',
      actor: intent.created_by,
      payload: { title, status },
    };
    this.commit({ intent, events: [created] });
  }

  get intent(): Intent {
    return this.current;
  }

  get leases(): readonly Lease[] {
    return this.held;
  }

  get lastSequence(): number {
    return this.log.end.last_sequence;
  }

  /** How far the log has come, and how far the store has confirmed it. */
  get position(): IntentPosition {
    const unwritten = this.journal.unwritten.find((row) => row.kind === 'event');
    return {
      version: this.current.version,
      ...this.log.end,
      written_sequence: (unwritten?.event.sequence ?? this.lastSequence + 1) - 1,
    };
  }

  get requestKeys(): readonly UsedRequestKey[] {
    return this.keys;
  }

  get suspended(): boolean {
    return this.current.status === 'suspended_awaiting_input';
  }

  get closed(): boolean {
    return isClosed(this.current.status);
  }

  /** Time for a new run; not while a withdrawal is on its way. */
  get mayMove(): boolean {
    return !this.active?.abandoning && isRunLong(this.historyLimit);
  }

  /** A run that is to hand over takes no more writes, or what it carries might never fit. */
  get takesNoWrites(): boolean {
    return this.moving || this.mayMove;
  }

  /** Whether this is the question that is open now. */
  isOpen(suspensionId: string): boolean {
    return this.active?.suspension_id === suspensionId;
  }

  /** The result of a write. */
  get written(): IntentWritten {
    const { version } = this.current;
    const position = { version, last_sequence: this.lastSequence };
    return jsonBytes(this.current) > RESULT_BYTES
      ? position
      : { ...position, intent: this.current };
  }

  private get announcement(): Announcement {
    const { question, lastSequence: last_sequence } = this;
    return announcementOf(this.current, { last_sequence, question, held_upstream: false });
  }

  get carried(): CarriedIntent {
    return {
      leases: this.held,
      ...this.log.end,
      ...(this.active && { active: this.active }),
      request_keys: this.keys,
      unwritten: this.journal.unwritten,
      observers: this.announcer.carried,
      ...(this.question && { question: this.question }),
    };
  }

  /** Takes over a changed intent and appends its events. */
  commit({ intent, events }: IntentChange): readonly IntentEvent[] {
    const moved = intent.status !== this.current.status;
    this.current = intent;
    const rows = events.map((draft) => this.log.add(draft));
    this.append(rows);
    this.announcer.changed();
    if (moved) {
      setCurrentDetails(describeIntent(intent));
      upsertSearchAttributes(intentAttributes(intent.status));
    }
    return rows;
  }

  /** Appends an event that changes nothing else. */
  record(draft: EventDraft): IntentEvent {
    const event = this.log.add(draft);
    this.append([event]);
    return event;
  }

  /** The attempt that is current of the latest question. */
  setAttempt(suspension_id: string, attempt: number): void {
    this.question = { suspension_id, attempt };
    this.announcer.changed();
  }

  setLeases(leases: readonly Lease[]): void {
    this.held = leases;
  }

  /** Leases that are over by `now` (ms) end, each with its event; none while suspended (R25-10). */
  settleDueLeases(now: number): void {
    const { leases, expired } = expireDueLeases(this.held, now, this.suspended);
    this.held = leases;
    for (const { id, agent_id, scope } of expired) {
      const payload = { lease_id: id, agent_id, scope, reason: 'expired' };
      this.record({ event_type: 'lease_released', actor: 'holdpoint', payload });
    }
  }

  get nextLeaseInstant(): string | undefined {
    return nextLeaseInstant(this.held, this.suspended);
  }

  rememberRequest(key: UsedRequestKey): void {
    this.keys = [...this.keys, key].slice(-WORKFLOW_LIMITS.keptRequestKeys);
  }

  private append(events: readonly IntentEvent[]): void {
    const rows = events.map((event) => ({ kind: 'event', event }) as const);
    this.journal.append(...rows, { kind: 'intent', intent: this.current, ...this.log.end });
  }
}
