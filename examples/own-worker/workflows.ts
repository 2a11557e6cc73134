import { proxyActivities } from '@temporalio/workflow';
import { InputTimeoutError, ask } from 'holdpoint/workflows';
import type * as activities from './activities.js';

const { issueRefund } = proxyActivities<typeof activities>({ startToCloseTimeout: '10 seconds' });

/**
 * An agent that refunds an order once somebody has approved it. Between the question and its answer it is nothing but
 * history: kill its worker, start it again days later, and it goes on here.
 */
export async function refund(order: string): Promise<string> {
  try {
    const { approved, by } = await ask(`Refund order #${order}?`, {
      context: { order_id: order },
      remind: { every: '1h', times: 2 },
    });
    return approved
      ? await issueRefund(order)
      : `${by ?? 'nobody'} refused to refund order ${order}`;
  } catch (error) {
    if (error instanceof InputTimeoutError) return `nobody decided on order ${order}`;
    throw error;
  }
}
