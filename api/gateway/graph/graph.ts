import type { Reader } from '../../../contracts/access.js';
import type { AggregateStatus, IntentGraph, Relation } from '../../../contracts/graph.js';
import type { Intent, IntentSummary } from '../../../contracts/intent.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { childrenStatus, intentGraph, relatedIntents } from '../../../store/queries/graph.js';
import { addDependencyUpdate, removeDependencyUpdate } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { sentBy } from '../caller.js';
import type { Caller, ListedForm, Page, Read } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import type { OwnReach } from '../intent/access.js';
import type { IntentWriter } from '../intent/writes.js';
import { createWritten } from '../intent/writes.js';
import { referenced, refused } from '../refusals.js';
import type { Reads } from '../intent/reads.js';
import { listAfter, readAfter } from '../reads/from-store.js';
import type { FromStore } from '../reads/from-store.js';

interface Deps {
  readonly write: IntentWriter;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly readNamed: OwnReach['readNamed'];
  readonly consistency: Pick<Consistency, 'touch' | 'catchUp' | 'catchUpAll'>;
  readonly fromStore: FromStore;
}

/**
 * Edges between intents, and the lists that follow them. Writes throw what `IntentWriter` throws, and
 * `store_unavailable` if the edge could not be checked; reads are the store's, once it has caught up
 * with what this replica wrote, and throw `intent_not_found`.
 */
export function createGraph(deps: Deps) {
  const { write, reads, readNamed, consistency, fromStore } = deps;
  const written = createWritten(reads, consistency);

  async function read<T>(intentId: string, query: () => Promise<T>): Promise<Read<T>> {
    await reads.getIntent(intentId);
    return readAfter(consistency.catchUpAll(), query);
  }

  return {
    async addDependency(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      dependencyId: string,
    ): Promise<Intent> {
      await referenced('dependency_id', readNamed(caller, dependencyId));
      // Its own edges have to be in the store before one that leads to it is checked.
      if ((await consistency.catchUp(dependencyId)) === 'behind') {
        throw refused('store_unavailable', 'The store has not caught up with the dependency.');
      }
      const input = { ...sentBy(caller), if_match: ifMatch, dependency_id: dependencyId };
      return written(intentId, demand(await write(intentId, addDependencyUpdate, input)));
    },
    async removeDependency(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      dependencyId: string,
    ): Promise<Intent> {
      const input = { ...sentBy(caller), if_match: ifMatch, dependency_id: dependencyId };
      return written(intentId, await write(intentId, removeDependencyUpdate, input));
    },
    async listRelated(
      relation: Relation,
      intentId: string,
      page: Page,
      reader?: Reader,
    ): Promise<ListedForm<Intent, IntentSummary>> {
      const related = () => fromStore(relatedIntents, relation, intentId, page, reader);
      await reads.getIntent(intentId);
      return listAfter(consistency.catchUpAll(), related);
    },
    childrenStatus(intentId: string, reader?: Reader): Promise<Read<AggregateStatus>> {
      return read(intentId, () => fromStore(childrenStatus, intentId, reader));
    },
    intentGraph(intentId: string, reader?: Reader): Promise<Read<IntentGraph>> {
      return read(intentId, () => fromStore(intentGraph, intentId, LIMITS.pageSize, reader));
    },
  };
}
