import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { ChainHead, HeadSource, TimelineReport } from '../../../contracts/event.js';
import { endCheck, unexplained } from '../../../domain/intent/event-chain.js';
import { findSuspensionErasure } from '../../../store/queries/erasure.js';
import { timelineEnd, timelineEvents } from '../../../store/queries/suspension.js';
import { isSettledHere } from '../../../store/queries/unsettled.js';
import type { LogPosition } from '../../../workflows/engine/messages.js';
import { timelinePositionQuery } from '../../../workflows/suspension/messages.js';
import type { SuspensionResult } from '../../../workflows/suspension/messages.js';
import type { Read } from '../caller.js';
import type { Outcome } from '../calls/call.js';
import type { Temporal } from '../calls/temporal.js';
import type { LogExport } from '../intent/event-log.js';
import type { FromStore } from '../reads/from-store.js';
import { checkedAsRead, wholeLog } from '../reads/whole-log.js';

interface TimelineHead {
  readonly head: ChainHead;
  readonly head_from: HeadSource;
  readonly newest: number;
  readonly stale: boolean;
}

type Position = Omit<LogPosition, 'version'>;

/** The workflow of a settled question ends soon, in milliseconds; one that does not is asked. */
const ENDS_SOON_MS = 500;

/**
 * Where a timeline ended, by the rows that its workflow left to be written; undefined if it left none. They are in
 * Temporal's history, and no worker is needed to read them.
 */
function endIn({ rows }: SuspensionResult): Position | undefined {
  const last = rows.filter((row) => row.kind === 'timeline').at(-1);
  if (last?.seal === undefined) return undefined;
  const { entry, seal } = last;
  return { last_sequence: entry.sequence, head_hash: seal.event_hash, written_sequence: 0 };
}

/**
 * The timelines of suspensions as logs. Their end is compared with what the workflow knows while there is one: that of a
 * settled question with what it returned, as far as that tells. After that only a checkpoint tells that entries are
 * missing at the end. Throws `store_unavailable`.
 */
export function createTimelineLogs(
  temporal: Pick<Temporal, 'query' | 'result'>,
  fromStore: FromStore,
) {
  /** What the workflow knows. For a Query to one that is closed a worker has to replay its whole history. */
  async function positionOf(id: string): Promise<Outcome<Position>> {
    const workflowId = workflowIdOf('suspension', id);
    if (await fromStore(isSettledHere, id)) {
      const ended = await temporal.result<SuspensionResult>(workflowId, ENDS_SOON_MS);
      const end = ended.kind === 'done' ? endIn(ended.value) : undefined;
      if (end) return { kind: 'done', value: end };
    }
    return temporal.query(workflowId, timelinePositionQuery);
  }

  async function knownHead(id: string): Promise<TimelineHead> {
    const asked = await positionOf(id);
    const { last_sequence: newest, head_hash } = await fromStore(timelineEnd, id);
    const stored = { sequence: newest, event_hash: head_hash };
    if (asked.kind !== 'done') {
      return { head: stored, head_from: 'store', newest, stale: asked.kind === 'no_answer' };
    }
    const { last_sequence: sequence, head_hash: event_hash, written_sequence } = asked.value;
    if (newest === sequence) {
      return { head: { sequence, event_hash }, head_from: 'workflow', newest, stale: false };
    }
    // The store is behind, or was written to after the workflow was asked.
    const head = newest < written_sequence ? { sequence: written_sequence } : stored;
    return { head, head_from: 'workflow', newest, stale: true };
  }

  async function erasureOf(id: string): Promise<TimelineReport['erasure']> {
    const found = await fromStore(findSuspensionErasure, id);
    return found && { erased_at: found.erased_at, erased_by: found.erased_by };
  }

  const entriesOf = (id: string, upTo: number) => wholeLog(fromStore, timelineEvents, id, upTo);

  return {
    /** Checks the chain over a timeline, and asks the store who erased what is missing in it. */
    async verifyTimeline(id: string): Promise<Read<TimelineReport>> {
      const { head, head_from, newest, stale } = await knownHead(id);
      const progress = await checkedAsRead(id, entriesOf(id, newest));
      const erasure = progress.erased_count > 0 ? await erasureOf(id) : undefined;
      const taken = erasure ? [] : unexplained(progress);
      const { intent_id: _log, ...report } = endCheck(progress, head, taken);
      const value = { suspension_id: id, ...report, head_from, ...(erasure && { erasure }) };
      return { value, stale };
    },
    /** A whole timeline in the form that is hashed. */
    async exportTimeline(id: string): Promise<Read<LogExport>> {
      const { head, head_from, newest, stale } = await knownHead(id);
      const { sequence: last_sequence, event_hash: head_hash = null } = head;
      const end_of_log = { suspension_id: id, last_sequence, head_hash, head_from };
      return { value: { events: entriesOf(id, newest), end: { end_of_log } }, stale };
    },
  };
}
