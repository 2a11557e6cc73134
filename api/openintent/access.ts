import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import { nameSchema, zonelessInstantSchema } from '../../contracts/primitives.js';
import type { JsonValue } from '../../contracts/primitives.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import type { Caller } from '../gateway/caller.js';
import { newId } from './records.js';
import type { Records, WireRecord } from './records.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { naiveTime } from './wire.js';

const ACL = '/intents/:intentId/acl';
const TYPES = ['access_policy_set', 'access_granted', 'access_revoked'] as const;
const entrySchema = z.object({
  principal_id: nameSchema,
  principal_type: nameSchema.default('agent'),
  permission: z.enum(['read', 'write', 'admin']).default('read'),
  reason: z.string().max(LIMITS.textCharacters).nullish(),
  expires_at: zonelessInstantSchema
    .transform((instant) => naiveTime(toInstant(toMillis(instant))))
    .nullish(),
});
const aclSchema = z.object({
  default_policy: z.enum(['open', 'closed']).default('open'),
  entries: z.array(entrySchema).max(LIMITS.pageSize).default([]),
});

interface Acl {
  readonly default_policy: JsonValue;
  readonly entries: readonly WireRecord[];
}

function entryOf(caller: Caller, entry: z.output<typeof entrySchema>): WireRecord {
  const { reason = null, expires_at = null, ...given } = entry;
  const granted_at = naiveTime(new Date().toISOString());
  return { ...given, id: newId(), granted_by: caller.principal, granted_at, expires_at, reason };
}

/** The list as its events leave it: set whole, added to, taken from. */
function follow(acl: Acl, { event_type, payload }: IntentEvent): Acl {
  const { default_policy = 'open', entries, entry, entry_id } = payload;
  if (event_type === 'access_policy_set') {
    return { default_policy, entries: entries as readonly WireRecord[] };
  }
  if (event_type === 'access_granted') {
    return { ...acl, entries: [...acl.entries, entry as WireRecord] };
  }
  return { ...acl, entries: acl.entries.filter(({ id }) => id !== entry_id) };
}

function aclIn(events: readonly IntentEvent[]): Acl {
  return events.reduce<Acl>(follow, { default_policy: 'open', entries: [] });
}

/** Who may do what with an intent (§11): kept and given back, not enforced. */
export function accessRoutes(records: Records): readonly OpenIntentRoute[] {
  const read = async (intentId: string) => aclIn(await records.of(intentId, TYPES));

  return [
    openIntentRoute({
      method: 'get',
      path: ACL,
      access: 'any',
      handle: async ({ id }) => ({ intent_id: id('intentId'), ...(await read(id('intentId'))) }),
    }),
    openIntentRoute({
      method: 'put',
      path: ACL,
      access: 'agent',
      body: aclSchema,
      async handle({ req, id, body: { default_policy, entries } }) {
        const caller = openIntentCaller(req);
        const acl = { default_policy, entries: entries.map((entry) => entryOf(caller, entry)) };
        await records.add(caller, id('intentId'), 'access_policy_set', acl);
        return { intent_id: id('intentId'), ...acl };
      },
    }),
    openIntentRoute({
      method: 'post',
      path: `${ACL}/entries`,
      access: 'agent',
      body: entrySchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const entry = entryOf(caller, body);
        await records.add(caller, id('intentId'), 'access_granted', { entry });
        return entry;
      },
    }),
    openIntentRoute({
      method: 'delete',
      path: `${ACL}/entries/:entryId`,
      access: 'agent',
      async handle({ req, id }) {
        const entry_id = String(req.params['entryId']);
        await records.find('ACL entry', id('intentId'), TYPES, (events) =>
          aclIn(events).entries.find((entry) => entry['id'] === entry_id),
        );
        await records.add(openIntentCaller(req), id('intentId'), 'access_revoked', { entry_id });
        return undefined;
      },
    }),
  ];
}
