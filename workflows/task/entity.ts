import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { SERVER, TEMPORAL } from '../../contracts/constants/callers.js';
import type { Task, TaskNews } from '../../contracts/plan/task.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant } from '../../domain/kernel/time.js';
import { isTaskDone, mirrorIntent } from '../../domain/plan/task-mirror.js';
import { forceTask } from '../../domain/plan/task-patch.js';
import { andThen, isTaskOver, newsOf, taskEvent, timeoutOf } from '../../domain/plan/task-state.js';
import type { TaskChange, TaskState } from '../../domain/plan/task-state.js';
import { describeTask, expireTask, proceed, takeUpstream } from '../../domain/plan/task.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { taskObservers } from '../engine/observers.js';
import type { Observers } from '../engine/observers.js';
import type { Created } from '../engine/messages.js';
import { observingIntents, observingTasks } from '../engine/observing.js';
import type { Observing } from '../engine/observing.js';
import { SignalQueue } from '../engine/queue.js';
import { Entity } from '../engine/run.js';
import type { NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { planEventSignal } from '../intent/messages.js';
import { nextRunOf, stateOf } from './carried.js';
import { CalledOff } from './called-off.js';
import type { TaskRun } from './carried.js';
import type { TaskWritten } from './messages.js';

/** The task's state in this run; every change goes through `apply`. */
export class TaskEntity extends Entity<TaskRun> {
  readonly outbox: Outbox;
  readonly observers: Observers<TaskNews>;
  private readonly input: TaskRun;
  private readonly journal: Journal;
  private readonly observing: Observing<Announcement>;
  private readonly upstream: Observing<TaskNews>;
  /** For the log of the intent (RFC-0012 §1.2), which takes no more once it is closed. */
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
    // Each run asks again, for its intent drops it if it was between two runs.
    this.observing.observe(task.intent_id);
  }

  get state(): TaskState {
    return this.current;
  }

  get task(): Task {
    return this.current.task;
  }

  /** The hash under which it was created, if it has one. */
  get creation(): Created {
    return defined({ creation_hash: this.input.creation_hash });
  }

  /** This instant, ISO-8601. */
  get at(): string {
    return toInstant(now());
  }

  get over(): boolean {
    return this.cancelled || isTaskDone(this.current);
  }

  /** The end of the agent's time; no timer counts while it stands still. */
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

  /** Observers have a limit of their own. */
  protected override get measured(): unknown {
    const { carried, ...rest } = this.nextRun;
    return { ...rest, carried: { ...carried, observers: undefined } };
  }

  /** The result of a write. */
  get written(): TaskWritten {
    const { task } = this;
    const { version } = task;
    return jsonBytes(task) > WORKFLOW_LIMITS.resultBytes ? { version } : { version, task };
  }

  /**
   * Takes over what a rule makes of the state, and publishes it.
   *
   * @param principal - who makes the write; the server without one
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

  /** The state with what is due by now settled, before what has just arrived. */
  get due(): TaskState {
    return expireTask(this.current, this.at).state;
  }

  settleDue(): void {
    this.apply((state) => expireTask(state, this.at));
  }

  /** A question stopped the clock when it was asked, so it is taken in before what is due. */
  takeAnnouncement(announcement: Announcement): void {
    const { at } = this;
    this.apply((state) =>
      andThen(mirrorIntent(state, announcement, at), (next) => proceed(next, at)),
    );
    this.settleDue();
  }

  /** Cancels the task, and lets its workflow end although the intent goes on. */
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
