import type { ServerConfig } from '../../contracts/config.js';
import type { InboxConditions } from '../../store/queries/inbox.js';
import { cursorOf, keyOf } from './cursor.js';
import { mayAnswer } from './may-answer.js';
import type { Settlements } from './settlements.js';
import type { FromStore } from './store-reads.js';
import type { Caller, Gateway, InboxRequest } from './types.js';

interface Deps {
  readonly config: ServerConfig;
  readonly fromStore: FromStore;
  readonly settlements: Pick<Settlements, 'catchUp'>;
}

/** Who may answer may see every question; an agent sees its own. */
function scopeOf(caller: Caller): Pick<InboxConditions, 'asked_by'> {
  return mayAnswer(caller) ? {} : { asked_by: caller.principal };
}

/**
 * Lists and counts suspensions as the store has them, once it shows what was written (at most 2 s, then
 * `stale`). Both throw `store_unavailable`; listing throws `invalid_request` for a cursor of another sort.
 */
export function createInbox(deps: Deps): Pick<Gateway, 'listSuspensions' | 'countSuspensions'> {
  const { config, fromStore, settlements } = deps;
  const { default_channel } = config.notifications;

  /** No channel in a question means the default one. */
  function conditionsOf(
    caller: Caller,
    { channel, ...filter }: Omit<InboxRequest, 'state' | 'sort' | 'limit' | 'cursor'>,
  ): InboxConditions | undefined {
    const scope = scopeOf(caller);
    if (filter.asked_by !== undefined && (scope.asked_by ?? filter.asked_by) !== filter.asked_by) {
      return undefined;
    }
    const channels = channel === default_channel ? [channel, ''] : channel && [channel];
    return { ...filter, ...scope, ...(channels && { channels }) };
  }

  return {
    async listSuspensions(caller, { state, sort, limit, cursor, ...filter }) {
      const after = cursor === undefined ? undefined : keyOf(cursor, sort);
      const conditions = conditionsOf(caller, filter);
      const stale = !(await settlements.catchUp());
      if (conditions === undefined) return { value: { suspensions: [], next_cursor: null }, stale };
      const query = { ...conditions, state, sort, limit: limit + 1, after };
      const rows = await fromStore((store) => store.listSuspensions(query));
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const next_cursor = last === undefined ? null : cursorOf(sort, last.key);
      return { value: { suspensions: shown.map(({ entry }) => entry), next_cursor }, stale };
    },

    async countSuspensions(caller, filter) {
      const conditions = conditionsOf(caller, filter);
      const stale = !(await settlements.catchUp());
      const none = { pending: 0, responded: 0, expired: 0, cancelled: 0 };
      if (conditions === undefined) return { value: none, stale };
      return { value: await fromStore((store) => store.countSuspensions(conditions)), stale };
    },
  };
}
