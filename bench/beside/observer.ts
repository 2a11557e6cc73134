import { condition, setHandler } from '@temporalio/workflow';
import { announcementSignal } from '../../workflows/observing/messages.js';

/** The least that can observe an intent; ends with it. */
export async function observer(): Promise<void> {
  let status: string | undefined;
  setHandler(announcementSignal, (announcement) => {
    if ('status' in announcement) ({ status } = announcement);
  });
  await condition(() => status === 'completed');
}
