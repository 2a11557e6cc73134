import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import { erasedNote } from '../../domain/approval/record/erasure.js';
import { OrderedQueue } from '../engine/queue.js';
import { UNTIL_DONE } from '../engine/sender.js';

const { noteApproval } = proxyActivities<Pick<Activities, 'noteApproval'>>({
  startToCloseTimeout: '15 seconds',
  ...UNTIL_DONE,
  summary: 'append to the log',
});

/** Takes the events of an approval to the log of its intent or of its run, in their order. */
export class ApprovalNotes extends OrderedQueue<ApprovalNote> {
  protected override async deliver([note]: readonly ApprovalNote[]): Promise<void> {
    if (note) await noteApproval(note);
  }

  /** What has not arrived says no more than of which approval it is. */
  forget(): void {
    this.rewrite(erasedNote);
  }
}
