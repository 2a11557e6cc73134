import { log } from '@temporalio/activity';
import type { NotificationRequest } from '../contracts/notification.js';
import { shortened } from '../domain/shortened-id.js';

/**
 * Runs a call to the record of deliveries; where it fails or takes longer than `waitMs` milliseconds,
 * logs `event` and goes on with undefined.
 */
export async function tolerate<T>(
  event: string,
  request: NotificationRequest,
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
      reason: error instanceof Error ? error.message : String(error),
    });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
