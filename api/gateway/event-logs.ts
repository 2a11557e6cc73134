import { setImmediate as otherWorkDone } from 'node:timers/promises';
import type { IntentEvent } from '../../contracts/event.js';
import { conclude, follow, unread } from '../../domain/event-chain.js';
import type { KnownEnd } from './log-end.js';
import type { FromStore } from './store-reads.js';
import type { Gateway } from './types.js';

type Methods = Pick<Gateway, 'verifyEvents' | 'exportEvents'>;

/** Events may be large: so many at most are in memory at once. */
const PAGE = 50;

/**
 * Whole logs, read part by part and compared with how they are known to end. Both throw what `knownEnd`
 * throws; the events of an export throw `store_unavailable` while they are read.
 */
export function createEventLogs(
  knownEnd: (intentId: string) => Promise<KnownEnd>,
  fromStore: FromStore,
): Methods {
  async function* eventsOf(intentId: string, upTo: number): AsyncGenerator<IntentEvent> {
    for (let after: number | undefined; ;) {
      const range = { ...(after !== undefined && { after }), upTo, limit: PAGE };
      const events = await fromStore((store) => store.eventsInOrder(intentId, range));
      yield* events;
      if (events.length < PAGE) return;
      after = events.at(-1)?.sequence;
    }
  }

  return {
    async verifyEvents(intentId) {
      const { head, head_from, newest, stale } = await knownEnd(intentId);
      let progress = unread(intentId);
      for await (const event of eventsOf(intentId, newest)) {
        progress = follow(progress, event);
        await otherWorkDone();
      }
      return { value: { ...conclude(progress, head), head_from }, stale };
    },
    async exportEvents(intentId) {
      const { head, head_from, stale } = await knownEnd(intentId);
      const { sequence: last_sequence, event_hash: head_hash = null } = head;
      const end_of_log = { intent_id: intentId, last_sequence, head_hash, head_from };
      return { value: { events: eventsOf(intentId, last_sequence), end: { end_of_log } }, stale };
    },
  };
}
