import { Agent, InputTimeoutError } from 'holdpoint-client';

const agent = new Agent({
  baseUrl: process.env['HOLDPOINT_URL'] ?? 'http://127.0.0.1:4000',
  apiKey: process.env['HOLDPOINT_API_KEY'] ?? '',
});
const [order = '12345'] = process.argv.slice(2);

/** Where a real agent would call its payment provider, with the order as idempotency key. */
async function refund(id: string): Promise<void> {
  console.log(`order ${id} is refunded`);
}

try {
  const { approved, by, comment } = await agent.ask(`Refund order #${order}?`, {
    key: `refund-${order}`, // after a crash: the same question, so nobody is asked twice
    context: { order_id: order, amount: '49.90 EUR', reason: 'arrived broken' },
    timeout: '1h',
  });
  console.log(`${by ?? 'nobody'} said ${approved ? 'yes' : 'no'}${comment ? `: ${comment}` : ''}`);
  if (approved) await refund(order);
} catch (error) {
  if (!(error instanceof InputTimeoutError)) throw error;
  console.log(`nobody decided on order ${order}`);
}
