import { LIMITS } from '../../../contracts/constants/limits.js';
import { addDependencyUpdate, removeDependencyUpdate } from '../../../workflows/intent/messages.js';
import { RefusalError } from '../../errors.js';
import { actorOf } from '../caller.js';
import type { Consistency } from '../reads/read-your-writes.js';
import type { IntentWriter } from '../intent/writes.js';
import { createWritten } from '../intent/writes.js';
import { referenced } from '../references.js';
import type { Reads } from '../intent/reads.js';
import { refused } from '../refusals.js';
import type { FromStore, StoreReads } from '../reads/store-reads.js';
import type { Gateway, Read } from '../types.js';

interface Deps {
  readonly write: IntentWriter;
  readonly reads: Pick<Reads, 'getIntent'>;
  /** For what a write names. */
  readonly patientReads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'touch' | 'catchUp' | 'catchUpAll'>;
  readonly fromStore: FromStore;
}

type Methods = Pick<
  Gateway,
  'addDependency' | 'removeDependency' | 'listRelated' | 'childrenStatus' | 'intentGraph'
>;

/**
 * Edges between intents, and the lists that follow them. Writes throw what `IntentWriter` throws, and
 * `store_unavailable` where the edge could not be checked; reads are the store's, once it has caught up
 * with what this replica wrote, and throw `intent_not_found`.
 */
export function createGraph(deps: Deps): Methods {
  const { write, reads, patientReads, consistency, fromStore } = deps;
  const written = createWritten(reads, consistency);

  async function read<T>(
    intentId: string,
    query: (store: StoreReads) => Promise<T>,
  ): Promise<Read<T>> {
    await reads.getIntent(intentId);
    const caughtUp = await consistency.catchUpAll();
    return { value: await fromStore(query), stale: !caughtUp };
  }

  return {
    async addDependency(caller, intentId, ifMatch, dependencyId) {
      await referenced('dependency_id', patientReads.getIntent(dependencyId));
      // Its own edges have to be in the store before one that leads to it is checked.
      if ((await consistency.catchUp(dependencyId)) === 'behind') {
        throw refused('store_unavailable', 'The store has not caught up with the dependency.');
      }
      const input = { actor: actorOf(caller), if_match: ifMatch, dependency_id: dependencyId };
      const ruling = await write(intentId, addDependencyUpdate, input);
      if (!ruling.ok) throw new RefusalError(ruling.refusal);
      return written(intentId, ruling.value);
    },
    async removeDependency(caller, intentId, ifMatch, dependencyId) {
      const input = { actor: actorOf(caller), if_match: ifMatch, dependency_id: dependencyId };
      return written(intentId, await write(intentId, removeDependencyUpdate, input));
    },
    listRelated: (relation, intentId, page) =>
      read(intentId, (store) => store.relatedIntents(relation, intentId, page)),
    childrenStatus: (intentId) => read(intentId, (store) => store.childrenStatus(intentId)),
    intentGraph: (intentId) =>
      read(intentId, (store) => store.intentGraph(intentId, LIMITS.pageSize)),
  };
}
