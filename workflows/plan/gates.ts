import type { Unreached } from '../../contracts/graph/announcement.js';
import { isBehindCheckpoint, isOpenTo } from '../../domain/plan/plan.js';
import { statusOf, type Member, type PlanState } from '../../domain/plan/state.js';
import { isSatisfied } from '../../domain/plan/task-claim.js';
import type { Gate } from '../../domain/plan/task-state.js';
import { LatestState } from '../engine/observers.js';
import { signalOnce, unreached, type Taken } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { gateSignal } from '../task/messages.js';

/** By task id; each as the task last received it. */
export type CarriedGates = readonly (readonly [task_id: string, gate: Gate])[];

type Stand = Pick<Gate, 'open' | 'held'>;

const CLOSED: Gate = { revision: 0, open: false };

/**
 * Informs each task when the plan allows it to become ready, and whether a checkpoint holds it. A task starts with
 * its gate closed. If its workflow does not exist yet, it gets its gate when it first reports.
 */
export class Gates extends LatestState {
  private readonly current: () => PlanState;
  private readonly gates: Map<string, Gate>;
  /** Tasks whose workflow was missing, with the revision of their latest news. */
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
      if (isNews(standOf(state, member), this.gateOf(task_id))) yield task_id;
    }
  }

  protected override async tell(taskIds: readonly string[]): Promise<Unreached> {
    return unreached(taskIds, await Promise.all(taskIds.map((taskId) => this.turn(taskId))));
  }

  private async turn(taskId: string): Promise<Taken> {
    const state = this.current();
    const { revision } = this.gateOf(taskId);
    const member = state.members.find(({ task_id }) => task_id === taskId);
    const stand: Stand = member ? standOf(state, member) : { open: false };
    const gate = { revision: revision + 1, ...stand };
    const taken = await signalOnce(peerIdOf('task', taskId), gateSignal, gate);
    if (taken === 'taken') this.gates.set(taskId, gate);
    if (taken === 'gone') this.missing.set(taskId, member ? heardOf(member) : SILENT);
    return taken;
  }

  private gateOf(taskId: string): Gate {
    return this.gates.get(taskId) ?? CLOSED;
  }
}

function standOf(state: PlanState, member: Member): Stand {
  const held = isBehindCheckpoint(state, member) && ({ held: 'checkpoint' } as const);
  return { open: isOpenTo(state, member), ...held };
}

function isNews(stand: Stand, gate: Gate): boolean {
  return stand.open !== gate.open || stand.held !== gate.held;
}

/** The revision of a task without news. */
const SILENT = 0;

function heardOf({ news }: Member): number {
  return news?.revision ?? SILENT;
}
