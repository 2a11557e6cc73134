import { storedQuestions } from '../../workers/reconciliation.js';
import { lookUntil } from './looks.js';
import type { TestStore } from './store.js';

/**
 * Waits until the store has how a question ended. The API stores what one without an intent leaves, and does so after its
 * reply, or the end of the workflow, where it is slow.
 */
export async function settledInStore({ db }: Pick<TestStore, 'db'>, id: string): Promise<void> {
  const find = storedQuestions(db);
  const isSettled = async () => (await find.findSuspension(id, 'default'))?.state === 'settled';
  await lookUntil(isSettled, `how ${id} ended is not stored`);
}
