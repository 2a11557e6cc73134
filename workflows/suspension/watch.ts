import { log, proxyActivities, sleep } from '@temporalio/workflow';
import type { ChildWorkflowHandle, Workflow } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { SUSPENSION_LOST } from '../../contracts/constants/statuses.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { isSettled } from '../../domain/suspension/state.js';
import { Sender, UNTIL_DONE, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { attachSignal } from './messages.js';

const { settleLost } = proxyActivities<Pick<Activities, 'settleLost'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'end a question whose workflow is gone',
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns after how many milliseconds to look again for a question that an earlier run asked: after an hour at first,
 * in the end once a day.
 */
export function* pausesBetweenLooks(): Generator<number, never> {
  for (let pause = HOUR_MS; ; pause = Math.min(2 * pause, DAY_MS)) yield pause;
}

/** The end of a question whose workflow is gone. */
interface LostQuestion {
  readonly suspension_id: string;
  /** As the store has it; undefined if the store does not know the question. */
  readonly record: SettledRecord | undefined;
  readonly attempt: number;
}

/**
 * Finds out that the workflow of a question is gone: somebody terminated it, so no report will come. The run that
 * asked learns it from its child. A later run is not the parent any more. It asks the suspension now and then to
 * report once more, which fails where it is gone.
 */
export class QuestionWatch extends Sender {
  private readonly open: () => readonly string[];
  private end: (lost: LostQuestion) => void = () => undefined;
  /** Asked by this run. */
  private readonly own = new Set<string>();
  private looks: string[] = [];
  private readonly missing = new Set<string>();
  private watching = false;

  /** `open` returns the suspensions that are waited for. */
  constructor(open: () => readonly string[]) {
    super();
    this.open = open;
  }

  /** Watches from now on; `end` takes in how a lost question has ended. */
  start(end: (lost: LostQuestion) => void): void {
    this.end = end;
    this.look();
  }

  /** Follows a question that this run has asked. */
  follow(suspensionId: string, child: ChildWorkflowHandle<Workflow>): void {
    this.own.add(suspensionId);
    child.result().catch(() => {
      this.miss(suspensionId);
    });
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
      this.end({ suspension_id: missed, record, attempt: stored?.attempt ?? 1 });
      return;
    }
    // It was reset: another run of it goes on, and is nobody's child.
    this.own.delete(missed);
    if (!this.watching) void this.lookAgain();
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
