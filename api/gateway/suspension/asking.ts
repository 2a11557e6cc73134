import { workflowIdOf } from '../../../contracts/constants/names.js';
import { suspendUpdate } from '../../../workflows/intent/messages.js';
import type { SuspendInput, SuspendReceipt } from '../../../workflows/intent/messages.js';
import { refusalOf } from '../../errors.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import type { IntentWriter } from '../intent/writes.js';
import { activeSuspensionId } from './diagnosis.js';

export interface AskDeps {
  readonly write: IntentWriter;
  readonly reads: Pick<Reads, 'getIntent' | 'getSuspension'>;
  readonly temporal: Pick<Temporal, 'told'>;
  readonly space: string;
}

/**
 * Asks the question of an intent, once more where an earlier one that is over by now was in the way: who waited for that
 * outcome may know it before the intent does, and an Update that comes with the task that tells the intent is judged
 * first. Throws what `IntentWriter` throws.
 */
export function createAsk({ write, reads, temporal, space }: AskDeps) {
  /** Whether the question that was in the way is over, and the intent knows it. */
  async function goesOn(intentId: string): Promise<boolean> {
    const { value: intent } = await reads.getIntent(intentId);
    if (intent.status !== 'suspended_awaiting_input') return true;
    const open = activeSuspensionId(intent);
    if (open === undefined) return false;
    const { value: question } = await reads.getSuspension(open);
    if (question.state === 'pending') return false;
    await temporal.told(workflowIdOf('intent', intentId, space), workflowIdOf('suspension', open));
    return true;
  }

  return async (intentId: string, input: SuspendInput): Promise<SuspendReceipt> => {
    try {
      return await write(intentId, suspendUpdate, input);
    } catch (error) {
      if (refusalOf(error)?.code !== 'intent_suspended' || !(await goesOn(intentId))) throw error;
      return write(intentId, suspendUpdate, input);
    }
  };
}
