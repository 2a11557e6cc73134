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
  forMeOf,
  listSuspensions as inboxPage,
  type InboxConditions,
  type InboxKey,
  type InboxView,
} from '../../../store/queries/inbox.js';
import { authorize, mayAll } from '../../../domain/policy/authorize.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { readAt } from '../../../domain/suspension/people/claim.js';
import { demand } from '../../errors.js';
import { readAfter } from '../../parts/reads/from-store.js';
import { refused } from '../../parts/refusals.js';
import { READ, useCase, type Call } from '../usecase.js';
import type {
  SaveView,
  SavedView,
  Snooze,
  SnoozeRequest,
} from '../../../contracts/suspension/personal.js';
import {
  deleteSavedView as deleteStored,
  listSavedViews as storedViews,
  putSavedView,
} from '../../../store/queries/people/personal-settings.js';
import { personOf, type Caller, type Read } from '../../parts/caller.js';
import { judgeSnooze } from '../../../domain/suspension/people/snooze.js';
import {
  deleteSnooze,
  listSnoozes as storedSnoozes,
  putSnooze,
} from '../../../store/queries/people/snooze.js';
import { concerning } from './read.js';

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
  urgency: z.tuple([expiry, most, instantSchema, id]),
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

/** Returns the position at which a page ended, as an opaque text. */
export function cursorOf(sort: InboxSort, key: InboxKey): string {
  return Buffer.from(JSON.stringify([sort, ...key])).toString('base64url');
}

/**
 * Returns the position in a cursor.
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

/** Resolves a view for a caller; undefined if it can never show anything. */
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
 * Returns the conditions of a filter for the caller; undefined if nothing can meet them. A question without a channel
 * belongs to the default one.
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

/** Returns the condition for snoozed questions: they have a view of their own, and are not in that of waiting ones. */
function snoozedIn(name: InboxViewName, by: string, now: number): InboxConditions['snoozed'] {
  if (name === 'snoozed') return { by, now: toInstant(now), are: 'shown' };
  if (name !== 'for_me' && name !== 'groups') return undefined;
  return { by, now: toInstant(now), are: 'left out' };
}

/**
 * Lists a page of suspensions from the store, once it shows the writes of this replica (at most 2 s, then `stale`).
 * Throws `invalid_request` besides for a cursor of another sort.
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

/** Counts the suspensions of a filter in each state, as current as a list of them. */
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

export const listSavedViews = useCase({
  name: 'listSavedViews',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: ({ caller, parts: { fromStore } }: Call): Promise<readonly SavedView[]> =>
    fromStore(storedViews, caller.principal),
});

export const saveView = useCase({
  name: 'saveView',
  resource: 'suspension',
  refusals: ['view_name_taken', 'too_many_views', 'store_unavailable'],
  async run(call: Call, id: string, { name, filter }: SaveView): Promise<SavedView> {
    const { clock, fromStore } = call.parts;
    const view = { id, name, filter, saved_at: toInstant(clock.now()) };
    const outcome = await fromStore(putSavedView, personOf(call.caller), view);
    if (outcome === 'name taken') {
      throw refused('view_name_taken', `Another of your views is called “${name}”.`, {
        field: 'name',
        accepted: 'a name that no other of your views has',
      });
    }
    if (outcome === 'too many') {
      throw refused('too_many_views', `You have saved ${LIMITS.savedViews} views.`, {
        accepted: 'delete one of them first',
      });
    }
    return view;
  },
});

/** Deletes a view of the caller; nothing happens if there is none. */
export const deleteSavedView = useCase({
  name: 'deleteSavedView',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: (call: Call, id: string): Promise<void> =>
    call.parts.fromStore(deleteStored, personOf(call.caller), id),
});

/*
 * A snooze hides an open question from the lists of one person. It is a row of the store and no part of the question:
 * nobody else sees it, and reminders go on.
 */

/** Hides the question from the caller for a while. Throws `suspension_not_found` and `forbidden` besides. */
export const snoozeSuspension = useCase({
  name: 'snoozeSuspension',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'no_reminder_left',
    'snooze_not_possible',
    'too_many_snoozes',
    ...READ,
  ],
  async run(call: Call, id: string, request: SnoozeRequest): Promise<Snooze> {
    const { clock, fromStore, reads } = call.parts;
    const { value } = await concerning(call, 'getSuspension', reads.getSuspension(id));
    const now = clock.now();
    const judged = demand(judgeSnooze(value, request, now));
    const isStored = await fromStore(
      putSnooze,
      { ...personOf(call.caller), now: toInstant(now) },
      judged,
    );
    if (!isStored) {
      throw refused('too_many_snoozes', `You have put ${LIMITS.snoozes} questions off.`, {
        accepted: 'end one of them first',
      });
    }
    const { attempt: _attempt, question_version: _version, ...snooze } = judged;
    return snooze;
  },
});

/** Ends a snooze of the caller; nothing happens if there is none. */
export const endSnooze = useCase({
  name: 'endSnooze',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: (call: Call, id: string): Promise<void> =>
    call.parts.fromStore(deleteSnooze, personOf(call.caller), id),
});

/** Lists the snoozes of the caller that still hide something. */
export const listSnoozes = useCase({
  name: 'listSnoozes',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: ({ caller, parts: { clock, fromStore } }: Call): Promise<readonly Snooze[]> =>
    fromStore(storedSnoozes, { by: caller.principal, now: toInstant(clock.now()) }),
});
