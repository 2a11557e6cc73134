import { workflowIdOf } from '../../contracts/constants/names.js';
import type { ChainHead, HeadSource } from '../../contracts/event-log.js';
import {
  positionQuery,
  type IntentPosition,
  type LogEnd,
} from '../../workflows/intent/messages.js';
import type { Consistency } from './consistency.js';
import { isEntityId } from './ids.js';
import type { Ask } from './queries.js';
import { intentNotFound, readUnavailable } from './refusals.js';
import type { FromStore } from './store-reads.js';

/** How a log ended when it was recorded, and the highest number there is to read. */
export interface KnownEnd {
  readonly head: ChainHead;
  readonly head_from: HeadSource;
  readonly newest: number;
  readonly stale: boolean;
}

const NOTHING_STORED: LogEnd = { last_sequence: 0, head_hash: null };

/**
 * Finds out how an intent's log ends, once the store has caught up (at most 2 s, then `stale`): as its
 * workflow knows it or, where that is gone or silent, as the store noted it. Throws `intent_not_found`,
 * `workflow_unavailable` where only a worker could tell whether there is such an intent, and
 * `store_unavailable`.
 */
export function createKnownEnd(
  ask: Ask,
  consistency: Pick<Consistency, 'catchUp'>,
  fromStore: FromStore,
): (intentId: string) => Promise<KnownEnd> {
  const position = (intentId: string) => ask(workflowIdOf('intent', intentId), positionQuery);

  /** Events beyond the end that was told may have been recorded since, but none beyond the end now. */
  async function liveEnd(
    intentId: string,
    told: IntentPosition,
    newest: number,
  ): Promise<KnownEnd> {
    const live = { head_from: 'workflow', stale: false } as const;
    const now = newest > told.last_sequence ? await position(intentId) : undefined;
    return now?.kind === 'found' && newest > now.value.last_sequence
      ? { ...live, head: headOf(now.value), newest }
      : { ...live, head: headOf(told), newest: told.last_sequence };
  }

  return async (intentId) => {
    if (!isEntityId(intentId)) throw intentNotFound();
    const asked = await position(intentId);
    const progress = asked.kind === 'no_answer' ? 'behind' : await consistency.catchUp(intentId);
    const stored = await fromStore((store) => store.logEnd(intentId));
    if (asked.kind === 'found') {
      return progress === 'behind'
        ? unfinishedEnd(asked.value, stored ?? NOTHING_STORED)
        : liveEnd(intentId, asked.value, stored?.newest_event ?? 0);
    }
    if (!stored) throw asked.kind === 'missing' ? intentNotFound() : readUnavailable();
    const stale = progress === 'behind';
    const newest = stale ? stored.last_sequence : stored.newest_event;
    return { head: headOf(stored), head_from: 'store', newest, stale };
  };
}

/** A store that is behind must at least hold what it has confirmed. */
function unfinishedEnd({ written_sequence: written }: IntentPosition, stored: LogEnd): KnownEnd {
  const stale = true;
  return stored.last_sequence < written
    ? { head: { sequence: written }, head_from: 'workflow', newest: written, stale }
    : { head: headOf(stored), head_from: 'store', newest: stored.last_sequence, stale };
}

function headOf({ last_sequence, head_hash }: LogEnd): ChainHead {
  return { sequence: last_sequence, event_hash: head_hash };
}
