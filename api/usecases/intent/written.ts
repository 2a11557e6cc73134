import type { Intent } from '../../../contracts/intent/intent.js';
import type { IntentWritten } from '../../../workflows/intent/messages.js';
import type { Call } from '../usecase.js';

/** The intent after a write; lists wait for the write from then on. */
export async function written(
  { parts: { consistency, reads } }: Call,
  intentId: string,
  { last_sequence, intent }: IntentWritten,
): Promise<Intent> {
  consistency.touch(intentId, last_sequence);
  return intent ?? (await reads.getIntent(intentId)).value;
}
