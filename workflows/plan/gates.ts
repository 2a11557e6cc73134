import { condition } from '@temporalio/workflow';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { isOpenTo } from '../../domain/plan.js';
import { statusOf, type PlanState } from '../../domain/plan-state.js';
import { isSatisfied } from '../../domain/task-claim.js';
import type { Gate } from '../../domain/task-state.js';
import type { Sender } from '../support/outbox.js';
import { trySignal } from '../support/reporter.js';
import { gateSignal } from '../task/messages.js';

type Told = readonly (readonly [task_id: string, gate: Gate])[];

/** Tells each task whether the plan lets it become ready, when that changes; a task starts with it closed. */
export class Gates implements Sender {
  private readonly current: () => PlanState;
  private readonly gates: Map<string, Gate>;
  private sending = false;

  constructor(current: () => PlanState, told: Told = []) {
    this.current = current;
    this.gates = new Map(told);
  }

  get told(): Told {
    return [...this.gates];
  }

  get due(): boolean {
    return !this.sending && this.next().length > 0;
  }

  send(): void {
    void this.tell(this.next());
  }

  /** Resolves once every task knows. */
  async sent(): Promise<void> {
    await condition(() => !this.sending && this.next().length === 0);
  }

  private next(): Told {
    const state = this.current();
    const waiting = state.members.filter((member) => !isSatisfied(statusOf(member)));
    return waiting.flatMap((member) => {
      const { revision, open } = this.gates.get(member.task_id) ?? { revision: 0, open: false };
      const wanted = isOpenTo(state, member);
      return wanted === open ? [] : [[member.task_id, { revision: revision + 1, open: wanted }]];
    });
  }

  private async tell(next: Told): Promise<void> {
    this.sending = true;
    for (const [taskId, gate] of next) this.gates.set(taskId, gate);
    await Promise.all(
      next.map(([taskId, gate]) => trySignal(workflowIdOf('task', taskId), gateSignal, gate)),
    );
    this.sending = false;
  }
}
