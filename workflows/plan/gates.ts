import { condition } from '@temporalio/workflow';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { isOpenTo } from '../../domain/plan/plan.js';
import { statusOf, type Member, type PlanState } from '../../domain/plan/state.js';
import { isSatisfied } from '../../domain/plan/task-claim.js';
import type { Gate } from '../../domain/plan/task-state.js';
import type { Sender } from '../engine/outbox.js';
import { trySignal } from '../engine/outbox.js';
import { gateSignal } from '../task/messages.js';

type CarriedGates = readonly (readonly [task_id: string, gate: Gate])[];

/**
 * Tells each task whether the plan lets it become ready, when that changes; a task starts with it closed. One
 * that is not there is told once it is heard of again: it may just be starting.
 */
export class Gates implements Sender {
  private readonly current: () => PlanState;
  private readonly gates: Map<string, Gate>;
  /** Tasks that were not there, with the last that had been heard of them. */
  private readonly missing = new Map<string, number>();
  private sending = false;
  private stopped = false;

  constructor(current: () => PlanState, carried: CarriedGates = []) {
    this.current = current;
    this.gates = new Map(carried);
  }

  get carried(): CarriedGates {
    return [...this.gates];
  }

  get due(): boolean {
    return !this.stopped && !this.sending && this.next().length > 0;
  }

  send(): void {
    void this.tell(this.next());
  }

  /** Resolves once every task knows that is there. */
  async sent(): Promise<void> {
    await condition(() => !this.sending && this.next().length === 0);
  }

  /** Sends no more; `told` is then what arrived. */
  async stop(): Promise<void> {
    this.stopped = true;
    await condition(() => !this.sending);
  }

  private next(): CarriedGates {
    const state = this.current();
    const isThere = (member: Member) => this.missing.get(member.task_id) !== heardOf(member);
    const waiting = state.members.filter(
      (member) => !isSatisfied(statusOf(member)) && isThere(member),
    );
    return waiting.flatMap((member) => {
      const { revision, open } = this.gates.get(member.task_id) ?? { revision: 0, open: false };
      const wanted = isOpenTo(state, member);
      return wanted === open ? [] : [[member.task_id, { revision: revision + 1, open: wanted }]];
    });
  }

  private async tell(next: CarriedGates): Promise<void> {
    this.sending = true;
    const heard = new Map(this.current().members.map((one) => [one.task_id, heardOf(one)]));
    await Promise.all(
      next.map(async ([taskId, gate]) => {
        const taken = await trySignal(workflowIdOf('task', taskId), gateSignal, gate);
        if (taken) this.gates.set(taskId, gate);
        else this.missing.set(taskId, heard.get(taskId) ?? SILENT);
      }),
    );
    this.sending = false;
  }
}

/** The revision of a task of which nothing was heard. */
const SILENT = 0;

function heardOf({ news }: Member): number {
  return news?.revision ?? SILENT;
}
