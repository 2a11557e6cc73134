import type { Coordinator, CoordinatorStatus } from '../../contracts/coordinator/coordinator.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { OrderedQueue } from '../engine/queue.js';
import { Outbox, UNTIL_DONE, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { withdrawSignal } from '../suspension/messages.js';
import {
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import type { Announced, Announcement } from '../../contracts/graph/announcement.js';
import type { IntentNote, OwnQuestion } from '../../contracts/intent/intent.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import {
  describeCoordinator,
  escalationOf,
  escalationQuestion,
  heartbeat,
  isCoordinatorClosed,
  isStillMeant,
  nextStatusChange,
  statusAt,
  type EscalatedQuestion,
} from '../../domain/coordinator/coordinator.js';
import { textIn } from '../../domain/kernel/json.js';
import { CLOCK_ACTOR } from '../../domain/suspension/record/events.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { observingIntents, type CarriedWishes, type Observing } from '../engine/observing.js';
import { Entity, run, type CarriedBase, type NextInstant } from '../engine/run.js';
import { coordinatorAttributes } from '../engine/search-attributes.js';
import {
  Holds,
  LastHeard,
  Membership,
  type CarriedHolds,
  type CarriedLastHeard,
  type CarriedMembership,
  type MembersMoved,
} from './scope.js';
import { isAnnouncement, isPortfolioAnnouncement } from '../../domain/graph/announcement.js';
import { demand, onSignal, onWrite } from '../engine/handlers.js';
import { announcementSignal, creationQuery, type Created } from '../engine/messages.js';
import { coordinatorQuery, heartbeatUpdate, type CoordinatorInput } from './messages.js';

interface CarriedQuestions {
  readonly meant: readonly EscalatedQuestion[];
  readonly over: readonly string[];
}

/**
 * The questions that a coordinator asks on its own intent (R26-34). Each is withdrawn when the question that it is
 * about ends, and all are when the coordinator ends.
 */
class OwnQuestions extends OrderedQueue<string> {
  private readonly coordinator: Pick<Coordinator, 'own_intent_id' | 'holder'>;
  private meant: readonly EscalatedQuestion[];

  constructor(
    coordinator: Pick<Coordinator, 'own_intent_id' | 'holder'>,
    { meant, over }: CarriedQuestions = { meant: [], over: [] },
  ) {
    super(over);
    this.coordinator = coordinator;
    this.meant = meant;
  }

  /** The state that outlives a run; undefined if there is none. */
  get left(): CarriedQuestions | undefined {
    const { meant, carried: over } = this;
    return meant.length + over.length === 0 ? undefined : { meant, over };
  }

  ask(question: EscalatedQuestion): void {
    this.meant = [...this.meant, question].slice(-WORKFLOW_LIMITS.keptRequestKeys);
  }

  /** Records the id of the question about another one; null if its intent could not be suspended. */
  asked(about: string, suspension_id: string | null): void {
    const isMeant = this.meant.some((one) => one.about === about);
    if (suspension_id !== null && !isMeant) this.add(suspension_id);
    const known = (one: EscalatedQuestion) =>
      suspension_id === null ? [] : [{ ...one, suspension_id }];
    this.meant = this.meant.flatMap((one) => (one.about === about ? known(one) : [one]));
  }

  keep(isKept: (one: EscalatedQuestion) => boolean): void {
    const over = this.meant.filter((one) => !isKept(one));
    this.meant = this.meant.filter(isKept);
    this.add(...over.flatMap(({ suspension_id }) => suspension_id ?? []));
  }

  protected override async deliver([id = '']: readonly string[]): Promise<void> {
    const { own_intent_id: intent_id, holder: cancelled_by } = this.coordinator;
    const reason = 'escalation_over';
    const withdrawal = { intent_id, cancelled_by, settled_by: 'agent', reason } as const;
    await trySignal(peerIdOf('suspension', id), withdrawSignal, withdrawal);
  }
}

export type CoordinatorRun = CoordinatorInput & { readonly carried?: CarriedCoordinator };

export interface CarriedCoordinator extends CarriedBase {
  /** Questions that were escalated, newest last. */
  readonly escalated: readonly string[];
  readonly holds: CarriedHolds;
  readonly last_heard: CarriedLastHeard;
  readonly notes: readonly IntentNote[];
  readonly questions?: CarriedQuestions;
  readonly wishes: CarriedWishes;
  /** Only for a portfolio. */
  readonly membership?: CarriedMembership;
  readonly unwritten: readonly JournalRow[];
}

/** The coordinator's lease in this run, and its handling of suspensions in its scope. */
class CoordinatorEntity extends Entity<CoordinatorRun> {
  readonly outbox: Outbox;
  private readonly journal: Journal;
  private readonly observing: Observing<Announcement>;
  private readonly notes: Notes;
  private readonly questions: OwnQuestions;
  /** Only if the scope is a portfolio. */
  readonly membership: Membership | undefined;
  private readonly input: CoordinatorRun;
  private current: Coordinator;
  private readonly holds: Holds;
  private readonly lastHeard: LastHeard;
  private escalated: readonly string[];

  /** The membership may have 10,000 entries. */
  protected override readonly carriedBytes = WORKFLOW_LIMITS.portfolioCarriedBytes;

  constructor(input: CoordinatorRun) {
    super(input);
    const { coordinator, carried } = input;
    this.input = input;
    this.current = coordinator;
    this.escalated = carried?.escalated ?? [];
    this.lastHeard = new LastHeard(carried?.last_heard);
    this.journal = new Journal(carried?.unwritten);
    this.questions = new OwnQuestions(coordinator, carried?.questions);
    this.notes = new Notes(this.questions, carried?.notes);
    this.holds = new Holds((note) => this.notes.add(note), carried?.holds);
    this.observing = observingIntents((end) => this.observe(end), carried?.wishes);
    this.membership = this.follow(coordinator, carried);
    const followed = this.membership ? [this.membership] : [];
    const { journal, observing, notes, questions } = this;
    this.outbox = new Outbox(journal, ...followed, observing, notes, questions).start();
    this.describe();
    if (carried) return;
    this.journal.append({ kind: 'coordinator', coordinator, ...this.creation });
    if (coordinator.intent_id !== null) this.observing.observe(coordinator.intent_id);
  }

  get coordinator(): Coordinator {
    return this.current;
  }

  get creation(): Created {
    return defined({ creation_hash: this.input.creation_hash });
  }

  get over(): boolean {
    return isCoordinatorClosed(this.current.status);
  }

  /** One timer that is not reset at each heartbeat. */
  override get nextInstant(): NextInstant {
    return {
      at: nextStatusChange(this.current, now()),
      summary: 'heartbeats missed, or lease over',
    };
  }

  get nextRun(): CoordinatorRun {
    return { ...this.input, coordinator: this.current, carried: this.carried };
  }

  private get carried(): CarriedCoordinator {
    return {
      escalated: this.escalated,
      holds: this.holds.carried,
      last_heard: this.lastHeard.carried,
      notes: this.notes.carried,
      wishes: this.observing.carried,
      ...defined({ membership: this.membership?.carried, questions: this.questions.left }),
      unwritten: this.journal.unwritten,
    };
  }

  /** Applies missed heartbeats, or the end of the lease. */
  settleDue(): void {
    this.measure();
    const status = statusAt(this.current, now());
    if (status === this.current.status) return;
    this.take({ ...this.current, status });
    this.noteStatus(status);
  }

  /**
   * Applies the policy: only watches (R26-32), holds the phases wired to a waiting intent (R26-33), or escalates each
   * question once (R26-34). Late and repeated announcements change nothing.
   */
  observe(announcement: Announcement): void {
    if (this.over || !this.isInScope(announcement.intent_id)) return;
    if (!this.lastHeard.advance(announcement)) return;
    this.holds.observe(this.current, announcement);
    this.questions.keep((one) => isStillMeant(one, announcement));
    const payload = escalationOf(this.current, announcement);
    if (payload === null || this.escalated.includes(payload.suspension_id)) return;
    const { suspension_id } = payload;
    this.escalated = [...this.escalated, suspension_id].slice(-WORKFLOW_LIMITS.keptRequestKeys);
    const key = `${this.current.id}:${suspension_id}`;
    const { own_intent_id, holder: asked_by, agent_id: actor } = this.current;
    const draft = escalationQuestion(this.current, announcement);
    const question = own_intent_id
      ? { intent_id: own_intent_id, asked_by, actor, draft }
      : undefined;
    const { intent_id } = announcement;
    if (question) this.questions.ask({ intent_id, about: suspension_id });
    this.note('coordinator.escalation_required', announcement.intent_id, key, payload, question);
  }

  /** Applies a changed lease; the store is informed only of another status. */
  take(coordinator: Coordinator): void {
    const moved = coordinator.status !== this.current.status;
    this.current = { ...coordinator, version: this.current.version + (moved ? 1 : 0) };
    this.describe();
    if (!moved) return;
    if (this.over) {
      this.holds.releaseAll(this.current);
      this.questions.keep(() => false);
    }
    this.journal.append({ kind: 'coordinator', coordinator: this.current, ...this.creation });
    upsertSearchAttributes(coordinatorAttributes(this.current));
  }

  private follow(
    { portfolio_id }: Coordinator,
    carried: CarriedCoordinator | undefined,
  ): Membership | undefined {
    if (portfolio_id === null) return undefined;
    const moved = ({ joined, left }: MembersMoved) => {
      this.observing.observe(...joined);
      this.observing.unobserve(...left);
      for (const intentId of left) {
        this.holds.release(this.current, intentId, 'left');
        this.questions.keep(({ intent_id }) => intent_id !== intentId);
        this.lastHeard.forget(intentId);
      }
    };
    return new Membership(portfolio_id, moved, carried?.membership);
  }

  private isInScope(intentId: string): boolean {
    return this.membership?.has(intentId) ?? intentId === this.current.intent_id;
  }

  private noteStatus(status: CoordinatorStatus): void {
    const { id, intent_id, agent_id, last_heartbeat, version } = this.current;
    if (intent_id === null || (status !== 'unresponsive' && status !== 'failed_over')) return;
    const payload = { coordinator_id: id, agent_id, last_heartbeat };
    this.note(`coordinator.${status}`, intent_id, `${id}:${version}`, payload);
  }

  private note(
    event_type: string,
    intent_id: string,
    key: string,
    payload: JsonObject,
    question?: OwnQuestion,
  ): void {
    const note = { key, intent_id, actor: CLOCK_ACTOR, event_type };
    this.notes.add({ ...note, payload, ...defined({ question }) });
  }

  private describe(): void {
    setCurrentDetails(describeCoordinator(this.current));
  }
}

const { noteIntent } = proxyActivities<Pick<Activities, 'noteIntent'>>({
  startToCloseTimeout: '30 seconds',
  ...UNTIL_DONE,
  summary: 'append to the log of an intent',
});

/** Appends to logs of intents, or asks a question instead of an event, one after the other. */
export class Notes extends OrderedQueue<IntentNote> {
  private readonly questions: OwnQuestions;

  constructor(questions: OwnQuestions, carried?: readonly IntentNote[]) {
    super(carried);
    this.questions = questions;
  }

  protected override async deliver([note]: readonly IntentNote[]): Promise<void> {
    if (note === undefined) return;
    const asked = await noteIntent(note);
    const about = textIn(note.payload, 'suspension_id');
    if (note.question && about !== undefined) this.questions.asked(about, asked);
  }
}

/**
 * The lease of a coordinator (RFC-0013 §5), which applies its suspension policy to an intent or a portfolio's members
 * (R26-31 … 34).
 */
export async function coordinator(input: CoordinatorRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new CoordinatorEntity(input);
      registerHandlers(entity);
      return entity;
    },
    cancel(entity) {
      entity.take({ ...entity.coordinator, status: 'completed' });
    },
  });
}

function registerHandlers(entity: CoordinatorEntity): void {
  onWrite(
    entity,
    heartbeatUpdate,
    'Say that the coordinator is alive',
    ({ by }) => demand(heartbeat(entity.coordinator, by, now())),
    ({ by }) => {
      entity.take(demand(heartbeat(entity.coordinator, by, now())));
      return entity.coordinator;
    },
  );
  onSignal(announcementSignal, isAnnounced, (announcement) => {
    entity.settleDue();
    if (isAnnouncement(announcement)) entity.observe(announcement);
    else entity.membership?.take(announcement);
  });
  setHandler(coordinatorQuery, () => entity.coordinator);
  setHandler(creationQuery, () => entity.creation);
}

function isAnnounced(message: unknown): message is Announced {
  return isAnnouncement(message) || isPortfolioAnnouncement(message);
}
