import { setImmediate as otherWorkDone } from 'node:timers/promises';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  ChainHead,
  ExportEnd,
  HeadSource,
  IntentEvent,
  VerifyReport,
} from '../../../contracts/event.js';
import { checkEvent, endCheck, startCheck } from '../../../domain/intent/event-chain.js';
import { eventsInOrder, logEnd } from '../../../store/queries/event-log.js';
import { positionQuery } from '../../../workflows/engine/messages.js';
import type { LogEnd, LogPosition } from '../../../workflows/engine/messages.js';
import type { Read } from '../caller.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { isEntityId } from '../references.js';
import { intentNotFound, readUnavailable } from '../refusals.js';

/** A whole log in its order, read as it is taken, and how it ends. */
export interface LogExport {
  readonly events: AsyncIterable<IntentEvent>;
  readonly end: ExportEnd;
}

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
  temporal: Pick<Temporal, 'query'>,
  consistency: Pick<Consistency, 'catchUp'>,
  fromStore: FromStore,
): (intentId: string) => Promise<KnownEnd> {
  const position = (intentId: string) =>
    temporal.query(workflowIdOf('intent', intentId), positionQuery);

  /** Events beyond the end that was reported may have been recorded since, but none beyond the end now. */
  async function liveEnd(
    intentId: string,
    reported: LogPosition,
    newest: number,
  ): Promise<KnownEnd> {
    const live = { head_from: 'workflow', stale: false } as const;
    const now = newest > reported.last_sequence ? await position(intentId) : undefined;
    return now?.kind === 'done' && newest > now.value.last_sequence
      ? { ...live, head: headOf(now.value), newest }
      : { ...live, head: headOf(reported), newest: reported.last_sequence };
  }

  return async (intentId) => {
    if (!isEntityId(intentId)) throw intentNotFound();
    const asked = await position(intentId);
    const progress = asked.kind === 'no_answer' ? 'behind' : await consistency.catchUp(intentId);
    const stored = await fromStore(logEnd, intentId);
    if (asked.kind === 'done') {
      return progress === 'behind'
        ? unfinishedEnd(asked.value, stored ?? NOTHING_STORED)
        : liveEnd(intentId, asked.value, stored?.newest_event ?? 0);
    }
    if (!stored) throw asked.kind === 'gone' ? intentNotFound() : readUnavailable();
    const stale = progress === 'behind';
    const newest = stale ? stored.last_sequence : stored.newest_event;
    return { head: headOf(stored), head_from: 'store', newest, stale };
  };
}

/** A store that is behind must at least hold what it has confirmed. */
function unfinishedEnd({ written_sequence: written }: LogPosition, stored: LogEnd): KnownEnd {
  const stale = true;
  return stored.last_sequence < written
    ? { head: { sequence: written }, head_from: 'workflow', newest: written, stale }
    : { head: headOf(stored), head_from: 'store', newest: stored.last_sequence, stale };
}

function headOf({ last_sequence, head_hash }: LogEnd): ChainHead {
  return { sequence: last_sequence, event_hash: head_hash };
}

/** Events may be large: so many at most are in memory at once. */
const PAGE = 50;

/**
 * Whole logs, read part by part and compared with how they are known to end. Both throw what `knownEnd`
 * throws; the events of an export throw `store_unavailable` while they are read.
 */
export function createEventLogs(
  knownEnd: (intentId: string) => Promise<KnownEnd>,
  fromStore: FromStore,
) {
  async function* eventsOf(intentId: string, upTo: number): AsyncGenerator<IntentEvent> {
    for (let after: number | undefined; ;) {
      const range = { ...(after !== undefined && { after }), upTo, limit: PAGE };
      const events = await fromStore(eventsInOrder, intentId, range);
      yield* events;
      if (events.length < PAGE) return;
      after = events.at(-1)?.sequence;
    }
  }

  return {
    async verifyEvents(intentId: string): Promise<Read<VerifyReport>> {
      const { head, head_from, newest, stale } = await knownEnd(intentId);
      let progress = startCheck(intentId);
      for await (const event of eventsOf(intentId, newest)) {
        progress = checkEvent(progress, event);
        await otherWorkDone();
      }
      return { value: { ...endCheck(progress, head), head_from }, stale };
    },
    async exportEvents(intentId: string): Promise<Read<LogExport>> {
      const { head, head_from, stale } = await knownEnd(intentId);
      const { sequence: last_sequence, event_hash: head_hash = null } = head;
      const end_of_log = { intent_id: intentId, last_sequence, head_hash, head_from };
      return { value: { events: eventsOf(intentId, last_sequence), end: { end_of_log } }, stale };
    },
  };
}
