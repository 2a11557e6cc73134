import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Coordinator, CoordinatorStatus } from '../../contracts/coordinator/coordinator.js';
import type { IntentNote, OwnQuestion } from '../../contracts/intent/intent.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import {
  describeCoordinator,
  escalationOf,
  escalationQuestion,
  isCoordinatorClosed,
  isStillMeant,
  nextStatusChange,
  statusAt,
} from '../../domain/coordinator/coordinator.js';
import { textIn } from '../../domain/kernel/json.js';
import { CLOCK_ACTOR } from '../../domain/suspension/record/events.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import type { Created } from '../engine/messages.js';
import { observingIntents } from '../engine/observing.js';
import type { CarriedWishes, Observing } from '../engine/observing.js';
import { OrderedQueue } from '../engine/queue.js';
import { Entity } from '../engine/run.js';
import type { CarriedBase, NextInstant } from '../engine/run.js';
import { coordinatorAttributes } from '../engine/search-attributes.js';
import { Outbox, UNTIL_DONE } from '../engine/sender.js';
import type { CoordinatorInput } from './messages.js';
import { OwnQuestions } from './own-questions.js';
import type { CarriedQuestions } from './own-questions.js';
import { Holds, LastHeard, Membership } from './scope.js';
import type { CarriedHolds, CarriedLastHeard, CarriedMembership, MembersMoved } from './scope.js';

/** What starts a run of a coordinator. */
export type CoordinatorRun = CoordinatorInput & { readonly carried?: CarriedCoordinator };

/** State that outlives a run. */
export interface CarriedCoordinator extends CarriedBase {
  /** Questions that were escalated, newest last. */
  readonly escalated: readonly string[];
  readonly holds: CarriedHolds;
  readonly last_heard: CarriedLastHeard;
  readonly notes: readonly IntentNote[];
  readonly questions?: CarriedQuestions;
  readonly wishes: CarriedWishes;
  /** Of a portfolio. */
  readonly membership?: CarriedMembership;
  readonly unwritten: readonly JournalRow[];
}

/** The coordinator's lease in this run, and what it does about suspensions in its scope. */
export class CoordinatorEntity extends Entity<CoordinatorRun> {
  readonly outbox: Outbox;
  private readonly journal: Journal;
  private readonly observing: Observing<Announcement>;
  private readonly notes: Notes;
  private readonly questions: OwnQuestions;
  /** Where the scope is a portfolio. */
  readonly membership: Membership | undefined;
  private readonly input: CoordinatorRun;
  private current: Coordinator;
  private readonly holds: Holds;
  private readonly lastHeard: LastHeard;
  private escalated: readonly string[];

  /** There may be 10,000 members. */
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

  /** The hash under which it was created, if it has one. */
  get creation(): Created {
    return defined({ creation_hash: this.input.creation_hash });
  }

  get over(): boolean {
    return isCoordinatorClosed(this.current.status);
  }

  /** One lazy timer: it is not set again at each heartbeat. */
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

  /** Lets missed heartbeats, or the end of the lease, take effect. */
  settleDue(): void {
    this.measure();
    const status = statusAt(this.current, now());
    if (status === this.current.status) return;
    this.take({ ...this.current, status });
    this.noteStatus(status);
  }

  /**
   * Does what the policy says: only watches (R26-32), holds the phases wired to an intent that waits (R26-33), or
   * escalates each question once (R26-34). Late and repeated announcements change nothing.
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

  /** Takes over a changed lease; only another status is news for the store. */
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

/** Appends to logs of intents, or asks a question in place of an event, one after the other. */
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
