import { idsNotInState } from '../../../store/queries/inbox.js';
import type { Clock } from '../calls/deadline.js';
import type { FromStore, WarningLog } from './from-store.js';
import type { WantedState } from './memories.js';
import { ReadYourWrites } from './read-your-writes.js';
import type { SpaceMemory } from './write-memory.js';

/** The suspensions that this replica opened or settled, for lists of them. */
export type Settlements = ReturnType<typeof createSettlements>;

interface SettlementDeps {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<WantedState>;
}

/** @param onSettled - called with the id of each question that this replica settles */
export function createSettlements(
  deps: SettlementDeps,
  fromStore: FromStore,
  onSettled: (id: string) => void,
) {
  return new ReadYourWrites(deps, {
    missing: (wanted) => fromStore(idsNotInState, wanted),
    touched: (id, wanted) => {
      if (wanted === 'settled') onSettled(id);
    },
  });
}
