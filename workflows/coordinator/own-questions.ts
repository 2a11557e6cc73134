import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { EscalatedQuestion } from '../../domain/coordinator/coordinator.js';
import { OrderedQueue } from '../engine/queue.js';
import { trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { withdrawSignal } from '../suspension/messages.js';

/** The questions of a coordinator that outlive a run. */
export interface CarriedQuestions {
  readonly meant: readonly EscalatedQuestion[];
  /** Those that are to be withdrawn. */
  readonly over: readonly string[];
}

/**
 * The questions that a coordinator asks on its own intent (R26-34). Each is withdrawn when the question that it is about is over, and
 * all are when the coordinator ends.
 */
export class OwnQuestions extends OrderedQueue<string> {
  private readonly coordinator: Pick<Coordinator, 'own_intent_id' | 'holder'>;
  private meant: readonly EscalatedQuestion[];

  constructor(
    coordinator: Pick<Coordinator, 'own_intent_id' | 'holder'>,
    { meant, over }: CarriedQuestions = { meant: [], over: [] },
  ) {
    super(over);
    this.coordinator = coordinator;
    this.meant = meant;
  }

  /** What outlives a run; undefined without any. */
  get left(): CarriedQuestions | undefined {
    const { meant, carried: over } = this;
    return meant.length + over.length === 0 ? undefined : { meant, over };
  }

  /** A question is about to be asked. */
  ask(question: EscalatedQuestion): void {
    this.meant = [...this.meant, question].slice(-WORKFLOW_LIMITS.keptRequestKeys);
  }

  /** Takes in the id of the question about another one; null if its intent could not be suspended. */
  asked(about: string, suspension_id: string | null): void {
    const isMeant = this.meant.some((one) => one.about === about);
    if (suspension_id !== null && !isMeant) this.add(suspension_id);
    const known = (one: EscalatedQuestion) =>
      suspension_id === null ? [] : [{ ...one, suspension_id }];
    this.meant = this.meant.flatMap((one) => (one.about === about ? known(one) : [one]));
  }

  /** Withdraws the others. */
  keep(isKept: (one: EscalatedQuestion) => boolean): void {
    const over = this.meant.filter((one) => !isKept(one));
    this.meant = this.meant.filter(isKept);
    this.add(...over.flatMap(({ suspension_id }) => suspension_id ?? []));
  }

  protected override async deliver([id = '']: readonly string[]): Promise<void> {
    const { own_intent_id: intent_id, holder: cancelled_by } = this.coordinator;
    const reason = 'escalation_over';
    const withdrawal = { intent_id, cancelled_by, settled_by: 'agent', reason } as const;
    await trySignal(peerIdOf('suspension', id), withdrawSignal, withdrawal);
  }
}
