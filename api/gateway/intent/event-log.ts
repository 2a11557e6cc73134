import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  ChainBreak,
  ChainHead,
  ExportEnd,
  HeadSource,
  IntentEvent,
  VerifyReport,
} from '../../../contracts/event.js';
import { endCheck, refusedBreak } from '../../../domain/intent/event-chain.js';
import type { TimelineEvent } from '../../../domain/suspension/timeline-seal.js';
import { findErasure } from '../../../store/queries/erasure.js';
import { eventsInOrder, logEnd } from '../../../store/queries/event-log.js';
import type { StoredEnd } from '../../../store/queries/event-log.js';
import { refusedRows } from '../../../store/queries/quarantine.js';
import { positionQuery } from '../../../workflows/engine/messages.js';
import type { LogEnd, LogPosition } from '../../../workflows/engine/messages.js';
import type { Read } from '../caller.js';
import { demandKept } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { checkedAsRead, wholeLog } from '../reads/whole-log.js';
import { demandEntityId, notFound, readUnavailable } from '../refusals.js';

/** A whole log in its order, read as it is taken, and how it ends. */
export interface LogExport {
  readonly events: AsyncIterable<IntentEvent | TimelineEvent>;
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

/** What has a log that its workflow numbers and hashes as events. */
export type Logged = 'intent' | 'portfolio';

/**
 * Finds out how the log of an intent or a portfolio ends, once the store has caught up (at most 2 s, then `stale`): as its
 * workflow knows it or, if that is gone or silent, as the store noted it. Throws `intent_not_found` or `portfolio_not_found`,
 * `workflow_unavailable` if only a worker could tell whether there is such a log, and
 * `store_unavailable`.
 */
export function createKnownEnd(
  temporal: Pick<Temporal, 'query'>,
  consistency: Pick<Consistency, 'catchUp'>,
  fromStore: FromStore,
): (id: string, type?: Logged) => Promise<KnownEnd> {
  const position = (type: Logged, id: string) =>
    temporal.query(workflowIdOf(type, id), positionQuery);

  /** Events beyond the end that was reported may have been recorded since, but none beyond the end now. */
  async function liveEnd(
    type: Logged,
    id: string,
    reported: LogPosition,
    newest: number,
  ): Promise<KnownEnd> {
    const live = { head_from: 'workflow', stale: false } as const;
    const now = newest > reported.last_sequence ? await position(type, id) : undefined;
    return now?.kind === 'done' && newest > now.value.last_sequence
      ? { ...live, head: headOf(now.value), newest }
      : { ...live, head: headOf(reported), newest: reported.last_sequence };
  }

  /** The end in the store, where the personal data of a log was erased after its workflow had ended. */
  async function erasedEnd(
    intentId: string,
    { last_sequence }: LogPosition,
    stored: StoredEnd | undefined,
  ): Promise<KnownEnd | undefined> {
    if (stored === undefined || stored.last_sequence <= last_sequence) return undefined;
    const erasure = await fromStore(findErasure, intentId);
    if (erasure === undefined || erasure.event_sequence <= last_sequence) return undefined;
    return { head: headOf(stored), head_from: 'store', newest: stored.newest_event, stale: false };
  }

  return async (id, type = 'intent') => {
    demandEntityId(type, id);
    const asked = await position(type, id);
    const progress = asked.kind === 'no_answer' ? 'behind' : await consistency.catchUp(id, type);
    const stored = await fromStore(logEnd, id, type);
    if (!stored) await demandKept(fromStore, type, id);
    if (asked.kind === 'done') {
      const erased = type === 'intent' && (await erasedEnd(id, asked.value, stored));
      if (erased) return erased;
      return progress === 'behind'
        ? unfinishedEnd(asked.value, stored ?? NOTHING_STORED)
        : liveEnd(type, id, asked.value, stored?.newest_event ?? 0);
    }
    if (!stored) throw asked.kind === 'gone' ? notFound(type) : readUnavailable();
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

/**
 * Whole logs, read part by part and compared with how they are known to end. Both throw what `knownEnd`
 * throws; the events of an export throw `store_unavailable` while they are read.
 */
export function createEventLogs(
  knownEnd: (id: string, type?: Logged) => Promise<KnownEnd>,
  fromStore: FromStore,
) {
  const eventsOf = (intentId: string, upTo: number) =>
    wholeLog(fromStore, eventsInOrder, intentId, upTo);

  async function refusedIn(intentId: string): Promise<readonly ChainBreak[]> {
    return (await fromStore(refusedRows, intentId)).map(refusedBreak);
  }

  return {
    async verifyEvents(intentId: string, type?: Logged): Promise<Read<VerifyReport>> {
      const { head, head_from, newest, stale } = await knownEnd(intentId, type);
      const refused = await refusedIn(intentId);
      const progress = await checkedAsRead(intentId, eventsOf(intentId, newest));
      return { value: { ...endCheck(progress, head, refused), head_from }, stale };
    },
    async exportEvents(intentId: string, type?: Logged): Promise<Read<LogExport>> {
      const { head, head_from, stale } = await knownEnd(intentId, type);
      const { sequence: last_sequence, event_hash: head_hash = null } = head;
      const refused = await refusedIn(intentId);
      const end_of_log = {
        intent_id: intentId,
        last_sequence,
        head_hash,
        head_from,
        ...(refused.length > 0 && { refused }),
      };
      return { value: { events: eventsOf(intentId, last_sequence), end: { end_of_log } }, stale };
    },
  };
}
