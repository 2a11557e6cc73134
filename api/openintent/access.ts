import { z } from 'zod';
import type { AccessEntry, AccessList } from '../../contracts/access.js';
import { PERMISSIONS } from '../../contracts/constants/access.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import { nameSchema, zonelessInstantSchema } from '../../contracts/primitives.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import type { Binding } from '../http/route.js';
import { ACCESS, ASSIGNMENTS } from '../operations/access.js';
import { openIntentRoute } from './route.js';
import { wordsSchema } from './schemas.js';
import { recordOf, withNaiveTimes } from './wire.js';

const ACL = '/intents/:intentId/acl';
const entrySchema = z.object({
  principal_id: nameSchema,
  principal_type: nameSchema.default('agent'),
  permission: z.enum(PERMISSIONS).default('read'),
  reason: wordsSchema.nullish().transform((reason) => reason ?? null),
  expires_at: zonelessInstantSchema
    .transform((instant) => toInstant(toMillis(instant)))
    .nullish()
    .transform((instant) => instant ?? null),
});
const aclSchema = z.object({
  default_policy: z.enum(['open', 'closed']).default('open'),
  entries: z.array(entrySchema).max(LIMITS.pageSize).default([]),
});

/** An entry as the SDK parses it. */
function wireEntry(entry: AccessEntry) {
  return withNaiveTimes(entry, ['granted_at', 'expires_at']);
}

/** A list as the SDK parses it. */
function wireList(intent_id: string, { default_policy, entries }: AccessList) {
  return { intent_id, default_policy, entries: entries.map(wireEntry) };
}

/** Access lists: who of the agents may do what with an intent. */
export const ACCESS_ROUTES: readonly Binding[] = [
  openIntentRoute(ACCESS.getAccess, {
    method: 'get',
    path: ACL,
    handle: async ({ run, id }) => wireList(id('intentId'), await run(id('intentId'))),
  }),
  openIntentRoute(ACCESS.setAccess, {
    method: 'put',
    path: ACL,
    body: aclSchema,
    handle: async ({ run, id, body }) => wireList(id('intentId'), await run(id('intentId'), body)),
  }),
  openIntentRoute(ACCESS.grantAccess, {
    method: 'post',
    path: `${ACL}/entries`,
    body: entrySchema,
    handle: async ({ run, id, body }) => wireEntry(await run(id('intentId'), body)),
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
