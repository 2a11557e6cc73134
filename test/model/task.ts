import type { Announcement } from '../../contracts/graph/announcement.js';
import type { PatchTaskRequest, Task, TaskNews } from '../../contracts/plan/task.js';
import type { EventDraft } from '../../domain/intent/entity.js';
import { claim, mayWaitForClaim } from '../../domain/plan/task-claim.js';
import { isTaskDone, mirrorIntent } from '../../domain/plan/task-mirror.js';
import { patchTask } from '../../domain/plan/task-patch.js';
import {
  andThen,
  evolve,
  newsOf,
  type Gate,
  type TaskChange,
  type TaskRules,
  type TaskState,
} from '../../domain/plan/task-state.js';
import {
  newTaskState,
  proceed,
  retryTask,
  takeGate,
  takeUpstream,
} from '../../domain/plan/task.js';
import type { Clock } from './clock.js';
import type { Mail } from './mail.js';
import { Subscription } from './subscription.js';

const ROOM = 10_000;

/** A task as its workflow keeps it. */
export class ModelTask {
  readonly subscription = new Subscription((announcement) => {
    this.hear(announcement);
  }, false);
  readonly log: EventDraft[] = [];
  state: TaskState;
  /** Whether it had its output when it heard that its intent is completed. */
  hadOutput: boolean | undefined;
  private readonly followers: ((news: TaskNews) => void)[] = [];
  private readonly clock: Clock;
  private readonly mail: Mail;

  constructor(
    { task, upstream, rules }: { task: Task; upstream: readonly TaskNews[]; rules: TaskRules },
    clock: Clock,
    mail: Mail,
  ) {
    this.clock = clock;
    this.mail = mail;
    this.state = newTaskState(task, upstream, rules);
  }

  get task(): Task {
    return this.state.task;
  }

  /** Tells somebody now, and after each change. */
  follow(take: (news: TaskNews) => void): void {
    this.followers.push(take);
    this.tell(take);
  }

  hearTask(news: TaskNews): void {
    this.apply((state) => takeUpstream(state, news, this.clock.at));
  }

  hearGate(gate: Gate): void {
    this.apply((state) => takeGate(state, gate, this.clock.at));
  }

  retry(attempt: number): void {
    this.applyAndProceed((state) => retryTask(state, attempt, this.clock.at));
  }

  patch(request: PatchTaskRequest): void {
    const write = { request, actor: 'worker-1', at: this.clock.at, maxBytes: ROOM };
    this.applyAndProceed((state) => {
      const change = patchTask(state, write);
      return change.ok ? change.value : { state, events: [] };
    });
  }

  /** A claim that comes too early is kept (AM-42). */
  claim(agent: string): void {
    const { at } = this.clock;
    this.apply((state) => {
      const change = claim(state, agent, at);
      if (change.ok) return change.value;
      if (!mayWaitForClaim(state, agent) || state.task.waiting_claim !== null) {
        return { state, events: [] };
      }
      return evolve(state, at, { waiting_claim: { agent_id: agent, since: at } });
    });
  }

  private hear(announcement: Announcement): void {
    if (announcement.status === 'completed') {
      this.hadOutput ??= typeof this.task.output?.['result'] === 'string';
    }
    this.applyAndProceed((state) => mirrorIntent(state, announcement, this.clock.at));
  }

  private applyAndProceed(rule: (state: TaskState) => TaskChange): void {
    this.apply((state) => andThen(rule(state), (next) => proceed(next, this.clock.at)));
  }

  private apply(rule: (state: TaskState) => TaskChange): void {
    const before = this.state;
    if (isTaskDone(before)) return;
    const { state, events } = rule(before);
    this.state = state;
    this.log.push(...events);
    if (this.state.revision === before.revision) return;
    for (const take of this.followers) this.tell(take);
  }

  private tell(take: (news: TaskNews) => void): void {
    const news = newsOf(this.state);
    this.mail.post(() => {
      take(news);
    });
  }
}
