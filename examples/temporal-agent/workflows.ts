import { proxyActivities } from '@temporalio/workflow';
// In a project of your own: from 'holdpoint/workflows'.
import { InputTimeoutError, requestInput } from '../../workflows/human/index.js';
import type { issueRefund as refundActivity } from './activities.js';

const { issueRefund } = proxyActivities<{ issueRefund: typeof refundActivity }>({
  startToCloseTimeout: '10 seconds',
});

/**
 * An agent that refunds an order once somebody has approved it. Between the question and its answer
 * it is nothing but history: kill its worker, start it again days later, and it goes on here.
 */
export async function refund(order: string): Promise<string> {
  try {
    const answer = await requestInput({
      question: `Should we refund order #${order}?`,
      choices: [
        { value: 'approve', label: 'Approve refund' },
        { value: 'deny', label: 'Deny refund' },
      ],
      context: { order_id: order },
      retry_policy: { max_attempts: 3, interval_seconds: 3_600 },
      asked_by: 'refund-agent',
      hooks: { onInputRequested: 'sayAsked', onInputReceived: 'sayAnswered' },
    });
    return answer === 'approve' ? await issueRefund(order) : `order ${order} is not refunded`;
  } catch (error) {
    if (error instanceof InputTimeoutError) return `nobody decided on order ${order}`;
    throw error;
  }
}
