import { condition, log, patched, proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { SUSPENSION_LOST } from '../../contracts/constants/statuses.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import { isSettled } from '../../domain/suspension/state.js';
import { Sender, UNTIL_DONE, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { asksByResult } from './ask.js';
import type { Opened } from './ask.js';
import { attachSignal } from './messages.js';
import type { SuspensionResult } from './messages.js';

const { settleLost } = proxyActivities<Pick<Activities, 'settleLost'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'end a question whose workflow is gone',
});

/** A run without this patch waits on for a question whose end it has, if its subject is over and no longer takes ends in. */
const LETS_TOLD_GO = 'holdpoint-lets-told-questions-go';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns after how many milliseconds to look again for a question that an earlier run asked: after an hour at first,
 * in the end once a day.
 */
export function* pausesBetweenLooks(): Generator<number, never> {
  for (let pause = HOUR_MS; ; pause = Math.min(2 * pause, DAY_MS)) yield pause;
}

/** The end of a question that no report told. */
export interface EndedQuestion {
  readonly suspension_id: string;
  /** Undefined if the workflow of the question is gone, and the store does not know the question. */
  readonly record: SettledRecord | undefined;
  readonly attempt: number;
  /** What the question left to write. */
  readonly rows: readonly JournalRow[];
  /** Whoever settled it writes that, and what follows from it. */
  readonly sender_writes?: true;
}

/**
 * Finds out how questions end beside their reports. The run that asked takes the outcome from the result of its child,
 * and learns from it that the workflow is gone: somebody terminated it. A later run is not the parent any more. It
 * asks the suspension now and then to report once more, which fails where it is gone.
 */
export class QuestionWatch extends Sender {
  private readonly open: () => readonly string[];
  private end: (ended: EndedQuestion) => void = () => undefined;
  /** Asked by this run. */
  private readonly own = new Set<string>();
  /** Those of them that tell their outcome by their result. */
  private readonly byResult = new Set<string>();
  /** Those whose end the subject was told. One that is over need not have taken it in. */
  private readonly told = new Set<string>();
  private looks: string[] = [];
  private readonly missing = new Set<string>();
  private watching = false;

  /** `open` returns the suspensions that are waited for. */
  constructor(open: () => readonly string[]) {
    super();
    this.open = open;
  }

  /**
   * Watches from now on; `end` takes in how a question has ended. In the first run there may be a question already,
   * whose Update came with the first task: `follow` sees to it.
   */
  start(end: (ended: EndedQuestion) => void, isFirstRun: boolean): void {
    this.end = end;
    if (this.open().length > 0 && !(isFirstRun && asksByResult())) this.look();
  }

  /** Follows a question that this run has asked. */
  follow({ question, child }: Opened): void {
    const { id } = question.record;
    this.own.add(id);
    if (question.reports_by_result) this.byResult.add(id);
    child.result().then(
      (result) => {
        if (this.byResult.delete(id)) this.takeResult(question.record, result);
      },
      () => {
        this.miss(id);
      },
    );
  }

  /**
   * Before another run goes on: results come to this one only. Has the questions report by Signal from now on. The
   * result of one that is over already is on its way.
   */
  override async letGo(): Promise<void> {
    const asked = this.open().filter((id) => this.byResult.has(id));
    await Promise.all(asked.map((id) => this.attach(id)));
  }

  /** The workflow of this question was not there. */
  miss(suspensionId: string): void {
    if (this.open().includes(suspensionId)) this.missing.add(suspensionId);
  }

  /** Who ends needs no answer any more. */
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

  private takeResult(
    asked: SuspensionRecord,
    { rows, attempt, sender_writes, ...settlement }: SuspensionResult,
  ): void {
    const record = { ...asked, ...settlement };
    const end = { suspension_id: asked.id, record, attempt, rows };
    this.tell({ ...end, ...(sender_writes && { sender_writes }) });
  }

  private tell(ended: EndedQuestion): void {
    this.end(ended);
    this.told.add(ended.suspension_id);
  }

  private async attach(suspensionId: string): Promise<void> {
    if (await trySignal(peerIdOf('suspension', suspensionId), attachSignal)) return;
    await condition(() => !this.awaits(suspensionId));
  }

  /** Whether this run is still to get the end of a question that is closed. */
  private awaits(suspensionId: string): boolean {
    if (!this.open().includes(suspensionId) || !this.own.has(suspensionId)) return false;
    return !(this.told.has(suspensionId) && patched(LETS_TOLD_GO));
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
