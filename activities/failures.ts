import { log } from '@temporalio/activity';
import type { NotificationRequest } from '../contracts/channel/notification.js';
import { shortened } from '../domain/kernel/text.js';

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Runs a call to the store beside a delivery, which it must not delay. After a failure or `waitMs` milliseconds, it
 * logs `event` and returns undefined.
 */
export async function tolerate<T>(
  event: string,
  request: Pick<NotificationRequest, 'suspension_id' | 'attempt'>,
  waitMs: number,
  call: () => Promise<T>,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${waitMs} ms`)), waitMs);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    log.warn(event, {
      suspension: shortened(request.suspension_id),
      attempt: request.attempt,
      reason: reasonOf(error),
    });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
