// In a project of your own: from 'holdpoint/workflows'.
import type { InputHookEvent } from '../../workflows/human/index.js';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Where a real agent would call its payment provider, with the order as idempotency key. */
export async function issueRefund(order: string): Promise<string> {
  return `order ${order} is refunded`;
}

/** A hook: the question is open, or a reminder went out. It may be called twice with one key. */
export async function sayAsked({ suspension }: InputHookEvent): Promise<void> {
  const { _attempt, _max_attempts } = suspension.context;
  say(`asked, attempt ${_attempt} of ${_max_attempts}: suspension ${suspension.id}`);
}

/** A hook: somebody answered. */
export async function sayAnswered({ response }: InputHookEvent): Promise<void> {
  say(
    `${response?.responded_by ?? 'somebody'} chose ${response?.choice_label ?? 'something else'}`,
  );
}
