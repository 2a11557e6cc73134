import type { Consistency } from './consistency.js';
import { isEntityId } from './ids.js';
import { intentNotFound } from './refusals.js';
import type { FromStore } from './store-reads.js';
import type { Gateway } from './types.js';

type Methods = Pick<Gateway, 'listIntents' | 'findEvents' | 'listEvents'>;

/**
 * Lists are the store's, once it has caught up with what was written (at most 2 s, then `stale`).
 * Both throw `store_unavailable`; `listEvents` throws `intent_not_found` where neither Temporal nor
 * the store knows the intent.
 */
export function createLists(
  consistency: Pick<Consistency, 'catchUp' | 'catchUpAll'>,
  fromStore: FromStore,
): Methods {
  return {
    async listIntents(page) {
      const caughtUp = await consistency.catchUpAll();
      return { value: await fromStore((store) => store.listIntents(page)), stale: !caughtUp };
    },
    async findEvents(types, page) {
      const caughtUp = await consistency.catchUpAll();
      return {
        value: await fromStore((store) => store.findEvents(types, page)),
        stale: !caughtUp,
      };
    },
    async listEvents(intentId, page) {
      if (!isEntityId(intentId)) throw intentNotFound();
      const progress = await consistency.catchUp(intentId);
      if (progress === 'missing') {
        // A workflow ends only after its journal is drained, so the store's log is complete.
        const known = await fromStore((store) => store.findIntent(intentId));
        if (!known) throw intentNotFound();
      }
      const value = await fromStore((store) => store.listEvents(intentId, page));
      return { value, stale: progress === 'behind' };
    },
  };
}
