import { condition, log, proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import { SUSPENSION_LOST } from '../../contracts/constants/statuses.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import { isSettled } from '../../domain/suspension/record/state.js';
import { Sender, UNTIL_DONE, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import type { Opened } from './open-question.js';
import { attachSignal } from './messages.js';

const { settleLost } = proxyActivities<Pick<Activities, 'settleLost'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'end a question whose workflow is gone',
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Yields the pauses (ms) between checks of a question that an earlier run asked: an hour at first, finally a day. */
export function* pausesBetweenLooks(): Generator<number, never> {
  for (let pause = HOUR_MS; ; pause = Math.min(2 * pause, DAY_MS)) yield pause;
}

export interface EndedQuestion {
  readonly suspension_id: string;
  /** Undefined if the workflow of the question is gone, and the store does not have the question. */
  readonly record: SettledRecord | undefined;
  readonly attempt: number;
  readonly rows: readonly JournalRow[];
  /** Whether the settler writes them, and the resulting rows. */
  readonly sender_writes?: true;
}

/**
 * Detects unreported ends of questions: the run that asked by its child's result. A later run is not the parent, so
 * from time to time it asks the suspension to report again, which fails if that is gone.
 */
export class QuestionWatch extends Sender {
  private readonly open: () => readonly string[];
  private end: (ended: EndedQuestion) => void = () => undefined;
  private readonly own = new Set<string>();
  /** Of these, the questions whose result this run still waits for. */
  private readonly byResult = new Set<string>();
  /** The questions whose end was passed to the subject, which need not apply it if the subject is over. */
  private readonly told = new Set<string>();
  private looks: string[] = [];
  private readonly missing = new Set<string>();
  private watching = false;

  /** @param open - returns the suspensions that the subject waits for */
  constructor(open: () => readonly string[]) {
    super();
    this.open = open;
  }

  /**
   * Starts watching; `end` receives how a question ended. In the first run, `follow` watches a question that exists
   * already.
   */
  start(end: (ended: EndedQuestion) => void, isFirstRun: boolean): void {
    this.end = end;
    if (this.open().length > 0 && !isFirstRun) this.look();
  }

  follow({ question, child }: Opened): void {
    const { id } = question.record;
    this.own.add(id);
    this.byResult.add(id);
    child.result().then(
      ({ rows, attempt, sender_writes, ...settlement }) => {
        if (!this.byResult.delete(id)) return;
        const record = { ...question.record, ...settlement };
        this.tell({ suspension_id: id, record, attempt, rows, ...defined({ sender_writes }) });
      },
      () => this.miss(id),
    );
  }

  /** Makes the questions report by Signal to the next run, which gets no results. Waits for the results of ended ones. */
  override async letGo(): Promise<void> {
    const asked = this.open().filter((id) => this.byResult.has(id));
    await Promise.all(asked.map((id) => this.attach(id)));
  }

  miss(suspensionId: string): void {
    if (this.open().includes(suspensionId)) this.missing.add(suspensionId);
  }

  /** A subject that ends needs no answers any more. */
  override get owes(): boolean {
    return false;
  }

  protected override get ready(): boolean {
    return this.looks.length > 0 || this.missing.size > 0;
  }

  protected override async sendNext(): Promise<void> {
    const looked = this.looks.shift();
    if (looked !== undefined) {
      const isThere = await trySignal(peerIdOf('suspension', looked), attachSignal);
      if (!isThere) this.miss(looked);
      return;
    }
    const [missed] = this.missing;
    if (missed === undefined) return;
    const stored = await settleLost(missed);
    this.missing.delete(missed);
    if (!this.open().includes(missed)) return;
    const record = stored?.record;
    if (record === undefined || isSettled(record)) {
      log.warn(SUSPENSION_LOST, { suspension_id: missed });
      this.tell({ suspension_id: missed, record, attempt: stored?.attempt ?? 1, rows: [] });
      return;
    }
    // The workflow was reset: its new run is nobody's child.
    this.own.delete(missed);
    if (this.byResult.delete(missed)) this.looks.push(missed);
    if (!this.watching) void this.lookAgain();
  }

  private tell(ended: EndedQuestion): void {
    this.end(ended);
    this.told.add(ended.suspension_id);
  }

  private async attach(suspensionId: string): Promise<void> {
    if (await trySignal(peerIdOf('suspension', suspensionId), attachSignal)) return;
    await condition(() => !this.awaits(suspensionId));
  }

  /** Whether this run still waits for the end of a closed question. */
  private awaits(suspensionId: string): boolean {
    const { own, told } = this;
    return this.open().includes(suspensionId) && own.has(suspensionId) && !told.has(suspensionId);
  }

  private look(): void {
    this.looks = this.open().filter((id) => !this.own.has(id));
    if (this.looks.length > 0 && !this.watching) void this.lookAgain();
  }

  private async lookAgain(): Promise<void> {
    this.watching = true;
    for (const pause of pausesBetweenLooks()) {
      await sleep(pause, { summary: 'look for the question' });
      this.look();
      if (this.looks.length === 0) break;
    }
    this.watching = false;
  }
}
