import { z } from 'zod';
import type { ServerConfig } from '../../../contracts/server/config.js';
import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { instantSchema } from '../../../contracts/kernel/primitives.js';
import type {
  InboxCounts,
  InboxFilter,
  InboxPage,
  InboxSort,
  InboxViewName,
} from '../../../contracts/suspension/view.js';
import {
  countSuspensions as inboxCounts,
  listSuspensions as inboxPage,
} from '../../../store/queries/inbox.js';
import type { InboxConditions, InboxKey } from '../../../store/queries/inbox.js';
import { forMeOf } from '../../../store/queries/inbox-views.js';
import type { InboxView } from '../../../store/queries/inbox-views.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { readAt } from '../../../domain/suspension/people/claim.js';
import { demand } from '../../errors.js';
import type { Caller, Read } from '../../parts/caller.js';
import { readAfter } from '../../parts/reads/from-store.js';
import { refused } from '../../parts/refusals.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

export interface InboxRequest extends InboxFilter {
  readonly state: 'pending' | 'settled';
  readonly sort: InboxSort;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const id = z.string().min(1).max(100);
const most = z.int().min(-1_000_000).max(0);
const expiry = z.union([instantSchema, z.literal('infinity')]);
const KEYS = {
  urgency: z.tuple([expiry, most, most, instantSchema, id]),
  oldest: z.tuple([instantSchema, id]),
  newest: z.tuple([instantSchema, id]),
  asker: z.tuple([
    z
      .string()
      .min(1)
      .max(2 * LIMITS.nameCharacters),
    instantSchema,
    id,
  ]),
  risk: z.tuple([z.int().min(1).max(5), expiry, instantSchema, id]),
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

/** Resolves a view for a caller; undefined if it cannot show anything. */
function viewOf(
  caller: Caller,
  name: Exclude<InboxViewName, 'all' | 'snoozed'>,
  { suspension: { separation_of_duties } }: ServerConfig,
  now: number,
): InboxView | undefined {
  const { groups, principal } = caller;
  if (name === 'claimed') return { kind: name, holder: principal, now: toInstant(now) };
  if (name === 'answered') return { kind: name, answerer: principal };
  if (name === 'groups') return groups.length === 0 ? undefined : { kind: name, groups };
  return forMeOf(caller, separation_of_duties);
}

/**
 * The conditions that a filter means for the caller; undefined if nothing can meet them. A question that names no channel is sent through the
 * default one.
 */
function conditionsOf(
  { caller, parts: { config, clock } }: Call,
  { channel, view: name = 'all', ...filter }: InboxFilter,
): InboxConditions | undefined {
  const scope = scopeOf(caller, filter);
  const isWhole = name === 'all' || name === 'snoozed';
  const view = isWhole ? undefined : viewOf(caller, name, config, clock.now());
  if (!isWhole && view === undefined) return undefined;
  if (filter.asked_by !== undefined && (scope.asked_by ?? filter.asked_by) !== filter.asked_by) {
    return undefined;
  }
  const { default_channel } = config.notifications;
  const channels = channel === default_channel ? [channel, ''] : channel && [channel];
  const snoozed = snoozedIn(name, caller.principal, clock.now());
  return { ...filter, ...scope, ...(channels && { channels }), ...defined({ view, snoozed }) };
}

/** What the caller has put off is left out where questions wait for it, and has a view of its own. */
function snoozedIn(name: InboxViewName, by: string, now: number): InboxConditions['snoozed'] {
  if (name === 'snoozed') return { by, now: toInstant(now), are: 'shown' };
  if (name !== 'for_me' && name !== 'groups') return undefined;
  return { by, now: toInstant(now), are: 'left out' };
}

/**
 * A page of the suspensions that the store has, once it shows what was written here (at most 2 s, then `stale`). Throws
 * `invalid_request` besides for a cursor of another sort.
 */
export const listSuspensions = useCase({
  name: 'listSuspensions',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  async run(
    call: Call,
    { state, sort, limit, cursor, ...filter }: InboxRequest,
  ): Promise<Read<InboxPage>> {
    const { clock, fromStore, settlements } = call.parts;
    const after = cursor === undefined ? undefined : keyOf(cursor, sort);
    const conditions = conditionsOf(call, filter);
    const stale = !(await settlements.catchUp());
    if (conditions === undefined) return { value: { suspensions: [], next_cursor: null }, stale };
    const query = { ...conditions, state, sort, limit, after };
    const { rows, more } = await fromStore(inboxPage, query);
    const last = more ? rows.at(-1) : undefined;
    const next_cursor = last === undefined ? null : cursorOf(sort, last.key);
    const now = clock.now();
    const suspensions = rows.map(({ entry }) => readAt(entry, now));
    return { value: { suspensions, next_cursor }, stale };
  },
});

/** How many suspensions a filter finds in each state, as current as a list of them. */
export const countSuspensions = useCase({
  name: 'countSuspensions',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  async run(call: Call, filter: InboxFilter): Promise<Read<InboxCounts>> {
    const { fromStore, settlements } = call.parts;
    const conditions = conditionsOf(call, filter);
    const none = { pending: 0, responded: 0, expired: 0, cancelled: 0 };
    return readAfter(settlements.catchUp(), async () =>
      conditions === undefined ? none : fromStore(inboxCounts, conditions),
    );
  },
});
