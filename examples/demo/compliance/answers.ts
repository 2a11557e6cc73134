import { HoldpointError, Operator } from 'holdpoint-client';
import type { Stack } from '../../../service/stack.js';
import { keyOf } from '../on-stack.js';
import { is, type Row } from './checker.js';
import type { Scene } from './rows-asked.js';

function operatorOf(stack: Stack): Operator {
  return new Operator({ baseUrl: stack.apiUrl, apiKey: keyOf(stack, 'operator') });
}

/** An operator approves over HTTP. */
export async function answer(stack: Stack, { reads, suspensionId }: Scene): Promise<void> {
  const intentId = reads.ids.intents.compliance_review;
  await operatorOf(stack).respond(intentId, { suspension_id: suspensionId, value: 'approve' });
}

/** Another answer is refused (TD-03). */
export function secondAnswerRow(stack: Stack, { reads, suspensionId }: Scene, time: number): Row {
  return {
    row: 'TD-03',
    time,
    says: 'a second answer is refused with 409',
    async look() {
      const at = new Date().toISOString();
      const intentId = reads.ids.intents.compliance_review;
      const outcome = await operatorOf(stack)
        .respond(intentId, { suspension_id: suspensionId, value: 'reject' })
        .then(
          () => 'accepted',
          (error: unknown) => (error instanceof HoldpointError ? error.status : String(error)),
        );
      is('the second answer', outcome, 409);
      return at;
    },
  };
}
