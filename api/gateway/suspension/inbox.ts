import { z } from 'zod';
import type { ServerConfig } from '../../../contracts/config.js';
import { instantSchema } from '../../../contracts/primitives.js';
import type { Reader } from '../../../contracts/access.js';
import type {
  Blocked,
  InboxCounts,
  InboxFilter,
  InboxPage,
  InboxSort,
  InboxViewName,
} from '../../../contracts/suspension-view.js';
import { listBlocked } from '../../../store/queries/blocks.js';
import { countSuspensions, idsNotInState, listSuspensions } from '../../../store/queries/inbox.js';
import type { InboxConditions, InboxKey } from '../../../store/queries/inbox.js';
import type { InboxView } from '../../../store/queries/inbox-views.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { readAt } from '../../../domain/suspension/claim.js';
import { demand } from '../../errors.js';
import { proven } from '../caller.js';
import type { Caller, Read } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';
import type { SpaceMemory } from '../reads/write-memory.js';
import { readAfter } from '../reads/from-store.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import { refused } from '../refusals.js';

export interface InboxRequest extends InboxFilter {
  readonly state: 'pending' | 'settled';
  readonly sort: InboxSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The suspensions that this replica opened or settled, for lists of them. */
export type Settlements = ReturnType<typeof createSettlements>;

/** What the store is to show of a question. */
export type WantedState = 'pending' | 'settled';

interface SettlementDeps {
  readonly clock: Clock;
  readonly log: GatewayLog;
  readonly memory: SpaceMemory<WantedState>;
}

export function createSettlements(deps: SettlementDeps, fromStore: FromStore) {
  return new ReadYourWrites(deps, {
    missing: (wanted) => fromStore(idsNotInState, wanted),
  });
}

const id = z.string().min(1).max(100);
const most = z.int().min(-1_000_000).max(0);
const KEYS = {
  urgency: z.tuple([
    z.union([instantSchema, z.literal('infinity')]),
    most,
    most,
    instantSchema,
    id,
  ]),
  oldest: z.tuple([instantSchema, id]),
  newest: z.tuple([instantSchema, id]),
  settled: z.tuple([z.union([instantSchema, z.literal('-infinity')]), id]),
} as const satisfies Record<InboxSort, z.ZodType<InboxKey>>;

/** The position at which a page ended, as an opaque text. */
export function cursorOf(sort: InboxSort, key: InboxKey): string {
  return Buffer.from(JSON.stringify([sort, ...key])).toString('base64url');
}

/**
 * The position that a cursor stands for.
 *
 * @throws RefusalError `invalid_request` if it belongs to another sort
 */
export function keyOf(cursor: string, sort: InboxSort): InboxKey {
  const [own, ...key] = parsed(cursor);
  const result = KEYS[sort].safeParse(key);
  if (own === sort && result.success) return result.data;
  throw refused('invalid_request', 'The cursor does not belong to this list.', {
    field: 'cursor',
    accepted: 'the next_cursor of a page with the same sort',
  });
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}

interface Deps {
  readonly clock: Pick<Clock, 'now'>;
  readonly config: ServerConfig;
  readonly fromStore: FromStore;
  readonly settlements: Pick<Settlements, 'catchUp'>;
}

/**
 * Callers who may answer see every question; an agent sees its own.
 *
 * @throws RefusalError `forbidden` for pauses, which wait for no operator
 */
function scopeOf(
  caller: Caller,
  { reason = 'human_input' }: InboxFilter,
): Pick<InboxConditions, 'asked_by'> {
  const own = { asked_by: caller.principal };
  if (reason === 'human_input') return mayAll(caller, 'listSuspensions') ? {} : own;
  const when = 'ofPauses';
  if (authorize(caller, 'listSuspensions', { when }).ok) return {};
  demand(authorize(caller, 'listSuspensions', { when, asker: caller.principal }));
  return own;
}

/** What a view stands for to a caller; undefined if it cannot show anything. */
function viewOf(
  caller: Caller,
  name: Exclude<InboxViewName, 'all'>,
  { suspension: { separation_of_duties } }: ServerConfig,
  now: number,
): InboxView | undefined {
  const { groups, principal } = caller;
  if (name === 'claimed') return { kind: name, holder: principal, now: toInstant(now) };
  if (name === 'groups') return groups.length === 0 ? undefined : { kind: name, groups };
  if (!authorize(caller, 'respond').ok) return undefined;
  const as_initiator = !mayAll(caller, 'respond');
  return { kind: name, by: proven(caller), separation_of_duties, as_initiator };
}

/**
 * Lists and counts suspensions as the store has them, once it shows what was written (at most 2 s, then
 * `stale`). Both throw `store_unavailable`; listing throws `invalid_request` for a cursor of another sort.
 */
export function createInbox(deps: Deps) {
  const { clock, config, fromStore, settlements } = deps;
  const { default_channel } = config.notifications;

  /** No channel in a question means the default one. */
  function conditionsOf(
    caller: Caller,
    { channel, view: name = 'all', ...filter }: InboxFilter,
  ): InboxConditions | undefined {
    const scope = scopeOf(caller, filter);
    const view = name === 'all' ? undefined : viewOf(caller, name, config, clock.now());
    if (name !== 'all' && view === undefined) return undefined;
    if (filter.asked_by !== undefined && (scope.asked_by ?? filter.asked_by) !== filter.asked_by) {
      return undefined;
    }
    const channels = channel === default_channel ? [channel, ''] : channel && [channel];
    return { ...filter, ...scope, ...(channels && { channels }), ...(view && { view }) };
  }

  return {
    /** Every question for callers who may answer, its own for an agent. */
    async listSuspensions(
      caller: Caller,
      { state, sort, limit, cursor, ...filter }: InboxRequest,
    ): Promise<Read<InboxPage>> {
      const after = cursor === undefined ? undefined : keyOf(cursor, sort);
      const conditions = conditionsOf(caller, filter);
      const stale = !(await settlements.catchUp());
      if (conditions === undefined) return { value: { suspensions: [], next_cursor: null }, stale };
      const query = { ...conditions, state, sort, limit, after };
      const { rows, more } = await fromStore(listSuspensions, query);
      const last = more ? rows.at(-1) : undefined;
      const next_cursor = last === undefined ? null : cursorOf(sort, last.key);
      const now = clock.now();
      const suspensions = rows.map(({ entry }) => readAt(entry, now));
      return { value: { suspensions, next_cursor }, stale };
    },

    /** What waits for an open question, as far as the reader may read it; everything without one. */
    async listBlocked(suspensionId: string, reader?: Reader): Promise<Read<readonly Blocked[]>> {
      return readAfter(settlements.catchUp(), () => fromStore(listBlocked, suspensionId, reader));
    },

    async countSuspensions(caller: Caller, filter: InboxFilter): Promise<Read<InboxCounts>> {
      const conditions = conditionsOf(caller, filter);
      const stale = !(await settlements.catchUp());
      const none = { pending: 0, responded: 0, expired: 0, cancelled: 0 };
      if (conditions === undefined) return { value: none, stale };
      return { value: await fromStore(countSuspensions, conditions), stale };
    },
  };
}
