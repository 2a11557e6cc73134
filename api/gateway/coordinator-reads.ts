import { workflowIdOf } from '../../contracts/constants/names.js';
import type { Coordinator } from '../../contracts/coordinator.js';
import { isCoordinatorClosed } from '../../domain/coordinator.js';
import { coordinatorQuery } from '../../workflows/coordinator/messages.js';
import type { Consistency } from './consistency.js';
import type { CoordinatorGateway } from './coordinator-types.js';
import { isEntityId } from './ids.js';
import type { Ask } from './queries.js';
import { fromCopy, type Reads } from './reads.js';
import { coordinatorNotFound } from './refusals.js';
import type { FromStore } from './store-reads.js';
import type { Read } from './types.js';

type Methods = Pick<CoordinatorGateway, 'getCoordinator' | 'listCoordinators'>;

interface Deps {
  readonly ask: Ask;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'catchUpAll'>;
  readonly fromStore: FromStore;
}

/**
 * Reads of coordinators: one is asked itself, an intent's are the store's as of their last change of status.
 * Each throws `coordinator_not_found`, or what reading the intent throws.
 */
export function createCoordinatorReads({ ask, reads, consistency, fromStore }: Deps): Methods {
  async function getCoordinator(id: string): Promise<Read<Coordinator>> {
    if (!isEntityId(id)) throw coordinatorNotFound();
    const asked = await ask(workflowIdOf('coordinator', id), coordinatorQuery);
    if (asked.kind === 'found') return { value: asked.value, stale: false };
    const copy = await fromStore((store) => store.findCoordinator(id));
    return fromCopy(asked, copy, ({ status }) => isCoordinatorClosed(status), coordinatorNotFound);
  }

  return {
    getCoordinator,
    async listCoordinators(intentId, page) {
      await reads.getIntent(intentId);
      const caughtUp = await consistency.catchUpAll();
      return {
        value: await fromStore((store) => store.coordinatorsOf(intentId, page)),
        stale: !caughtUp,
      };
    },
  };
}
