import { workflowIdOf } from '../../contracts/constants/names.js';
import { isOpenTo } from '../../domain/plan/plan.js';
import { statusOf, type Member, type PlanState } from '../../domain/plan/state.js';
import { isSatisfied } from '../../domain/plan/task-claim.js';
import type { Gate } from '../../domain/plan/task-state.js';
import { LatestState } from '../engine/latest-state.js';
import { trySignal } from '../engine/sender.js';
import { gateSignal } from '../task/messages.js';

/** By task id, as the task has it. */
export type CarriedGates = readonly (readonly [task_id: string, gate: Gate])[];

const CLOSED: Gate = { revision: 0, open: false };

/**
 * Tells each task whether the plan lets it become ready, when that changes; a task starts with its gate closed. If
 * a task's workflow does not exist yet, it gets its gate when it first reports.
 */
export class Gates extends LatestState {
  private readonly current: () => PlanState;
  private readonly gates: Map<string, Gate>;
  /** Tasks that were not there, with the last that had been heard of them. */
  private readonly missing = new Map<string, number>();

  constructor(current: () => PlanState, carried: CarriedGates = []) {
    super();
    this.current = current;
    this.gates = new Map(carried);
  }

  get carried(): CarriedGates {
    return [...this.gates];
  }

  protected override *outstanding(): Iterable<string> {
    const state = this.current();
    for (const member of state.members) {
      const { task_id } = member;
      if (isSatisfied(statusOf(member)) || this.missing.get(task_id) === heardOf(member)) continue;
      if (isOpenTo(state, member) !== this.gateOf(task_id).open) yield task_id;
    }
  }

  protected override async tell(taskIds: readonly string[]): Promise<readonly string[]> {
    const unreached = await Promise.all(taskIds.map((taskId) => this.turn(taskId)));
    return unreached.flat();
  }

  /** Turns the gate of a task; returns its id where it is not there. */
  private async turn(taskId: string): Promise<readonly string[]> {
    const { revision, open } = this.gateOf(taskId);
    const heard = this.heard(taskId);
    const gate = { revision: revision + 1, open: !open };
    if (await trySignal(workflowIdOf('task', taskId), gateSignal, gate)) {
      this.gates.set(taskId, gate);
      return [];
    }
    this.missing.set(taskId, heard);
    return [taskId];
  }

  private gateOf(taskId: string): Gate {
    return this.gates.get(taskId) ?? CLOSED;
  }

  private heard(taskId: string): number {
    const member = this.current().members.find(({ task_id }) => task_id === taskId);
    return member ? heardOf(member) : SILENT;
  }
}

/** The revision of a task of which nothing was heard. */
const SILENT = 0;

function heardOf({ news }: Member): number {
  return news?.revision ?? SILENT;
}
