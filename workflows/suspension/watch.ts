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

/** Yields the pauses (ms) between looks for a question that an earlier run asked: an hour at first, in the end a day. */
export function* pausesBetweenLooks(): Generator<number, never> {
  for (let pause = HOUR_MS; ; pause = Math.min(2 * pause, DAY_MS)) yield pause;
}

/** The end of a question that was not reported. */
export interface EndedQuestion {
  readonly suspension_id: string;
  /** Undefined if the workflow of the question is gone, and the store does not know the question. */
  readonly record: SettledRecord | undefined;
  readonly attempt: number;
  /** The rows that the question left to write. */
  readonly rows: readonly JournalRow[];
  /** The settler writes them, and the rows that follow. */
  readonly sender_writes?: true;
}

/**
 * Finds out how questions end that are not reported. The run that asked takes the outcome from the result of its child, or learns
 * from it that somebody terminated the workflow. A later run is not the parent: it asks the suspension now and then to report
 * once more, which fails if that is gone.
 */
export class QuestionWatch extends Sender {
  private readonly open: () => readonly string[];
  private end: (ended: EndedQuestion) => void = () => undefined;
  /** The questions that this run asked. */
  private readonly own = new Set<string>();
  /** Those of them whose result this run still waits for. */
  private readonly byResult = new Set<string>();
  /** The questions whose end was handed to the subject, which need not have taken it in if it is over. */
  private readonly told = new Set<string>();
  private looks: string[] = [];
  private readonly missing = new Set<string>();
  private watching = false;

  /** @param open - returns the suspensions that the subject waits for */
  constructor(open: () => readonly string[]) {
    super();
    this.open = open;
  }

  /** Watches from now on; `end` takes in how a question ended. In the first run, `follow` watches a question that is there already. */
  start(end: (ended: EndedQuestion) => void, isFirstRun: boolean): void {
    this.end = end;
    if (this.open().length > 0 && !isFirstRun) this.look();
  }

  /** Follows a question that this run has asked. */
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

  /** Has the questions report by Signal to the next run, which gets no results. Waits for the results of those that are over. */
  override async letGo(): Promise<void> {
    const asked = this.open().filter((id) => this.byResult.has(id));
    await Promise.all(asked.map((id) => this.attach(id)));
  }

  /** Notes that the workflow of a question is not there. */
  miss(suspensionId: string): void {
    if (this.open().includes(suspensionId)) this.missing.add(suspensionId);
  }

  /** A subject that ends needs no answer any more. */
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
    // It was reset: another run of it goes on, and is nobody's child.
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

  /** Whether this run still waits for the end of a question that is closed. */
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
