import { condition } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { RowBeside } from '../../contracts/channel/notification.js';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { openingRest, openingRow } from '../../domain/suspension/record/opening-row.js';
import { Journal } from './journal.js';
import type { RowSource } from './journal.js';

// This file alone decides who writes which row (docs/adr/0103).

/** Who writes the first row of a question, and who writes its last ones. */
export interface Writers {
  /**
   * - `self`: the question, in its first task.
   * - `asker`: the intent or the API that asks, with rows of its own.
   * - `delivery`: the first delivery takes the row along.
   */
  readonly opening: 'self' | 'asker' | 'delivery';
  /**
   * - `self`: the question; its subject hears of the outcome by Signal.
   * - `settler`: whoever settles it by an Update, from the result of the workflow.
   * - `subject`: the workflow that waits, from the same result, however the question was settled.
   */
  readonly ending: 'self' | 'settler' | 'subject';
}

/** By who asks. */
export const WRITERS = {
  /** The API, for a question that holds up nobody. */
  api: { opening: 'asker', ending: 'settler' },
  intent: { opening: 'asker', ending: 'subject' },
  plan: { opening: 'self', ending: 'subject' },
  approval: { opening: 'self', ending: 'subject' },
  /** The workflow of an agent: it has no store, but the first delivery has one. */
  agent: { opening: 'delivery', ending: 'settler' },
  /** The same where no delivery can take the opening along: nobody is told, or it is too large. */
  agentAlone: { opening: 'self', ending: 'settler' },
} as const satisfies Readonly<Record<string, Writers>>;

/** Who writes the rows of a question of an agent: no delivery tells of a pause, or takes along more than 64 KiB. */
export function writersForAgent(asked: Parameters<typeof openingRest>[0]): Writers {
  const isTold = asked.record.pause === undefined;
  const isSmall = jsonBytes(openingRest(asked)) <= WORKFLOW_LIMITS.handedOverBytes;
  return isTold && isSmall ? WRITERS.agent : WRITERS.agentAlone;
}

/** Whether the workflow that waits takes the outcome from the result of the question (docs/adr/0048). */
export function takesResult({
  writers,
  subject_workflow_id,
}: {
  readonly writers: Writers;
  readonly subject_workflow_id: string | null;
}): boolean {
  return subject_workflow_id !== null && writers.ending !== 'self';
}

/** The workflow that waits for a question, as far as it matters to the rows. */
interface Subject {
  /** Whether it takes the outcome from the result of the question's workflow. */
  readonly byResult: boolean;
  /** Sends it all reports by Signal from now on, that of the outcome once more. */
  attach(): void;
  /** Resolves when it has got every report so far. */
  drained(): Promise<void>;
}

interface Asked {
  readonly writers: Writers;
  /** What was asked. */
  readonly input: Parameters<typeof openingRow>[0];
  readonly subject: () => Subject;
}

/** A row that a delivery takes along, and what the delivery gets of it. */
interface TakenRow {
  readonly row: JournalRow;
  readonly beside: RowBeside;
}

/**
 * The rows of a question. While a delivery is under way the workflow does not end in the task that settles the question:
 * Temporal refuses such a task if the delivery ends meanwhile, and the Update would be lost with it until the next try, which the
 * worker may miss. It then writes its rows by itself, and reports to its subject by Signal.
 */
export class QuestionDuty extends Journal {
  private readonly asked: Asked;
  /** The row that the next delivery takes along. */
  private forDelivery: JournalRow | undefined;
  private state: 'open' | 'settled' | 'decided' = 'open';
  /** What the result leaves to another. */
  private handedOver: readonly JournalRow[] = [];
  private senderWrites: true | undefined;

  constructor(asked: Asked, source: RowSource, unwritten?: readonly JournalRow[]) {
    super(unwritten, source);
    this.asked = asked;
  }

  /** The question has just been asked. Its opening stays here until the store has it. */
  opened(): void {
    const { writers, input } = this.asked;
    const row = openingRow(input);
    this.plan(row);
    if (writers.opening === 'self') this.flush();
    if (writers.opening === 'delivery') this.forDelivery = row;
  }

  /** The question has come further, and deliveries that tell of it start next: the first one takes the row along. */
  advanced(row: RowOf<'suspension_progress'>): void {
    if (this.forDelivery || jsonBytes(row) > WORKFLOW_LIMITS.handedOverBytes) {
      this.append(row);
      return;
    }
    this.plan(row);
    this.forDelivery = row;
  }

  /** Returns the row that a delivery that starts now has to write beside its request. */
  takeForDelivery(): TakenRow | undefined {
    const row = this.forDelivery;
    if (row === undefined) return undefined;
    this.forDelivery = undefined;
    return {
      row,
      beside:
        row.kind === 'suspension_progress'
          ? { progress: row }
          : { opening: openingRest(this.asked.input) },
    };
  }

  /** The delivery that took a row along was made. If one fails, that is noted, and the row is written with the note. */
  delivered({ row }: TakenRow, isWritten: boolean): void {
    if (isWritten) this.unplan(row);
    else this.flush();
  }

  /** The question has just been settled. */
  settled(): void {
    this.state = 'settled';
    if (this.byResult) this.held = this.asked.writers.ending === 'subject';
  }

  /** If it has just been settled, it was by an Update: the last rows may be left to its sender. */
  settledByUpdate({ sender_writes }: { readonly sender_writes?: true }): void {
    if (this.state === 'open') return;
    this.senderWrites = sender_writes;
    if (this.asked.writers.ending === 'settler') this.held = true;
  }

  /** Decides who writes the last rows, once all is taken in that came with the outcome. */
  decide(isDelivering: boolean): void {
    if (this.held && !isDelivering) {
      const rows = this.release();
      // Only a first delivery leaves the opening to whoever writes the last rows: an asker has written it, or the reconciler does.
      const isOwed = this.asked.writers.opening === 'delivery';
      this.handedOver = isOwed ? rows : rows.filter(({ kind }) => kind !== 'suspension_opened');
    }
    this.held = false;
    // Nobody is to wait for the store: what the result would tell too late is told by Signal.
    if (this.byResult && this.owes) this.asked.subject().attach();
    this.state = 'decided';
  }

  /** Resolves when the subject has got every report so far, but for what the result tells it, or when the run ends before. */
  async reported(run: { readonly moving: boolean }): Promise<void> {
    if (this.state !== 'open' && this.byResult)
      await condition(() => this.state === 'decided' || run.moving);
    await this.asked.subject().drained();
  }

  /** What the result of the workflow says of its rows. */
  get result(): { readonly rows: readonly JournalRow[]; readonly sender_writes?: true } {
    const rows = [...this.handedOver, ...this.unwritten];
    return { rows, ...(this.senderWrites && { sender_writes: true }) };
  }

  /** Whether the subject learns the outcome from the result, so that it may not know it yet. */
  get isAwaited(): boolean {
    return this.state !== 'open' && this.asked.writers.ending === 'subject' && this.byResult;
  }

  private get byResult(): boolean {
    return this.asked.subject().byResult;
  }
}
