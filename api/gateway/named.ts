import { refusalOf, RefusalError } from '../errors.js';

const ACCEPTED: Readonly<Record<string, string>> = {
  intent_not_found: 'the id of an intent',
  portfolio_not_found: 'the id of a portfolio',
  coordinator_not_found: 'the id of a coordinator',
  plan_not_found: 'the id of a plan',
  task_not_found: 'the id of a task',
};

/**
 * What a field of a request names.
 *
 * @throws RefusalError where nothing has the id, with the field and what it takes; or what else `read` throws
 */
export async function named<T>(field: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const refusal = refusalOf(error);
    const accepted = refusal && ACCEPTED[refusal.code];
    if (!refusal || !accepted) throw error;
    throw new RefusalError({ ...refusal, field, accepted }, { cause: error });
  }
}
