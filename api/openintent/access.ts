import { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import { nameSchema, zonelessInstantSchema } from '../../contracts/primitives.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import type { Binding } from '../http/route.js';
import { ACCESS, ASSIGNMENTS } from '../operations/access.js';
import { openIntentRoute } from './route.js';
import { wordsSchema } from './schemas.js';
import { naiveTime, recordOf } from './wire.js';

const ACL = '/intents/:intentId/acl';
const entrySchema = z.object({
  principal_id: nameSchema,
  principal_type: nameSchema.default('agent'),
  permission: z.enum(['read', 'write', 'admin']).default('read'),
  reason: wordsSchema.nullish().transform((reason) => reason ?? null),
  expires_at: zonelessInstantSchema
    .transform((instant) => naiveTime(toInstant(toMillis(instant))))
    .nullish()
    .transform((instant) => instant ?? null),
});
const aclSchema = z.object({
  default_policy: z.enum(['open', 'closed']).default('open'),
  entries: z.array(entrySchema).max(LIMITS.pageSize).default([]),
});

/** An entry is kept as the SDK parses it, with its times in UTC without a zone. */
function grantedNow(entry: z.output<typeof entrySchema>) {
  return { ...entry, granted_at: naiveTime(new Date().toISOString()) };
}

/** Who may do what with an intent: kept and returned, not enforced. */
export const ACCESS_ROUTES: readonly Binding[] = [
  openIntentRoute(ACCESS.getAccess, {
    method: 'get',
    path: ACL,
    handle: async ({ run, id }) => ({
      intent_id: id('intentId'),
      ...(await run(id('intentId'))),
    }),
  }),
  openIntentRoute(ACCESS.setAccess, {
    method: 'put',
    path: ACL,
    body: aclSchema,
    async handle({ run, id, body: { default_policy, entries } }) {
      const intent_id = id('intentId');
      const list = { default_policy, entries: entries.map(grantedNow) };
      return { intent_id, ...(await run(intent_id, list)) };
    },
  }),
  openIntentRoute(ACCESS.grantAccess, {
    method: 'post',
    path: `${ACL}/entries`,
    body: entrySchema,
    handle: ({ run, id, body }) => run(id('intentId'), grantedNow(body)),
  }),
  openIntentRoute(ACCESS.revokeAccess, {
    method: 'delete',
    path: `${ACL}/entries/:entryId`,
    handle: ({ run, id }) => run(id('intentId'), id('entryId')),
  }),
];

const AGENTS = '/intents/:intentId/agents';
const assignmentSchema = z.object({
  agent_id: nameSchema,
  role: nameSchema.nullish().transform((role) => role ?? 'worker'),
});

/** An assignment as the SDK parses it. */
function wireAssignment(event: IntentEvent) {
  const { created_at: assigned_at = null, ...assignment } = recordOf(event);
  return { ...assignment, assigned_at };
}

/** The agents that are assigned to an intent. */
export const ASSIGNMENT_ROUTES: readonly Binding[] = [
  openIntentRoute(ASSIGNMENTS.listAssignments, {
    method: 'get',
    path: AGENTS,
    handle: async ({ run, id }) => (await run(id('intentId'))).map(wireAssignment),
  }),
  openIntentRoute(ASSIGNMENTS.assignAgent, {
    method: 'post',
    path: AGENTS,
    body: assignmentSchema,
    handle: async ({ run, id, body }) => wireAssignment(await run(id('intentId'), body)),
  }),
  openIntentRoute(ASSIGNMENTS.unassignAgent, {
    method: 'delete',
    path: `${AGENTS}/:agent`,
    async handle({ run, id }) {
      await run(id('intentId'), id('agent'));
      return { message: 'Agent unassigned' };
    },
  }),
];
