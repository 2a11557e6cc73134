import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  ChainBreak,
  ChainHead,
  HeadSource,
  VerifyReport,
} from '../../../contracts/intent/event.js';
import { endCheck, refusedBreak } from '../../../domain/log/chain.js';
import { findErasure } from '../../../store/queries/erasure/erasure.js';
import { eventsInOrder, logEnd, type StoredEnd } from '../../../store/queries/event-log.js';
import { refusedRows } from '../../../store/queries/work/quarantine.js';
import {
  positionQuery,
  type LogEnd,
  type LogPosition,
} from '../../../workflows/engine/messages.js';
import type { Read } from '../../parts/caller.js';
import { demandKept } from '../../parts/calls/live.js';
import {
  checkedAsRead,
  checkedWhole,
  wholeLog,
  type LogExport,
} from '../../parts/reads/whole-log.js';
import type { Parts } from '../../parts/index.js';
import { demandEntityId, notFound, readUnavailable } from '../../parts/refusals.js';
import { FIRST, READ, useCase, type Call } from '../usecase.js';
import { demandFor } from '../visibility.js';

/** The recorded end of a log, and the highest number that can be read. */
interface KnownEnd {
  readonly head: ChainHead;
  readonly head_from: HeadSource;
  readonly newest: number;
  readonly stale: boolean;
}

const NOTHING_STORED: LogEnd = { last_sequence: 0, head_hash: null };

/** The kinds whose workflow numbers and hashes its log as events. */
type Logged = 'intent' | 'portfolio';

/**
 * Finds the end of the log of an intent or a portfolio, once the store has caught up (at most 2 s, then `stale`):
 * from its workflow or, if that is gone or silent, from the store. Throws `intent_not_found` or
 * `portfolio_not_found`, `workflow_unavailable` if only a worker could tell whether there is such a log, and
 * `store_unavailable`.
 */
async function knownEnd(parts: Parts, id: string, type: Logged): Promise<KnownEnd> {
  const { consistency, fromStore } = parts;
  demandEntityId(type, id);
  const asked = await position(parts, type, id);
  const progress = asked.kind === 'no_answer' ? 'behind' : await consistency.catchUp(id, type);
  const stored = await fromStore(logEnd, id, type);
  if (!stored) await demandKept(fromStore, type, id);
  if (asked.kind === 'done') {
    const erased = type === 'intent' && (await erasedEnd(parts, id, asked.value, stored));
    if (erased) return erased;
    return progress === 'behind'
      ? unfinishedEnd(asked.value, stored ?? NOTHING_STORED)
      : liveEnd(parts, type, id, asked.value, stored?.newest_event ?? 0);
  }
  if (!stored) throw asked.kind === 'gone' ? notFound(type) : readUnavailable();
  const stale = progress === 'behind';
  const newest = stale ? stored.last_sequence : stored.newest_event;
  return { head: headOf(stored), head_from: 'store', newest, stale };
}

const position = ({ temporal }: Parts, type: Logged, id: string) =>
  temporal.query(workflowIdOf(type, id), positionQuery);

/** Returns the present end: events may have been recorded since the reported one. */
async function liveEnd(
  parts: Parts,
  type: Logged,
  id: string,
  reported: LogPosition,
  newest: number,
): Promise<KnownEnd> {
  const live = { head_from: 'workflow', stale: false } as const;
  const now = newest > reported.last_sequence ? await position(parts, type, id) : undefined;
  return now?.kind === 'done' && newest > now.value.last_sequence
    ? { ...live, head: headOf(now.value), newest }
    : { ...live, head: headOf(reported), newest: reported.last_sequence };
}

/** Returns the end in the store if the log was erased after its workflow had ended. */
async function erasedEnd(
  { fromStore }: Parts,
  intentId: string,
  { last_sequence }: LogPosition,
  stored: StoredEnd | undefined,
): Promise<KnownEnd | undefined> {
  if (stored === undefined || stored.last_sequence <= last_sequence) return undefined;
  const erasure = await fromStore(findErasure, intentId);
  if (erasure === undefined || erasure.event_sequence <= last_sequence) return undefined;
  return { head: headOf(stored), head_from: 'store', newest: stored.newest_event, stale: false };
}

/** Returns the end of a log that the store does not fully hold yet; it must hold what it has confirmed. */
function unfinishedEnd({ written_sequence: written }: LogPosition, stored: LogEnd): KnownEnd {
  const stale = true;
  return stored.last_sequence < written
    ? { head: { sequence: written }, head_from: 'workflow', newest: written, stale }
    : { head: headOf(stored), head_from: 'store', newest: stored.last_sequence, stale };
}

function headOf({ last_sequence, head_hash }: LogEnd): ChainHead {
  return { sequence: last_sequence, event_hash: head_hash };
}

/** Checks a whole log, read part by part, against its known end. Throws what `knownEnd` throws. */
async function verified(parts: Parts, id: string, type: Logged): Promise<Read<VerifyReport>> {
  const { end, report } = await checkedWhole(
    () => knownEnd(parts, id, type),
    async ({ head, newest }) => {
      const refused = await refusedIn(parts, id);
      const progress = await checkedAsRead(id, eventsOf(parts, id, newest));
      return endCheck(progress, head, refused);
    },
  );
  return { value: { ...report, head_from: end.head_from }, stale: end.stale };
}

/** A whole log. Throws what `knownEnd` throws; its events throw `store_unavailable` while they are read. */
async function exported(parts: Parts, id: string, type: Logged): Promise<Read<LogExport>> {
  const { head, head_from, stale } = await knownEnd(parts, id, type);
  const { sequence: last_sequence, event_hash: head_hash = null } = head;
  const refused = await refusedIn(parts, id);
  const end_of_log = {
    intent_id: id,
    last_sequence,
    head_hash,
    head_from,
    ...(refused.length > 0 && { refused }),
  };
  return { value: { events: eventsOf(parts, id, last_sequence), end: { end_of_log } }, stale };
}

const eventsOf = ({ fromStore }: Parts, id: string, upTo: number) =>
  wholeLog(fromStore, eventsInOrder, id, upTo);

async function refusedIn({ fromStore }: Parts, id: string): Promise<readonly ChainBreak[]> {
  return (await fromStore(refusedRows, id)).map(refusedBreak);
}

export const verifyEvents = useCase({
  name: 'verifyEvents',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: ({ parts }: Call, intentId: string) => verified(parts, intentId, 'intent'),
});

/** Exports the log as it was recorded, for readers of all of it only: with shortened ids it would not verify. */
export const exportEvents = useCase({
  name: 'exportEvents',
  resource: 'intent',
  refusals: ['forbidden', ...READ],
  async run(call: Call, intentId: string) {
    await demandFor(call, 'exportEvents', intentId);
    return exported(call.parts, intentId, 'intent');
  },
});

export const verifyPortfolioEvents = useCase({
  name: 'verifyPortfolioEvents',
  resource: 'portfolio',
  refusals: READ,
  run: ({ parts }: Call, portfolioId: string) => verified(parts, portfolioId, 'portfolio'),
});

/** Exports the log with whole ids of questions, so not for agents. */
export const exportPortfolioEvents = useCase({
  name: 'exportPortfolioEvents',
  resource: 'portfolio',
  refusals: READ,
  run: ({ parts }: Call, portfolioId: string) => exported(parts, portfolioId, 'portfolio'),
});
