import type { Unreached } from '../../contracts/announcement.js';
import { isBehindCheckpoint, isOpenTo } from '../../domain/plan/plan.js';
import { statusOf, type Member, type PlanState } from '../../domain/plan/state.js';
import { isSatisfied } from '../../domain/plan/task-claim.js';
import type { Gate } from '../../domain/plan/task-state.js';
import { LatestState } from '../engine/latest-state.js';
import { signalOnce } from '../engine/sender.js';
import type { Taken } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { gateSignal } from '../task/messages.js';

/** By task id, as the task has it. */
export type CarriedGates = readonly (readonly [task_id: string, gate: Gate])[];

/** How a task's gate should stand. */
type Stand = Pick<Gate, 'open' | 'held'>;

const CLOSED: Gate = { revision: 0, open: false };

/**
 * Tells each task whether the plan lets it become ready, and whether a checkpoint holds it, when that changes; a task
 * starts with its gate closed. If
 * a task's workflow does not exist yet, it gets its gate when it first reports.
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
    const taken = await Promise.all(taskIds.map((taskId) => this.turn(taskId)));
    const those = (what: Taken) => taskIds.filter((_id, index) => taken[index] === what);
    return { gone: those('gone'), full: those('full') };
  }

  /** Turns the gate of a task. */
  private async turn(taskId: string): Promise<Taken> {
    const { revision } = this.gateOf(taskId);
    const heard = this.heard(taskId);
    const gate = { revision: revision + 1, ...this.standOf(taskId) };
    const taken = await signalOnce(peerIdOf('task', taskId), gateSignal, gate);
    if (taken === 'taken') this.gates.set(taskId, gate);
    if (taken === 'gone') this.missing.set(taskId, heard);
    return taken;
  }

  private gateOf(taskId: string): Gate {
    return this.gates.get(taskId) ?? CLOSED;
  }

  private standOf(taskId: string): Stand {
    const member = this.member(taskId);
    return member ? standOf(this.current(), member) : CLOSED;
  }

  private heard(taskId: string): number {
    const member = this.member(taskId);
    return member ? heardOf(member) : SILENT;
  }

  private member(taskId: string): Member | undefined {
    return this.current().members.find(({ task_id }) => task_id === taskId);
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
