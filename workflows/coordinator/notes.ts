import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { IntentNote } from '../../contracts/intent.js';
import { OrderedQueue } from '../engine/queue.js';
import { UNTIL_DONE } from '../engine/sender.js';

const { noteIntent } = proxyActivities<Pick<Activities, 'noteIntent'>>({
  startToCloseTimeout: '30 seconds',
  ...UNTIL_DONE,
  summary: 'append to the log of an intent',
});

/** Appends to logs of intents, one after the other. */
export class Notes extends OrderedQueue<IntentNote> {
  protected override async deliver([note]: readonly IntentNote[]): Promise<void> {
    if (note) await noteIntent(note);
  }
}
