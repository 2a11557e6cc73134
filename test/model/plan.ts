import type { CreatePlanRequest } from '../../contracts/plan/plan.js';
import { taskDefinitionSchema, type TaskNews } from '../../contracts/plan/task.js';
import { assemblePlan } from '../../domain/plan/assembly.js';
import { planUnchanged, type PlanChange, type PlanState } from '../../domain/plan/state.js';
import { changePlanState, follow, isOpenTo, takeNews } from '../../domain/plan/plan.js';
import type { Gate } from '../../domain/plan/task-state.js';
import type { Clock } from './clock.js';
import type { ModelIntent } from './intent.js';
import type { Mail } from './mail.js';
import { ModelTask } from './task.js';

/** A plan as its workflow keeps it, with a task for each intent; all of them are wired (RFC-0024). */
export class ModelPlan {
  readonly tasks: readonly ModelTask[];
  state: PlanState;
  /** An operator has paused it before. */
  wasPaused = false;
  private readonly gates = new Map<string, Gate>();
  private readonly clock: Clock;
  private readonly mail: Mail;

  constructor(
    intents: readonly ModelIntent[],
    edges: readonly (readonly [number, number])[],
    on_failure: CreatePlanRequest['on_failure'],
    clock: Clock,
    mail: Mail,
  ) {
    this.clock = clock;
    this.mail = mail;
    const { plan, members, children } = assemblePlan(
      draftOf(intents, edges, on_failure, clock.at),
      counting(),
    );
    this.state = { plan, members, revision: 1 };
    this.tasks = children.map((child) => new ModelTask(child, clock, mail));
    for (const task of this.tasks) this.wire(task, intents);
    this.apply((state) => follow(state, clock.at));
    this.tellGates();
  }

  /** An operator's write of its state. */
  write(to: 'active' | 'paused'): void {
    this.wasPaused ||= to === 'paused';
    this.apply((state) => {
      const change = changePlanState(state, to, 'agent-1', this.clock.at);
      return change.ok ? change.value : planUnchanged(state);
    });
  }

  private wire(task: ModelTask, intents: readonly ModelIntent[]): void {
    const own = intents.find(({ id }) => id === task.task.intent_id);
    this.mail.post(() => own?.observe(task.subscription));
    task.follow((news) => {
      this.hear(news);
    });
    for (const other of this.tasks) {
      if (!task.task.depends_on.includes(other.task.id)) continue;
      this.mail.post(() => {
        other.follow((news) => {
          task.hearTask(news);
        });
      });
    }
  }

  private hear(news: TaskNews): void {
    this.apply((state) => takeNews(state, news, this.clock.at));
  }

  private apply(rule: (state: PlanState) => PlanChange): void {
    const { state, duties } = rule(this.state);
    this.state = state;
    for (const duty of duties) {
      if (duty.kind !== 'retry') continue;
      for (const one of this.of([duty.task_id])) {
        this.mail.post(() => {
          one.retry(duty.attempt);
        });
      }
    }
    this.tellGates();
  }

  private tellGates(): void {
    for (const member of this.state.members) {
      const { revision, open } = this.gates.get(member.task_id) ?? { revision: 0, open: false };
      const wanted = isOpenTo(this.state, member);
      if (wanted === open) continue;
      const gate = { revision: revision + 1, open: wanted };
      this.gates.set(member.task_id, gate);
      for (const task of this.of([member.task_id])) {
        this.mail.post(() => {
          task.hearGate(gate);
        });
      }
    }
  }

  private of(ids: readonly string[]): readonly ModelTask[] {
    return this.tasks.filter(({ task }) => ids.includes(task.id));
  }
}

/** Each output is what the next ones take in. */
function draftOf(
  intents: readonly ModelIntent[],
  edges: readonly (readonly [number, number])[],
  on_failure: CreatePlanRequest['on_failure'],
  created_at: string,
): Parameters<typeof assemblePlan>[0] {
  const definitions = intents.map(({ id }, index) => {
    const depends_on = edges.flatMap(([from, to]) =>
      from === index ? [`task-${intents[to]?.id ?? ''}`] : [],
    );
    const inputs = Object.fromEntries(depends_on.map((name) => [name, `${name}.result`]));
    const outputs = { result: 'string' };
    const max_attempts = 2;
    const wiring = { depends_on, inputs, outputs, max_attempts };
    return { ...taskDefinitionSchema.parse({ name: `task-${id}`, ...wiring }), intent_id: id };
  });
  return {
    id: 'plan',
    intent_id: 'plan-intent',
    state: 'active',
    on_failure,
    on_complete: 'notify',
    metadata: {},
    created_by: 'agent-1',
    created_at,
    definitions,
    types: {},
    checkpoints: [],
    conditions: [],
    existing: [],
    workflow: { title: 'workflow', description: null },
    statics: { trigger: {}, initial_state: {} },
  };
}

function counting(): () => string {
  let count = 0;
  return () => `t${(count += 1)}`;
}
