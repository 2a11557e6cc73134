import { findSubscription } from '../../../store/queries/subscription.js';
import type { Clock } from '../calls/deadline.js';
import type { FromStore, WarningLog } from './from-store.js';
import type { WantedStage } from './memories.js';
import { ReadYourWrites } from './read-your-writes.js';
import type { SpaceMemory } from './write-memory.js';

interface Deps {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<WantedStage>;
}

/** The subscriptions that this replica began or ended, for lists of them. */
export function createWrittenSubscriptions(deps: Deps, fromStore: FromStore) {
  return new ReadYourWrites(deps, { missing: (wanted) => notShown(fromStore, wanted) });
}

/** The ids of subscriptions that the store does not show as they were written. */
async function notShown(
  fromStore: FromStore,
  wanted: ReadonlyMap<string, WantedStage>,
): Promise<readonly string[]> {
  const looks = [...wanted].map(async ([id, want]) => {
    const found = await fromStore(findSubscription, id);
    const isShown = want === 'begun' ? found !== undefined : found?.active === false;
    return isShown ? [] : [id];
  });
  return (await Promise.all(looks)).flat();
}
