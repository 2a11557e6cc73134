import { z } from 'zod';
import type { AccessEntry, AccessList } from '../../contracts/intent/access.js';
import { PERMISSIONS } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { nameSchema, zonelessInstantSchema } from '../../contracts/kernel/primitives.js';
import { toInstant, toMillis } from '../../domain/kernel/time.js';
import type { Binding } from '../http/route.js';
import { getAccess, setAccess, grantAccess, revokeAccess } from '../usecases/intent/access.js';
import { listAssignments, assignAgent, unassignAgent } from '../usecases/record/records.js';
import { openIntentRoute } from './route.js';
import { wordsSchema } from './schemas.js';
import { recordOf, withNaiveTimes } from './wire.js';

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

function wireEntry(entry: AccessEntry) {
  return withNaiveTimes(entry, ['granted_at', 'expires_at']);
}

function wireList(intent_id: string, { default_policy, entries }: AccessList) {
  return { intent_id, default_policy, entries: entries.map(wireEntry) };
}

export const ACCESS_ROUTES: readonly Binding[] = [
  openIntentRoute(getAccess, 'GET /intents/:intentId/acl', {
    handle: async ({ run, id }) => wireList(id('intentId'), await run(id('intentId'))),
  }),
  openIntentRoute(setAccess, 'PUT /intents/:intentId/acl', {
    body: aclSchema,
    handle: async ({ run, id, body }) => wireList(id('intentId'), await run(id('intentId'), body)),
  }),
  openIntentRoute(grantAccess, 'POST /intents/:intentId/acl/entries', {
    body: entrySchema,
    handle: async ({ run, id, body }) => wireEntry(await run(id('intentId'), body)),
  }),
  openIntentRoute(revokeAccess, 'DELETE /intents/:intentId/acl/entries/:entryId', {
    handle: ({ run, id }) => run(id('intentId'), id('entryId')),
  }),
];

const assignmentSchema = z.object({
  agent_id: nameSchema,
  role: nameSchema.nullish().transform((role) => role ?? 'worker'),
});

function wireAssignment(event: IntentEvent) {
  const { created_at: assigned_at = null, ...assignment } = recordOf(event);
  return { ...assignment, assigned_at };
}

export const ASSIGNMENT_ROUTES: readonly Binding[] = [
  openIntentRoute(listAssignments, 'GET /intents/:intentId/agents', {
    handle: async ({ run, id }) => (await run(id('intentId'))).map(wireAssignment),
  }),
  openIntentRoute(assignAgent, 'POST /intents/:intentId/agents', {
    body: assignmentSchema,
    handle: async ({ run, id, body }) => wireAssignment(await run(id('intentId'), body)),
  }),
  openIntentRoute(unassignAgent, 'DELETE /intents/:intentId/agents/:agent', {
    async handle({ run, id }) {
      await run(id('intentId'), id('agent'));
      return { message: 'Agent unassigned' };
    },
  }),
];
