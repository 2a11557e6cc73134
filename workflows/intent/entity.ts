import type { JournalRow } from '../../contracts/log/journal.js';
import type { Intent, Lease } from '../../contracts/intent/intent.js';
import type { LogEnd, LogPosition } from '../engine/messages.js';
import type { IntentInput, IntentWritten } from './messages.js';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Announced, Announcement } from '../../contracts/graph/announcement.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { announcementOf, isApproval } from '../../domain/graph/announcement.js';
import {
  dependencyMove,
  movedByDependencies,
  unsatisfiable,
} from '../../domain/graph/dependencies.js';
import {
  createdEvent,
  describeIntent,
  isClosed,
  type EventDraft,
  type IntentChange,
} from '../../domain/intent/entity.js';
import { guardFor } from '../../domain/policy/access-list.js';
import type { RecordedEvent } from '../../domain/suspension/record/events.js';
import {
  expireDueLeases,
  leaseEnded,
  nextLeaseInstant,
  resumeLeases,
} from '../../domain/intent/lease.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant } from '../../domain/kernel/time.js';
import { now } from '../engine/clock.js';
import { EventLog } from '../engine/event-log.js';
import { Journal } from '../engine/journal.js';
import { announcer, type CarriedObservers, type Observers } from '../engine/observers.js';
import { Entity, type CarriedBase, type NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { QuestionWatch } from '../suspension/watch.js';
import { Waiting, type ActiveSuspension, type CarriedWaiting } from './waiting.js';
import { Dependencies, type CarriedDependencies } from './dependencies.js';
import {
  Erasures,
  RecordedEvents,
  RequestKeys,
  type CarriedErasure,
  type CarriedEvents,
  type CarriedRequestKeys,
} from './memory.js';
import { Governance, type CarriedGovernance } from './governed.js';

export type IntentRun = IntentInput & { readonly carried?: CarriedIntent };

/** State that outlives a run; instants only, no durations. */
export interface CarriedIntent
  extends LogEnd, CarriedWaiting, CarriedEvents, CarriedErasure, CarriedBase {
  readonly leases: readonly Lease[];
  readonly active?: ActiveSuspension;
  readonly request_keys: CarriedRequestKeys['request_keys'];
  readonly keys_forgotten?: true;
  readonly unwritten: readonly JournalRow[];
  readonly observers: CarriedObservers;
  readonly dependencies: CarriedDependencies;
  readonly governance?: CarriedGovernance;
}

/** The intent's state in this run. Every change goes through `commit`, `record` or the leases. */
export class IntentEntity extends Entity<IntentRun> {
  readonly journal: Journal;
  readonly announcer: Observers<Announced>;
  readonly dependencies: Dependencies;
  readonly outbox: Outbox;
  private readonly input: IntentRun;
  private current: Intent;
  leases: readonly Lease[];
  readonly log: EventLog;
  readonly requestKeys: RequestKeys;
  readonly recorded: RecordedEvents;
  active: ActiveSuspension | undefined;
  readonly waiting: Waiting;
  readonly governance: Governance;
  readonly watch: QuestionWatch;
  readonly erasures: Erasures;
  /** The suspension whose workflow is being started. */
  opening: string | undefined;
  withdrawing = false;
  linking = false;

  constructor(input: IntentRun) {
    super(input);
    const { intent, carried, announcement_batch } = input;
    this.input = input;
    this.current = intent;
    this.leases = carried?.leases ?? [];
    const isLeft = carried === undefined && input.sender_writes;
    this.log = new EventLog(intent.id, input, carried, isLeft ? intent.created_at : undefined);
    this.recorded = new RecordedEvents(carried);
    this.requestKeys = new RequestKeys(carried);
    this.active = carried?.active;
    this.waiting = new Waiting(carried);
    this.governance = new Governance(carried?.governance);
    this.journal = new Journal(carried?.unwritten);
    this.announcer = announcer(
      () => this.announcement,
      carried?.observers,
      announcement_batch,
      (observer) => this.over || !isApproval(observer),
    );
    this.dependencies = new Dependencies(carried?.dependencies, (announcement) =>
      this.takeAnnouncement(announcement),
    );
    this.watch = new QuestionWatch(() => (this.active ? [this.active.suspension_id] : []));
    this.erasures = new Erasures(carried);
    const { journal, announcer: observers, dependencies, watch, erasures } = this;
    const { observing } = dependencies;
    this.outbox = new Outbox(journal, observers, observing, watch, erasures).start();
    setCurrentDetails(describeIntent(intent));
    if (!carried) this.begin();
  }

  private begin(): void {
    const { intent, sender_writes } = this.input;
    const edges = intent.depends_on.map((id) => this.dependencies.edge(intent, id));
    this.dependencies.observing.observe(...intent.depends_on);
    this.leaveTo(sender_writes, () => {
      this.journal.append(
        ...edges.map((edge) => ({ kind: 'dependency', ...edge, present: true }) as const),
      );
      this.commit({ intent, events: [createdEvent(intent)] });
    });
  }

  /** Does work that adds rows, and leaves them to the sender that caused it, if that one writes them. */
  leaveTo<T>(senderWrites: true | undefined, work: () => T): T {
    if (!senderWrites) return work();
    const result = this.journal.leave(work, () => this.log.end.head_hash);
    this.measure();
    return result;
  }

  /** Waiting rows are written before an ending run passes them on. */
  override measure(): void {
    super.measure();
    if (this.mayMove) this.journal.flush();
  }

  get intent(): Intent {
    return this.current;
  }

  /** The position of the log, and the one that the store has confirmed. */
  get position(): LogPosition {
    return this.log.position(this.current.version, this.journal.unwritten);
  }

  get written(): IntentWritten {
    const { current: intent } = this;
    const position = { version: intent.version, last_sequence: this.log.end.last_sequence };
    return jsonBytes(intent) > WORKFLOW_LIMITS.resultBytes ? position : { ...position, intent };
  }

  get suspended(): boolean {
    return this.current.status === 'suspended_awaiting_input';
  }

  get over(): boolean {
    return isClosed(this.current.status);
  }

  /** The next run sends observers the state again, so nothing waits for that. */
  protected override get writesEnded(): boolean {
    return this.journal.idle;
  }

  /** Never during a withdrawal. */
  override get mayMove(): boolean {
    return !this.active?.abandoning && !this.withdrawing && super.mayMove;
  }

  /** Without observers, which have a limit of their own. */
  protected override get measured(): unknown {
    const { observers: _apart, ...carried } = this.carried;
    return [this.current, carried];
  }

  /** One timer for all leases, which is not reset at each renewal. */
  override get nextInstant(): NextInstant {
    const at = nextLeaseInstant(this.leases, this.suspended);
    return { at, summary: 'lease expires', paused: this.suspended && this.leases.length > 0 };
  }

  get creation(): Pick<IntentInput, 'creation_hash'> {
    const { creation_hash } = this.input;
    return creation_hash === undefined || this.erasures.current ? {} : { creation_hash };
  }

  get nextRun(): IntentRun {
    const { creation_hash: _hash, ...input } = this.input;
    return { ...input, ...this.creation, intent: this.current, carried: this.carried };
  }

  isOpen(suspensionId: string): boolean {
    return this.active?.suspension_id === suspensionId;
  }

  private get announcement(): Announcement {
    const { current, waiting, dependencies, log } = this;
    const guard = guardFor(current, waiting.askers);
    const circumstances = { ...waiting.carried, ...dependencies.announced, guard };
    return announcementOf(current, { last_sequence: log.end.last_sequence, ...circumstances });
  }

  private get carried(): CarriedIntent {
    return {
      leases: this.leases,
      ...this.log.end,
      ...defined({ active: this.active }),
      ...this.recorded.carried,
      ...this.requestKeys.carried,
      unwritten: this.journal.unwritten,
      observers: this.announcer.carried,
      ...this.waiting.carried,
      dependencies: this.dependencies.carried,
      ...this.governance.carried,
      ...this.erasures.handedOver,
    };
  }

  /**
   * Applies a changed intent and appends its events. If the intent continues, so do its leases (docs/adr/0006).
   *
   * @param principal - who makes the write; by default the server
   */
  commit({ intent, events }: IntentChange, principal?: string): readonly IntentEvent[] {
    const moved = intent.status !== this.current.status;
    this.dependencies.moved(this.current.status, intent.status);
    const since = this.waiting.moved(this.current.status, intent, principal);
    if (since !== undefined) this.leases = resumeLeases(this.leases, since, intent.updated_at);
    this.current = intent;
    const rows = events.map((draft) => this.log.add(draft, principal));
    this.append(rows);
    this.announcer.changed();
    setCurrentDetails(describeIntent(intent));
    if (moved) upsertSearchAttributes(statusAttributes(intent.status));
    this.followDependencies();
    return rows;
  }

  /**
   * Applies a dependency's announcement. If the dependency was abandoned, it can never be satisfied, and the log says
   * so.
   */
  takeAnnouncement(announcement: Announcement): void {
    this.measure();
    if (this.over || !this.current.depends_on.includes(announcement.intent_id)) return;
    const news = this.dependencies.take(this.current, announcement);
    if (news === 'abandoned') this.record(unsatisfiable(announcement));
    this.followDependencies();
  }

  /** Blocks or unblocks the intent as its dependencies require (RFC-0026 Rule 2). */
  private followDependencies(): void {
    const { heldUpstream, upstream } = this.dependencies;
    const move = dependencyMove(this.current.status, heldUpstream, upstream.waits);
    if (move === undefined) return;
    this.dependencies.heldUpstream = move === 'block';
    this.commit(movedByDependencies(this.current, move, toInstant(now())));
  }

  /** Appends an event without another change. */
  record(draft: EventDraft, principal?: string): IntentEvent {
    const event = this.log.add(draft, principal);
    this.append([event]);
    return event;
  }

  /** Ends expired leases, each with its event; none while suspended (R25-10). */
  settleDue(): void {
    const { leases, expired } = expireDueLeases(this.leases, now(), this.suspended);
    this.leases = leases;
    for (const lease of expired) this.record(leaseEnded(lease, 'expired'));
  }

  /**
   * Appends an event of a client, or returns an earlier one with the same meaning. An earlier claim counts only if
   * the same principal made it.
   */
  post(draft: EventDraft, principal: string): IntentEvent {
    const known = this.recorded.find(
      draft,
      (one) => draft.claimed === undefined || !one.posted || one.event.principal === principal,
    );
    if (known) return known;
    const event = this.record(draft, principal);
    if (event.claimed === undefined) this.governance.follow(event);
    this.recorded.note([event], true);
    return event;
  }

  /** Appends the server's own events, except those that the asker posted before. */
  recordUnlessPosted(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      if (!this.wasPosted(draft)) this.recorded.note([this.record(draft)]);
    }
  }

  /** Whether the asker has posted an event with the same meaning. Claims of others do not count. */
  wasPosted(draft: EventDraft, asker = this.waiting.asker): boolean {
    const isAskers = ({ posted, event }: RecordedEvent) => posted && event.principal === asker;
    return this.recorded.find(draft, isAskers) !== undefined;
  }

  private append(events: readonly IntentEvent[]): void {
    this.measure();
    const rows = events.map((event) => ({ kind: 'event', event }) as const);
    const now = { intent: this.current, ...this.log.end, ...this.creation };
    this.journal.append(...rows, { kind: 'intent', ...now });
  }
}
