import type { z } from 'zod';
import type { StatePatch } from '../../contracts/intent.js';
import { jsonObjectSchema } from '../../contracts/primitives.js';
import type { Binding } from '../http/route.js';
import { mergePatches } from '../http/state-patches.js';
import { INTENTS } from '../operations/intent.js';
import { bodyError } from './errors.js';
import { openIntentRoute } from './route.js';
import { createSchema, listQuery, stateSchema, statusSchema } from './schemas.js';
import { wireIntent } from './wire.js';

/**
 * The patches that a state write stands for.
 *
 * @throws FieldErrors where a key is no single step of a path
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

const GOVERNANCE = '/intents/:intentId/governance';

/** Intents: created, listed, read, and written under `If-Match`; a write of the state may ask. */
export const INTENT_ROUTES: readonly Binding[] = [
  openIntentRoute(INTENTS.createIntent, {
    method: 'post',
    path: '/intents',
    body: createSchema,
    async handle({ run, body: { created_by, parent_id, governance_policy, ...request } }) {
      const parent_intent_id = request.parent_intent_id ?? parent_id ?? null;
      const intent = await run({
        ...request,
        parent_intent_id,
        ...(created_by && { created_by }),
        ...(governance_policy && { governance_policy }),
      });
      return wireIntent(intent);
    },
  }),
  openIntentRoute(INTENTS.listIntents, {
    method: 'get',
    path: '/intents',
    query: listQuery,
    async handle({ run, query: { status, ...page } }) {
      const { value } = await run({ ...page, ...(status && { status }) });
      return { intents: value.map(wireIntent) };
    },
  }),
  openIntentRoute(INTENTS.getIntent, {
    method: 'get',
    path: '/intents/:intentId',
    handle: async ({ run, id }) => wireIntent((await run(id('intentId'))).value),
  }),
  openIntentRoute(INTENTS.setStatus, {
    method: 'post',
    path: '/intents/:intentId/status',
    body: statusSchema,
    ifMatch: 400,
    async handle({ run, id, version, body: { status, reason } }) {
      const request = { status, ...(reason && { reason }) };
      return wireIntent(await run(id('intentId'), version, request));
    },
  }),
  openIntentRoute(INTENTS.patchStateOrAsk, {
    method: 'post',
    path: '/intents/:intentId/state',
    body: stateSchema,
    ifMatch: 400,
    async handle({ run, id, version, body }) {
      const patches = patchesOf(body);
      return wireIntent(await run(id('intentId'), version, patches));
    },
  }),
  openIntentRoute(INTENTS.setGovernance, {
    method: 'put',
    path: GOVERNANCE,
    body: jsonObjectSchema,
    ifMatch: 400,
    handle: async ({ run, id, version, body }) =>
      wireIntent(await run(id('intentId'), version, body)),
  }),
  openIntentRoute(INTENTS.getGovernance, {
    method: 'get',
    path: GOVERNANCE,
    handle: async ({ run, id }) => (await run(id('intentId'))) ?? {},
  }),
  openIntentRoute(INTENTS.setGovernance, {
    method: 'delete',
    path: GOVERNANCE,
    ifMatch: 400,
    handle: async ({ run, id, version }) => wireIntent(await run(id('intentId'), version, null)),
  }),
];
