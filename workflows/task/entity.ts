import type { JournalRow } from '../../contracts/log/journal.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import {
  describeTask,
  expireTask,
  newTaskState,
  proceed,
  takeUpstream,
} from '../../domain/plan/task.js';
import type { TaskInput, TaskWritten } from './messages.js';
import { setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import { SERVER, TEMPORAL } from '../../contracts/constants/callers.js';
import { openQuestionOf } from '../../domain/graph/announcement.js';
import { OrderedQueue, SignalQueue } from '../engine/queue.js';
import { Outbox, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { withdrawSignal } from '../suspension/messages.js';
import { defined } from '../../contracts/constants/defined.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Task, TaskNews } from '../../contracts/plan/task.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant } from '../../domain/kernel/time.js';
import { isTaskDone, mirrorIntent } from '../../domain/plan/task-mirror.js';
import { forceTask } from '../../domain/plan/task-patch.js';
import {
  andThen,
  isTaskOver,
  newsOf,
  taskEvent,
  timeoutOf,
  type TaskChange,
  type TaskState,
} from '../../domain/plan/task-state.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { taskObservers, type CarriedObservers, type Observers } from '../engine/observers.js';
import type { Created } from '../engine/messages.js';
import {
  observingIntents,
  observingTasks,
  type CarriedWishes,
  type Observing,
} from '../engine/observing.js';
import { Entity, type CarriedBase, type NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { planEventSignal } from '../intent/messages.js';

export type TaskRun = TaskInput & { readonly carried?: CarriedTask };

/** State that outlives a run. The task, its dependencies and its rules are passed separately. */
export interface CarriedTask extends CarriedBase {
  readonly state: Omit<TaskState, 'task' | 'upstream' | 'rules'>;
  readonly observers: CarriedObservers;
  readonly observing: CarriedWishes;
  readonly upstream: CarriedWishes;
  readonly unsent_events: readonly EventDraft[];
  readonly unwritten: readonly JournalRow[];
}

export function stateOf({ task, upstream, rules, guard, carried }: TaskRun): TaskState {
  const start = newTaskState(task, upstream, rules, guard);
  return carried ? { ...start, ...carried.state } : start;
}

export function nextRunOf(
  input: TaskInput,
  { task, upstream, rules, ...state }: TaskState,
  kept: Omit<CarriedTask, 'state'>,
): TaskRun {
  return { ...input, task, upstream, rules, carried: { state, ...kept } };
}

/**
 * How soon a withdrawal is repeated: an intent announces a question in the task that starts it, so the withdrawal may
 * come first.
 */
const AGAIN_AFTER_MS = 1_000;

/** Withdraws the questions of a phase's intent after the phase was cancelled with its workflow. */
class CalledOff extends OrderedQueue<string> {
  private reason = '';
  private last: string | undefined;

  /** Follows the state of the task. A later run repeats a withdrawal, which changes nothing. */
  follow({ called_off, intent }: TaskState): void {
    const open = intent && openQuestionOf(intent);
    if (called_off === undefined || !open || open.suspension_id === this.last) return;
    this.reason = called_off;
    this.last = open.suspension_id;
    this.add(open.suspension_id);
  }

  protected override async deliver([id = '']: readonly string[]): Promise<void> {
    const { reason } = this;
    const withdrawal = { cancelled_by: SERVER.principal, settled_by: 'system', reason } as const;
    const workflowId = peerIdOf('suspension', id);
    if (await trySignal(workflowId, withdrawSignal, withdrawal)) return;
    await sleep(AGAIN_AFTER_MS);
    await trySignal(workflowId, withdrawSignal, withdrawal);
  }
}

/** The task's state in this run; every change goes through `apply`. */
export class TaskEntity extends Entity<TaskRun> {
  readonly outbox: Outbox;
  readonly observers: Observers<TaskNews>;
  private readonly input: TaskRun;
  private readonly journal: Journal;
  private readonly observing: Observing<Announcement>;
  private readonly upstream: Observing<TaskNews>;
  /** Events for the log of the intent (RFC-0012 §1.2), which accepts none once it is closed. */
  private readonly events: SignalQueue<EventDraft>;
  private readonly calledOff = new CalledOff();
  private current: TaskState;
  private cancelled = false;

  constructor(input: TaskRun) {
    super(input);
    const { task, carried } = input;
    this.input = input;
    this.current = stateOf(input);
    this.journal = new Journal(carried?.unwritten);
    const intentId = peerIdOf('intent', task.intent_id);
    this.events = new SignalQueue(intentId, planEventSignal, carried?.unsent_events);
    this.observers = taskObservers(() => newsOf(this.current), carried?.observers);
    this.observing = observingIntents((end) => this.takeAnnouncement(end), carried?.observing);
    this.upstream = observingTasks(
      (news) => this.apply((state) => takeUpstream(state, news, this.at)),
      carried?.upstream,
    );
    const { journal, events, observers, observing } = this;
    const { upstream, calledOff } = this;
    this.outbox = new Outbox(journal, events, observers, observing, upstream, calledOff).start();
    this.calledOff.follow(this.current);
    setCurrentDetails(describeTask(this.task));
    if (!carried) this.begin();
    // Each run asks again, because its intent drops it if it was between two runs.
    this.observing.observe(task.intent_id);
  }

  get state(): TaskState {
    return this.current;
  }

  get task(): Task {
    return this.current.task;
  }

  get creation(): Created {
    return defined({ creation_hash: this.input.creation_hash });
  }

  /** The current time, ISO-8601. */
  get at(): string {
    return toInstant(now());
  }

  get over(): boolean {
    return this.cancelled || isTaskDone(this.current);
  }

  /** The end of the agent's time; no timer runs while its clock is stopped. */
  override get nextInstant(): NextInstant {
    const at = timeoutOf(this.task, this.current.clock);
    return { at, summary: 'timeout of the task', follows: true };
  }

  get nextRun(): TaskRun {
    const { guard: _guard, ...input } = this.input;
    return nextRunOf(input, this.current, {
      observers: this.observers.carried,
      observing: this.observing.carried,
      upstream: this.upstream.carried,
      unsent_events: this.events.carried,
      unwritten: this.journal.unwritten,
    });
  }

  /** Without observers, which have a limit of their own. */
  protected override get measured(): unknown {
    const { carried, ...rest } = this.nextRun;
    return { ...rest, carried: { ...carried, observers: undefined } };
  }

  get written(): TaskWritten {
    const { task } = this;
    const { version } = task;
    return jsonBytes(task) > WORKFLOW_LIMITS.resultBytes ? { version } : { version, task };
  }

  /**
   * Applies a rule to the state, and publishes the result.
   *
   * @param principal - who makes the write; by default the server
   */
  apply(rule: (state: TaskState) => TaskChange, principal: string = SERVER.principal): void {
    this.measure();
    const before = this.current;
    const { state, events } = rule(before);
    this.current = state;
    this.calledOff.follow(state);
    this.events.add(...events.map((event) => ({ principal, ...event })));
    if (state.revision !== before.revision) this.publish();
    if (state.task.status !== before.task.status) {
      upsertSearchAttributes(statusAttributes(state.task.status));
    }
  }

  /** The state after settling what is due now, before a new message is applied. */
  get due(): TaskState {
    return expireTask(this.current, this.at).state;
  }

  settleDue(): void {
    this.apply((state) => expireTask(state, this.at));
  }

  /** A question stopped the clock when it was asked, so its announcement is applied before what is due. */
  takeAnnouncement(announcement: Announcement): void {
    const { at } = this;
    this.apply((state) =>
      andThen(mirrorIntent(state, announcement, at), (next) => proceed(next, at)),
    );
    this.settleDue();
  }

  /** Cancels the task, and allows its workflow to end although the intent continues. */
  cancel(error: string): void {
    this.cancelled = true;
    if (isTaskOver(this.task.status)) return;
    const request = { status: 'cancelled', error } as const;
    const write = { request, actor: TEMPORAL.principal, at: this.at, maxBytes: 1_024 };
    const cancelled = forceTask(this.current, write, TEMPORAL);
    if (cancelled.ok) this.apply(() => cancelled.value, write.actor);
  }

  private publish(): void {
    const { task, revision } = this.current;
    this.journal.append({ kind: 'task', task, revision, ...this.creation });
    this.observers.changed();
    setCurrentDetails(describeTask(task));
  }

  private begin(): void {
    const { task, current, at } = this;
    const { name, capabilities_required, created_by, plan_id } = task;
    const payload = { name, capabilities_required: [...capabilities_required] };
    const created = taskEvent(current, 'task.created', created_by, payload);
    this.events.add({ ...created, principal: created_by });
    if (plan_id !== null) this.observers.observe(peerIdOf('plan', plan_id));
    this.upstream.observe(...current.upstream.map(({ task_id: id }) => id));
    this.publish();
    this.apply((state) => proceed(state, at));
  }
}
