import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Announcement } from '../../contracts/announcement.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { Task, TaskNews } from '../../contracts/task.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant } from '../../domain/kernel/time.js';
import { isTaskDone, mirrorIntent } from '../../domain/plan/task-mirror.js';
import { forceTask } from '../../domain/plan/task-patch.js';
import {
  UNUSED,
  andThen,
  isTaskOver,
  newsOf,
  taskEvent,
  timeoutOf,
} from '../../domain/plan/task-state.js';
import type { TaskChange, TaskState } from '../../domain/plan/task-state.js';
import {
  describeTask,
  expireTask,
  newTaskState,
  proceed,
  takeUpstream,
} from '../../domain/plan/task.js';
import { now } from '../engine/clock.js';
import { Journal } from '../engine/journal.js';
import { taskObservers, type Observers } from '../engine/observers.js';
import { observingIntents, observingTasks, type Observing } from '../engine/observing.js';
import { SignalQueue } from '../engine/queue.js';
import { Entity, type NextInstant } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { Outbox } from '../engine/sender.js';
import { planEventSignal } from '../intent/messages.js';
import type { CarriedTask, TaskRun } from './carried.js';
import type { TaskWritten } from './messages.js';

/** No Update result may be larger; the caller then reads the task by Query. */
const RESULT_BYTES = 256 * 1_024;

/** What a task that an older release started lacks. */
const UNCLOCKED = { clock: UNUSED };

/** The task's state in this run; every change goes through `apply`. */
export class TaskEntity extends Entity<TaskRun> {
  readonly outbox: Outbox;
  readonly observers: Observers<TaskNews>;
  /** A write that is nearly done is rather waited for than given up and written again. */
  override readonly writesWithinMs = 1_000;
  private readonly input: TaskRun;
  private readonly journal: Journal;
  private readonly observing: Observing<Announcement>;
  private readonly upstream: Observing<TaskNews>;
  /** For the log of the intent (RFC-0012 §1.2), which takes none any more once it is closed. */
  private readonly events: SignalQueue<EventDraft>;
  private current: TaskState;
  private cancelled = false;

  constructor(input: TaskRun) {
    super(input);
    const { task, upstream, rules, carried } = input;
    this.input = input;
    this.current = carried
      ? { ...UNCLOCKED, ...carried.state }
      : newTaskState(task, upstream, rules);
    this.journal = new Journal(carried?.unwritten);
    const intentId = workflowIdOf('intent', task.intent_id);
    this.events = new SignalQueue(intentId, planEventSignal, carried?.unsent_events);
    this.observers = taskObservers(() => newsOf(this.current), carried?.observers);
    this.observing = observingIntents((end) => {
      this.takeAnnouncement(end);
    }, carried?.observing);
    this.upstream = observingTasks((news) => {
      this.apply((state) => takeUpstream(state, news, this.at));
    }, carried?.upstream);
    const { journal, events, observers, observing } = this;
    this.outbox = new Outbox(journal, events, observers, observing, this.upstream).start();
    setCurrentDetails(describeTask(this.task));
    if (!carried) this.begin();
    this.ask();
  }

  /** At the start of a run: what was sent between two runs is sent again. */
  private ask(): void {
    const { task, upstream } = this.current;
    this.observing.observe(task.intent_id);
    this.upstream.observe(...upstream.map(({ task_id }) => task_id));
  }

  get state(): TaskState {
    return this.current;
  }

  get task(): Task {
    return this.current.task;
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
    return { ...this.input, task: this.task, carried: this.carried };
  }

  get written(): TaskWritten {
    const { version } = this.task;
    return jsonBytes(this.task) > RESULT_BYTES ? { version } : { version, task: this.task };
  }

  private get carried(): CarriedTask {
    return {
      state: this.current,
      observers: this.observers.carried,
      observing: this.observing.carried,
      upstream: this.upstream.carried,
      unsent_events: this.events.carried,
      unwritten: this.journal.unwritten,
    };
  }

  /** Takes over what a rule makes of the state, and publishes it. */
  apply(rule: (state: TaskState) => TaskChange): void {
    this.measure();
    const before = this.current;
    const { state, events } = rule(before);
    this.current = state;
    this.events.add(...events);
    if (state.revision !== before.revision) this.publish();
    if (state.task.status !== before.task.status) {
      upsertSearchAttributes(statusAttributes(state.task.status));
    }
  }

  /** The state once what is due by now is settled; what has just arrived comes after it. */
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
    const write = { request, actor: 'temporal', at: this.at, maxBytes: 1_024 };
    const cancelled = forceTask(this.current, write);
    if (cancelled.ok) this.apply(() => cancelled.value);
  }

  private publish(): void {
    const { task, revision } = this.current;
    this.journal.append({ kind: 'task', task, revision });
    this.observers.changed();
    setCurrentDetails(describeTask(task));
  }

  private begin(): void {
    const { task, current, at } = this;
    const { name, capabilities_required, created_by, plan_id } = task;
    const payload = { name, capabilities_required: [...capabilities_required] };
    this.events.add(taskEvent(current, 'task.created', created_by, payload));
    if (plan_id !== null) this.observers.observe(workflowIdOf('plan', plan_id));
    this.publish();
    this.apply((state) => proceed(state, at));
  }
}
