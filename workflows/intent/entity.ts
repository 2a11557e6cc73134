import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Announced, Announcement } from '../../contracts/announcement.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { Intent, Lease } from '../../contracts/intent.js';
import { announcementOf } from '../../domain/graph/announcement.js';
import {
  dependencyMove,
  movedByDependencies,
  unsatisfiable,
} from '../../domain/graph/dependencies.js';
import { createdEvent, describeIntent, isClosed } from '../../domain/intent/entity.js';
import type { EventDraft, IntentChange } from '../../domain/intent/entity.js';
import {
  expireDueLeases,
  leaseExpired,
  nextLeaseInstant,
  resumeLeases,
} from '../../domain/intent/lease.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { EventLog } from '../engine/event-log.js';
import { Journal } from '../engine/journal.js';
import type { LogEnd, LogPosition } from '../engine/messages.js';
import { announcer, type Observers } from '../engine/observers.js';
import { Entity, type NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import type { ActiveSuspension, CarriedIntent, IntentRun, UsedRequestKey } from './carried.js';
import { Dependencies } from './dependencies.js';
import type { IntentWritten } from './messages.js';
import { RecordedEvents } from './recorded-events.js';
import { Waiting } from './waiting.js';

/** The intent's state in this run. Every change goes through `commit`, `record` or the leases. */
export class IntentEntity extends Entity<IntentRun> {
  readonly journal: Journal;
  readonly announcer: Observers<Announced>;
  readonly dependencies: Dependencies;
  readonly outbox: Outbox;
  private readonly input: IntentRun;
  private current: Intent;
  leases: readonly Lease[];
  private readonly log: EventLog;
  requestKeys: readonly UsedRequestKey[];
  readonly recorded: RecordedEvents;
  active: ActiveSuspension | undefined;
  readonly waiting: Waiting;
  /** The suspension whose workflow is being started. */
  opening: string | undefined;
  /** Set while an edge is being added. */
  linking = false;

  constructor(input: IntentRun) {
    super(input);
    const { intent, carried, announcement_batch } = input;
    this.input = input;
    this.current = intent;
    this.leases = carried?.leases ?? [];
    this.log = new EventLog(intent.id, carried);
    this.recorded = new RecordedEvents(carried);
    this.requestKeys = carried?.request_keys ?? [];
    this.active = carried?.active;
    this.waiting = new Waiting(intent, carried);
    this.journal = new Journal(carried?.unwritten);
    this.announcer = announcer(() => this.announcement, carried?.observers, announcement_batch);
    this.dependencies = new Dependencies(carried?.dependencies, (announcement) => {
      this.takeAnnouncement(announcement);
    });
    const { observing } = this.dependencies;
    this.outbox = new Outbox(this.journal, this.announcer, observing).start();
    setCurrentDetails(describeIntent(intent));
    if (carried) return;
    const edges = intent.depends_on.map((id) => this.dependencies.edge(intent, id));
    this.journal.append(
      ...edges.map((edge) => ({ kind: 'dependency', ...edge, present: true }) as const),
    );
    this.dependencies.observing.observe(...intent.depends_on);
    this.commit({ intent, events: [createdEvent(intent)] });
  }

  get intent(): Intent {
    return this.current;
  }

  /** How far the log has come. */
  get logEnd(): LogEnd {
    return this.log.end;
  }

  get suspended(): boolean {
    return this.current.status === 'suspended_awaiting_input';
  }

  get closed(): boolean {
    return isClosed(this.current.status);
  }

  get over(): boolean {
    return this.closed;
  }

  /** Not while a withdrawal is on its way. */
  override get mayMove(): boolean {
    return !this.active?.abandoning && super.mayMove;
  }

  /** Observers have a size of their own. */
  protected override get measured(): unknown {
    const { observers: _apart, ...carried } = this.carried;
    return [this.current, carried];
  }

  /** One lazy lease timer: it looks when it fires, and is not set again at each renewal. */
  override get nextInstant(): NextInstant {
    return { at: nextLeaseInstant(this.leases, this.suspended), summary: 'lease expires' };
  }

  get creationHash(): string | undefined {
    return this.input.creation_hash;
  }

  get nextRun(): IntentRun {
    return { ...this.input, intent: this.current, carried: this.carried };
  }

  /** Whether this is the question that is open now. */
  isOpen(suspensionId: string): boolean {
    return this.active?.suspension_id === suspensionId;
  }

  private get announcement(): Announcement {
    const { last_sequence } = this.log.end;
    const { waiting, dependencies } = this;
    const circumstances = { ...waiting.carried, ...dependencies.announced };
    return announcementOf(this.current, { last_sequence, ...circumstances });
  }

  private get carried(): CarriedIntent {
    return {
      leases: this.leases,
      ...this.log.end,
      ...(this.active && { active: this.active }),
      ...this.recorded.carried,
      request_keys: this.requestKeys,
      unwritten: this.journal.unwritten,
      observers: this.announcer.carried,
      ...this.waiting.carried,
      dependencies: this.dependencies.carried,
    };
  }

  /** Takes over a changed intent and appends its events; leases run on where it goes on (docs/adr/0006). */
  commit({ intent, events }: IntentChange): readonly IntentEvent[] {
    const moved = intent.status !== this.current.status;
    this.dependencies.moved(this.current.status, intent.status);
    const since = this.waiting.moved(this.current.status, intent);
    if (since !== undefined) this.leases = resumeLeases(this.leases, since, intent.updated_at);
    this.current = intent;
    const rows = events.map((draft) => this.log.add(draft));
    this.append(rows);
    this.announcer.changed();
    if (moved) {
      setCurrentDetails(describeIntent(intent));
      upsertSearchAttributes(statusAttributes(intent.status));
    }
    this.followDependencies();
    return rows;
  }

  /** Takes what a dependency says of itself; once abandoned it can never be satisfied. */
  takeAnnouncement(announcement: Announcement): void {
    this.measure();
    if (this.closed || !this.current.depends_on.includes(announcement.intent_id)) return;
    const news = this.dependencies.take(this.current, announcement);
    if (news === 'abandoned') this.record(unsatisfiable(announcement));
    this.followDependencies();
  }

  /** Blocks or unblocks the intent as its dependencies demand (RFC-0026 Rule 2). */
  private followDependencies(): void {
    const { heldUpstream, upstream } = this.dependencies;
    const move = dependencyMove(this.current.status, heldUpstream, upstream.waits);
    if (move === undefined) return;
    this.dependencies.heldUpstream = move === 'block';
    this.commit(movedByDependencies(this.current, move, toInstant(now())));
  }

  /** Appends an event that changes nothing else. */
  record(draft: EventDraft): IntentEvent {
    const event = this.log.add(draft);
    this.append([event]);
    return event;
  }

  /** Leases that are over by now end, each with its event; none while suspended (R25-10). */
  settleDue(): void {
    const { leases, expired } = expireDueLeases(this.leases, now(), this.suspended);
    this.leases = leases;
    for (const lease of expired) this.record(leaseExpired(lease));
  }

  /** Appends an event that a client posts; one that says the same as an earlier one is returned as it stands. */
  post(draft: EventDraft): IntentEvent {
    const known = this.recorded.find(draft);
    if (known) return known;
    const event = this.record(draft);
    this.recorded.note([event], true);
    return event;
  }

  /** Appends the server's own events but for those that a client posted before. */
  recordUnlessPosted(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      if (!this.recorded.find(draft, true)) this.recorded.note([this.record(draft)]);
    }
  }

  private append(events: readonly IntentEvent[]): void {
    this.measure();
    const rows = events.map((event) => ({ kind: 'event', event }) as const);
    this.journal.append(...rows, { kind: 'intent', intent: this.current, ...this.log.end });
  }
}

/** No Update result may be larger; the caller then reads the intent by Query. */
const RESULT_BYTES = 256 * 1_024;

/** The result of a write. */
export function writtenOf({ intent, logEnd: { last_sequence } }: IntentEntity): IntentWritten {
  const position = { version: intent.version, last_sequence };
  return jsonBytes(intent) > RESULT_BYTES ? position : { ...position, intent };
}

/** How far the log has come, and how far the store has confirmed it. */
export function positionOf({ intent, logEnd, journal }: IntentEntity): LogPosition {
  const unwritten = journal.unwritten.find((row) => row.kind === 'event');
  return {
    version: intent.version,
    ...logEnd,
    written_sequence: (unwritten?.event.sequence ?? logEnd.last_sequence + 1) - 1,
  };
}
