import { condition } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { RowBeside } from '../../contracts/channel/notification.js';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import type { QuestionFindings } from '../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { openingRest, openingRow } from '../../domain/suspension/record/opening-row.js';
import { Journal, type RowSource } from './journal.js';

// This file alone decides who writes which row (docs/adr/0103).

/** Who writes the first row of a question, and who writes its last ones. */
export interface Writers {
  /**
   * - `self`: the question, in its first task.
   * - `asker`: the intent or the API that asks, with rows of its own.
   * - `delivery`: the first delivery also writes the row.
   */
  readonly opening: 'self' | 'asker' | 'delivery';
  /**
   * - `self`: the question; its subject gets the outcome by Signal.
   * - `settler`: whoever settles it by an Update, from the result of the workflow.
   * - `subject`: the workflow that waits, from the same result, however the question was settled.
   */
  readonly ending: 'self' | 'settler' | 'subject';
}

export const WRITERS = {
  /** The API, for a question for which no workflow waits. */
  api: { opening: 'asker', ending: 'settler' },
  intent: { opening: 'asker', ending: 'subject' },
  plan: { opening: 'self', ending: 'subject' },
  approval: { opening: 'self', ending: 'subject' },
  /** The workflow of an agent, which has no store itself; the first delivery has one. */
  agent: { opening: 'delivery', ending: 'settler' },
  /** The workflow of an agent, if no delivery can write the opening: nobody is notified, or it is too large. */
  agentAlone: { opening: 'self', ending: 'settler' },
} as const satisfies Readonly<Record<string, Writers>>;

type AgentAsked = Parameters<typeof openingRest>[0] & { readonly findings?: QuestionFindings };

/** Who writes the rows of an agent's question: a pause or a question that tells nobody has no delivery, and a delivery writes no more than 64 KiB. */
export function writersForAgent(asked: AgentAsked): Writers {
  const isTold =
    asked.record.pause === undefined && asked.findings?.tells_nobody_at_first === undefined;
  const isSmall = jsonBytes(openingRest(asked)) <= WORKFLOW_LIMITS.handedOverBytes;
  return isTold && isSmall ? WRITERS.agent : WRITERS.agentAlone;
}

/** Whether the waiting workflow takes the outcome from the result of the question (docs/adr/0048). */
export function takesResult({
  writers,
  subject_workflow_id,
}: {
  readonly writers: Writers;
  readonly subject_workflow_id: string | null;
}): boolean {
  return subject_workflow_id !== null && writers.ending !== 'self';
}

/** What the rows need to know about the workflow that waits for a question. */
interface Subject {
  readonly byResult: boolean;
  /** Sends it all reports by Signal from now on, including that of the outcome again. */
  attach(): void;
  /** Resolves once it has received every report so far. */
  drained(): Promise<void>;
}

interface Asked {
  readonly writers: Writers;
  readonly input: Parameters<typeof openingRow>[0];
  readonly subject: () => Subject;
}

/** A row that a delivery also writes, and the part of it that the delivery gets. */
interface TakenRow {
  readonly row: JournalRow;
  readonly beside: RowBeside;
}

/**
 * The rows of a question. While a delivery is under way, the workflow does not end in the task that settles the
 * question, because Temporal refuses such a task if the delivery ends meanwhile. It then writes its rows itself.
 */
export class QuestionDuty extends Journal {
  private readonly asked: Asked;
  /** The row that the next delivery writes. */
  private forDelivery: JournalRow | undefined;
  private state: 'open' | 'settled' | 'decided' = 'open';
  /** The rows that the result leaves to another writer. */
  private handedOver: readonly JournalRow[] = [];
  private senderWrites: true | undefined;

  constructor(asked: Asked, source: RowSource, unwritten?: readonly JournalRow[]) {
    super(unwritten, source);
    this.asked = asked;
  }

  /** Records that the question was asked. Its opening is kept here until the store has it. */
  opened(): void {
    const { writers, input } = this.asked;
    const row = openingRow(input);
    this.plan(row);
    if (writers.opening === 'self') this.flush();
    if (writers.opening === 'delivery') this.forDelivery = row;
  }

  /** Records progress of the question. The first of the deliveries that start next writes the row. */
  advanced(row: RowOf<'suspension_progress'>): void {
    if (this.forDelivery || jsonBytes(row) > WORKFLOW_LIMITS.handedOverBytes) {
      this.append(row);
      return;
    }
    this.plan(row);
    this.forDelivery = row;
  }

  /** Returns the row that a delivery starting now must write beside its request. */
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

  /**
   * Records the end of the delivery that got a row. If a delivery fails, that is noted, and the row is written with
   * the note.
   */
  delivered({ row }: TakenRow, isWritten: boolean): void {
    if (isWritten) this.unplan(row);
    else this.flush();
  }

  settled(): void {
    this.state = 'settled';
    if (this.byResult) this.held = this.asked.writers.ending === 'subject';
  }

  /** If it has just been settled, then by an Update, whose sender may be left to write the last rows. */
  settledByUpdate({ sender_writes }: { readonly sender_writes?: true }): void {
    if (this.state === 'open') return;
    this.senderWrites = sender_writes;
    if (this.asked.writers.ending === 'settler') this.held = true;
  }

  /** Decides who writes the last rows, once everything that came with the outcome is applied. */
  decide(isDelivering: boolean): void {
    if (this.held && !isDelivering) {
      const rows = this.release();
      // Only a first delivery leaves the opening to the writer of the last rows; otherwise an asker has written it,
      // or the reconciler does.
      const isOwed = this.asked.writers.opening === 'delivery';
      this.handedOver = isOwed ? rows : rows.filter(({ kind }) => kind !== 'suspension_opened');
    }
    this.held = false;
    // Nobody should wait for the store, so what the result would report too late is sent by Signal.
    if (this.byResult && this.owes) this.asked.subject().attach();
    this.state = 'decided';
  }

  /**
   * Resolves with the last rows, if whoever settled the question by an Update is to write them; undefined where that
   * is decided only after a delivery has ended, or where others write them.
   */
  async leftToSettler(
    isDelivering: () => boolean,
    run: { readonly moving: boolean },
  ): Promise<readonly JournalRow[] | undefined> {
    if (!this.held || this.asked.writers.ending !== 'settler') return undefined;
    await condition(() => this.state === 'decided' || isDelivering() || run.moving);
    return this.handedOver.length > 0 ? this.handedOver : undefined;
  }

  /**
   * Resolves when the subject has received every report so far, except what it gets from the result, or when the run
   * ends earlier.
   */
  async reported(run: { readonly moving: boolean }): Promise<void> {
    if (this.state !== 'open' && this.byResult)
      await condition(() => this.state === 'decided' || run.moving);
    await this.asked.subject().drained();
  }

  get result(): { readonly rows: readonly JournalRow[]; readonly sender_writes?: true } {
    const rows = [...this.handedOver, ...this.unwritten];
    return { rows, ...(this.senderWrites && { sender_writes: true }) };
  }

  /** Whether the subject gets the outcome from the result, so that it may not have it yet. */
  get isAwaited(): boolean {
    return this.state !== 'open' && this.asked.writers.ending === 'subject' && this.byResult;
  }

  private get byResult(): boolean {
    return this.asked.subject().byResult;
  }
}
