import { ERRORS } from '../../contracts/constants/errors.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { cutTo } from '../../domain/kernel/text.js';
import { writesSlot } from '../../domain/openintent/question-writes.js';
import { RefusalError } from '../errors.js';
import { versionIn } from '../http/headers.js';
import { requestRefusalOf } from '../http/problem.js';
import type { Binding, RouteCall } from '../http/route.js';
import {
  acquireLease,
  endRefusedAsk as endWait,
  listLeases,
  patchStateOrAsk,
  releaseLease,
  renewLease,
  setGovernance,
  setStatus,
} from '../usecases/intent/write.js';
import { FieldErrors, bodyError } from './errors.js';
import type { z } from 'zod';
import type { StatePatch } from '../../contracts/intent/intent.js';
import { jsonObjectSchema } from '../../contracts/kernel/primitives.js';
import { mergePatches } from '../http/state-patches.js';
import { createIntent } from '../usecases/intent/create.js';
import { getGovernance, getIntent, listIntents } from '../usecases/intent/read.js';
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

/** The reason is cut, because a refusal may quote what was sent. */
const REASON_BYTES = 500;

/**
 * Ends the wait of an intent whose question was refused: the SDK suspended the intent before, and now gives up. Only
 * the asker ends it, under the version that it read; after a conflict of versions nothing is ended.
 * @returns the error to send, which says that the intent is no longer suspended
 */
async function endRefusedAsk(call: RouteCall, error: unknown): Promise<unknown> {
  const { req } = call;
  const refusal = requestRefusalOf(error);
  const version = versionIn(req);
  if (refusal === undefined || typeof version !== 'number' || !mayAsk(req.body)) return error;
  const [status] = ERRORS[refusal.code];
  if (status >= 500 || refusal.code === 'version_conflict') return error;
  const reason = `The question was refused: ${cutTo(refusal.detail, REASON_BYTES)}`;
  try {
    await endWait(call, String(req.params['intentId']), version, reason);
  } catch {
    // The intent waits for no question of the caller, or cannot be written now.
    return error;
  }
  // This error is a list of fields, which has no place for the sentence.
  if (error instanceof FieldErrors) return error;
  const detail = `${refusal.detail} The intent is no longer suspended.`;
  const cause = error instanceof RefusalError ? error.cause : error;
  return new RefusalError({ ...refusal, detail }, { cause });
}

/** Whether the body of a write may be a question; a body that cannot be read may be one. */
function mayAsk(body: unknown): boolean {
  if (!isObject(body) || body instanceof Uint8Array) return true;
  const { patches, state } = body;
  if (isObject(state) && Object.hasOwn(state, SUSPENSION_SLOT)) return true;
  const paths = Array.isArray(patches) ? patches.map((patch: unknown) => pathOf(patch)) : [];
  return paths.some((path) => typeof path === 'string' && writesSlot(path));
}

function pathOf(patch: unknown): unknown {
  return isObject(patch) ? patch['path'] : undefined;
}

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
