import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Announcement } from '../../contracts/announcement.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { Task } from '../../contracts/task.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { toInstant } from '../../domain/kernel/time.js';
import { isTaskDone, mirrorIntent } from '../../domain/plan/task-mirror.js';
import { UNUSED, andThen, newsOf, taskEvent, timeoutOf } from '../../domain/plan/task-state.js';
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
import { Observing } from '../engine/observing.js';
import { sendInOrder } from '../engine/outbox.js';
import { RunLength } from '../engine/run.js';
import { statusAttributes } from '../engine/search-attributes.js';
import { EventSender } from '../intent/plan-events.js';
import { Following } from './following.js';
import type { CarriedTask, TaskInput, TaskWritten } from './messages.js';
import { NewsSender } from './news-sender.js';

/** No Update result may be larger; the caller then reads the task by Query (design §4). */
const RESULT_BYTES = 256 * 1_024;

/** What a task that an older release started lacks. */
const UNCLOCKED = { clock: UNUSED };

/** The task's state in this run; every change goes through `apply`. */
export class TaskEntity {
  readonly journal: Journal;
  readonly newsSender: NewsSender;
  readonly observing: Observing;
  readonly following: Following;
  readonly events: EventSender;
  private readonly length: RunLength;
  private current: TaskState;
  /** Set while this run hands over to the next. */
  moving = false;

  constructor({ task, upstream, rules, history_limit, carried }: TaskInput) {
    this.length = new RunLength(history_limit);
    this.current = carried
      ? { ...UNCLOCKED, ...carried.state }
      : newTaskState(task, upstream, rules);
    this.journal = new Journal(carried?.unwritten);
    this.events = new EventSender(task.intent_id, carried?.untold_events);
    this.newsSender = new NewsSender(() => newsOf(this.current), carried?.followers, carried?.owed);
    this.observing = new Observing((end) => {
      this.takeAnnouncement(end);
    }, carried?.observing);
    this.following = new Following((news) => {
      this.apply((state) => takeUpstream(state, news, this.at));
    }, carried?.following);
    void sendInOrder(this.journal, this.events, this.newsSender, this.observing, this.following);
    setCurrentDetails(describeTask(this.task));
    if (!carried) this.begin();
    this.ask();
  }

  /** At the start of a run: what was told between two runs is told again. */
  private ask(): void {
    const { task, upstream } = this.current;
    this.observing.observe(task.intent_id);
    this.following.follow(...upstream.map(({ task_id }) => task_id));
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

  get done(): boolean {
    return isTaskDone(this.current);
  }

  get mayMove(): boolean {
    return this.length.isLong;
  }

  /** A run that is to hand over takes no more writes, or what it carries might never fit. */
  get takesNoWrites(): boolean {
    return this.moving || this.mayMove;
  }

  get written(): TaskWritten {
    const { version } = this.task;
    return jsonBytes(this.task) > RESULT_BYTES ? { version } : { version, task: this.task };
  }

  get carried(): CarriedTask {
    return {
      state: this.current,
      followers: this.newsSender.followers,
      owed: this.newsSender.owing,
      observing: this.observing.carried,
      following: this.following.carried,
      untold_events: this.events.unsent,
      unwritten: this.journal.unwritten,
    };
  }

  /** Takes over what a rule makes of the state, and tells of it. */
  apply(rule: (state: TaskState) => TaskChange): void {
    this.length.measure();
    const before = this.current;
    const { state, events } = rule(before);
    this.current = state;
    this.events.add(...events);
    if (state.revision !== before.revision) this.tell();
    if (state.task.status !== before.task.status) {
      upsertSearchAttributes(statusAttributes(state.task.status));
    }
  }

  /** The state once what is due by now is settled; what has just arrived comes after it. */
  get due(): TaskState {
    return expireTask(this.current, this.at).state;
  }

  /** When the agent's time is over; undefined while it stands still. ISO-8601. */
  get timeout(): string | undefined {
    return timeoutOf(this.task, this.current.clock);
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

  private tell(): void {
    const { task, revision } = this.current;
    this.journal.append({ kind: 'task', task, revision });
    this.newsSender.changed();
    setCurrentDetails(describeTask(task));
  }

  private begin(): void {
    const { task, current, at } = this;
    const { name, capabilities_required, created_by, plan_id } = task;
    const payload = { name, capabilities_required: [...capabilities_required] };
    this.events.add(taskEvent(current, 'task.created', created_by, payload));
    if (plan_id !== null) this.newsSender.add(workflowIdOf('plan', plan_id));
    this.tell();
    this.apply((state) => proceed(state, at));
  }
}
