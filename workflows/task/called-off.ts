import { sleep } from '@temporalio/workflow';
import { SERVER } from '../../contracts/constants/callers.js';
import { openQuestionOf } from '../../domain/graph/announcement.js';
import type { TaskState } from '../../domain/plan/task-state.js';
import { OrderedQueue } from '../engine/queue.js';
import { trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { withdrawSignal } from '../suspension/messages.js';

/** An intent announces a question in the task that starts it, so the withdrawal may come first. */
const AGAIN_AFTER_MS = 1_000;

/** Withdraws what the intent of a phase asks after the phase was called off with its workflow. */
export class CalledOff extends OrderedQueue<string> {
  private reason = '';
  private last: string | undefined;

  /** Takes in the state of the task. A question that was withdrawn is withdrawn again by a later run, which changes nothing. */
  follow({ called_off, intent }: TaskState): void {
    const open = intent && openQuestionOf(intent);
    if (called_off === undefined || !open || open.suspension_id === this.last) return;
    this.reason = called_off;
    this.last = open.suspension_id;
    this.add(open.suspension_id);
  }

  protected override async deliver([id = '']: readonly string[]): Promise<void> {
    const { reason } = this;
    const withdrawal = { cancelled_by: SERVER.principal, settled_by: 'system', reason } as const;
    const workflowId = peerIdOf('suspension', id);
    if (await trySignal(workflowId, withdrawSignal, withdrawal)) return;
    await sleep(AGAIN_AFTER_MS);
    await trySignal(workflowId, withdrawSignal, withdrawal);
  }
}
