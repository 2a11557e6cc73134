import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { ChainHead, HeadSource, TimelineReport } from '../../../contracts/intent/event.js';
import { endCheck, unexplained } from '../../../domain/log/chain.js';
import { findSuspensionErasure } from '../../../store/queries/erasure/erasure.js';
import { timelineEnd, timelineEvents } from '../../../store/queries/suspension.js';
import { isSettledHere } from '../../../store/queries/work/unsettled.js';
import type { LogPosition } from '../../../workflows/engine/messages.js';
import {
  timelinePositionQuery,
  type SuspensionResult,
} from '../../../workflows/suspension/messages.js';
import type { Read } from '../../parts/caller.js';
import type { Outcome } from '../../parts/calls/call.js';
import type { Parts } from '../../parts/index.js';
import { checkedAsRead, wholeLog, type LogExport } from '../../parts/reads/whole-log.js';
import { READ, useCase, type Call } from '../usecase.js';
import { concerning } from './read.js';

interface TimelineHead {
  readonly head: ChainHead;
  readonly head_from: HeadSource;
  readonly newest: number;
  readonly stale: boolean;
}

type Position = Omit<LogPosition, 'version'>;

/** Milliseconds within which the workflow of a settled question usually ends; later it is asked. */
const ENDS_SOON_MS = 500;

/**
 * Returns the end of a timeline, by the rows in its workflow's result; undefined without rows. They are in Temporal's
 * history, so no worker is needed to read them.
 */
function endIn({ rows }: SuspensionResult): Position | undefined {
  const last = rows.filter((row) => row.kind === 'timeline').at(-1);
  if (last === undefined) return undefined;
  const { entry, seal } = last;
  return { last_sequence: entry.sequence, head_hash: seal.event_hash, written_sequence: 0 };
}

/*
 * The timelines of suspensions as logs. Their end is compared with that of the workflow or its result; after that,
 * only a checkpoint shows that entries are missing at the end.
 */

/** Checks the chain over a timeline, and asks the store who erased what is missing in it. */
export const verifyTimeline = useCase({
  name: 'verifyTimeline',
  resource: 'suspension',
  refusals: READ,
  async run(call: Call, id: string): Promise<Read<TimelineReport>> {
    const { parts } = call;
    await concerning(call, 'verifyTimeline', parts.reads.getSuspension(id));
    const { head, head_from, newest, stale } = await knownHead(parts, id);
    const progress = await checkedAsRead(id, entriesOf(parts, id, newest));
    const erasure = progress.erased_count > 0 ? await erasureOf(parts, id) : undefined;
    const taken = erasure ? [] : unexplained(progress);
    const { intent_id: _log, ...report } = endCheck(progress, head, taken);
    const value = { suspension_id: id, ...report, head_from, ...(erasure && { erasure }) };
    return { value, stale };
  },
});

/** Exports a whole timeline in the form that is hashed. */
export const exportTimeline = useCase({
  name: 'exportTimeline',
  resource: 'suspension',
  refusals: READ,
  async run(call: Call, id: string): Promise<Read<LogExport>> {
    const { parts } = call;
    await concerning(call, 'exportTimeline', parts.reads.getSuspension(id));
    const { head, head_from, newest, stale } = await knownHead(parts, id);
    const { sequence: last_sequence, event_hash: head_hash = null } = head;
    const end_of_log = { suspension_id: id, last_sequence, head_hash, head_from };
    return { value: { events: entriesOf(parts, id, newest), end: { end_of_log } }, stale };
  },
});

/**
 * Returns the end of the timeline as the workflow knows it. A Query to a closed one has a worker replay its whole
 * history.
 */
async function positionOf({ temporal, fromStore }: Parts, id: string): Promise<Outcome<Position>> {
  const workflowId = workflowIdOf('suspension', id);
  if (await fromStore(isSettledHere, id)) {
    const ended = await temporal.result<SuspensionResult>(workflowId, ENDS_SOON_MS);
    const end = ended.kind === 'done' ? endIn(ended.value) : undefined;
    if (end) return { kind: 'done', value: end };
  }
  return temporal.query(workflowId, timelinePositionQuery);
}

async function knownHead(parts: Parts, id: string): Promise<TimelineHead> {
  const asked = await positionOf(parts, id);
  const { last_sequence: newest, head_hash } = await parts.fromStore(timelineEnd, id);
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

async function erasureOf({ fromStore }: Parts, id: string): Promise<TimelineReport['erasure']> {
  const found = await fromStore(findSuspensionErasure, id);
  return found && { erased_at: found.erased_at, erased_by: found.erased_by };
}

function entriesOf({ fromStore }: Parts, id: string, upTo: number) {
  return wholeLog(fromStore, timelineEvents, id, upTo);
}
