import { log } from '@temporalio/activity';
import { beating } from './own-call.js';
import type { ActivityDependencies } from './dependencies.js';
import type { Marked } from './types.js';

type Dependencies = Pick<ActivityDependencies, 'retention'>;

/** Marks what ended long enough ago, and tells whether a checkpoint has to say so before it is removed. */
export async function markSettled({ retention }: Dependencies): Promise<Marked> {
  return retention.mark(beating());
}

/** Removes what is marked, and goes on with what was cut off. */
export async function removeMarked({ retention }: Dependencies): Promise<void> {
  const removed = await retention.remove(beating());
  log.info('retention', { removed });
}
