/** Where a real agent would call its payment provider, with the order as idempotency key. */
export async function issueRefund(order: string): Promise<string> {
  return `order ${order} is refunded`;
}
