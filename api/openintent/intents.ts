import type { z } from 'zod';
import type { StatePatch } from '../../contracts/intent/intent.js';
import { jsonObjectSchema } from '../../contracts/kernel/primitives.js';
import type { Binding } from '../http/route.js';
import { mergePatches } from '../http/state-patches.js';
import { createIntent } from '../usecases/intent/create.js';
import { getGovernance, getIntent, listIntents } from '../usecases/intent/read.js';
import { setStatus, patchStateOrAsk, setGovernance } from '../usecases/intent/write.js';
import { listLeases, acquireLease, renewLease, releaseLease } from '../usecases/intent/leases.js';
import { bodyError } from './errors.js';
import { endRefusedAsk } from './refused-ask.js';
import { ANY_NAME, wholeEntriesOf, openIntentRoute } from './route.js';
import {
  acquireSchema,
  createSchema,
  listQuery,
  renewSchema,
  stateSchema,
  statusSchema,
} from './schemas.js';
import { wireIntent, wireLease } from './wire.js';

/**
 * Returns the patches of a state write.
 *
 * @throws FieldErrors if a key is no single step of a path
 */
function patchesOf({ patches, state }: z.output<typeof stateSchema>): readonly StatePatch[] {
  if (patches) return patches;
  const merged = state ?? {};
  return mergePatches(merged, (key, isOneStep) =>
    isOneStep
      ? undefined
      : bodyError(['state', key], 'A key has a character at least, and no slash', merged[key]),
  );
}

/** Intents: created, listed, read, and written under `If-Match`; a write of the state may ask. */
export const INTENT_ROUTES: readonly Binding[] = [
  openIntentRoute(createIntent, 'POST /intents', {
    body: createSchema,
    async handle({ run, body: { created_by, parent_id, governance_policy, ...request } }) {
      const parent_intent_id = request.parent_intent_id ?? parent_id ?? null;
      const intent = {
        ...request,
        parent_intent_id,
        ...(created_by && { created_by }),
        ...(governance_policy && { governance_policy }),
      };
      return wireIntent(await run(intent, undefined, ANY_NAME));
    },
  }),
  openIntentRoute(listIntents, 'GET /intents', {
    query: listQuery,
    async handle({ run, query }) {
      const intents = wholeEntriesOf(await run({ ...query, whole: true }), query);
      return { intents: intents.map(wireIntent) };
    },
  }),
  openIntentRoute(getIntent, 'GET /intents/:intentId', {
    handle: async ({ run, id }) => wireIntent((await run(id('intentId'))).value),
  }),
  openIntentRoute(setStatus, 'POST /intents/:intentId/status', {
    body: statusSchema,
    ifMatch: 400,
    async handle({ run, id, version, body: { status, reason } }) {
      const request = { status, ...(reason && { reason }) };
      return wireIntent(await run(id('intentId'), version, request, { mayAsk: true }));
    },
  }),
  openIntentRoute(patchStateOrAsk, 'POST /intents/:intentId/state', {
    body: stateSchema,
    ifMatch: 400,
    afterRefusal: endRefusedAsk,
    async handle({ run, id, version, body }) {
      const patches = patchesOf(body);
      return wireIntent(await run(id('intentId'), version, patches));
    },
  }),
  openIntentRoute(setGovernance, 'PUT /intents/:intentId/governance', {
    body: jsonObjectSchema,
    ifMatch: 400,
    handle: async ({ run, id, version, body }) =>
      wireIntent(await run(id('intentId'), version, body)),
  }),
  openIntentRoute(getGovernance, 'GET /intents/:intentId/governance', {
    handle: async ({ run, id }) => (await run(id('intentId'))) ?? {},
  }),
  openIntentRoute(setGovernance, 'DELETE /intents/:intentId/governance', {
    ifMatch: 400,
    handle: async ({ run, id, version }) => wireIntent(await run(id('intentId'), version, null)),
  }),
];

/** Leases, held by the key's principal. */
export const LEASE_ROUTES: readonly Binding[] = [
  openIntentRoute(listLeases, 'GET /intents/:intentId/leases', {
    handle: async ({ run, id }) => ({ leases: (await run(id('intentId'))).map(wireLease) }),
  }),
  openIntentRoute(acquireLease, 'POST /intents/:intentId/leases', {
    body: acquireSchema,
    handle: async ({ run, id, body: { scope, duration_seconds } }) =>
      wireLease(await run(id('intentId'), scope, duration_seconds)),
  }),
  openIntentRoute(renewLease, 'PATCH /intents/:intentId/leases/:leaseId', {
    body: renewSchema,
    handle: async ({ run, id, body: { duration_seconds } }) =>
      wireLease(await run(id('intentId'), id('leaseId'), duration_seconds)),
  }),
  openIntentRoute(releaseLease, 'DELETE /intents/:intentId/leases/:leaseId', {
    async handle({ run, id }) {
      await run(id('intentId'), id('leaseId'));
      return { message: 'Lease released' };
    },
  }),
];
