import { RefusalError, refusalOf } from '../errors.js';

/** The form of an entity's id: a UUID in lower case. */
export const ENTITY_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Whether a text from outside has the form of an entity's id. Anything else
 * is unknown from the start and is put neither into a workflow id nor into a store query.
 */
export function isEntityId(text: string): boolean {
  return ENTITY_ID.test(text);
}

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
export async function referenced<T>(field: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const refusal = refusalOf(error);
    const accepted = refusal && ACCEPTED[refusal.code];
    if (!refusal || !accepted) throw error;
    throw new RefusalError({ ...refusal, field, accepted }, { cause: error });
  }
}
