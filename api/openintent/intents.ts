import { jsonObjectSchema } from '../../contracts/primitives.js';
import type { Gateway } from '../gateway/index.js';
import type { SecretCheck } from '../http/input.js';
import { versionOf } from './errors.js';
import { intentCreator, patchesOf, stateWriter } from './intent-writes.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { createSchema, listQuery, stateSchema, statusSchema } from './schemas.js';
import { wireIntent } from './wire.js';

/** Intents as the contract has them (§2): created, read, listed. */
export function intentRoutes(
  gateway: Gateway,
  refuseSecrets: SecretCheck,
): readonly OpenIntentRoute[] {
  const createIntent = intentCreator(gateway, refuseSecrets);
  return [
    openIntentRoute({
      method: 'post',
      path: '/intents',
      access: 'agent',
      body: createSchema,
      async handle({ req, body: { created_by, parent_id, governance_policy, ...request } }) {
        const caller = openIntentCaller(req);
        const parent_intent_id = request.parent_intent_id ?? parent_id ?? null;
        const named = {
          ...request,
          parent_intent_id,
          ...(created_by && { created_by }),
          ...(governance_policy && { governance_policy }),
        };
        return wireIntent(caller, await createIntent(caller, named));
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents',
      access: 'any',
      query: listQuery,
      async handle({ req, query: { status, ...page } }) {
        const caller = openIntentCaller(req);
        const { value } = await gateway.listIntents({ ...page, ...(status && { status }) });
        return { intents: value.map((intent) => wireIntent(caller, intent)) };
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId',
      access: 'any',
      async handle({ req, id }) {
        return wireIntent(openIntentCaller(req), (await gateway.getIntent(id('intentId'))).value);
      },
    }),
  ];
}

/** The two writes under `If-Match`: status and state, which may put a question (§3.2). */
export function writeRoutes(
  gateway: Gateway,
  refuseSecrets: SecretCheck,
): readonly OpenIntentRoute[] {
  const writeState = stateWriter(gateway, refuseSecrets);
  return [
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/status',
      access: 'agent',
      body: statusSchema,
      async handle({ req, id, body: { status, reason } }) {
        const caller = openIntentCaller(req);
        const request = { status, ...(reason && { reason }) };
        const version = versionOf(req);
        return wireIntent(
          caller,
          await gateway.setStatus(caller, id('intentId'), version, request),
        );
      },
    }),
    openIntentRoute({
      method: 'post',
      path: '/intents/:intentId/state',
      access: 'agent',
      body: stateSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const version = versionOf(req);
        const patches = patchesOf(body);
        return wireIntent(caller, await writeState(caller, id('intentId'), version, patches));
      },
    }),
  ];
}

/** The governance policy of an intent (§7): kept and given back, not enforced. */
export function governanceRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  const path = '/intents/:intentId/governance';
  return [
    openIntentRoute({
      method: 'put',
      path,
      access: 'agent',
      body: jsonObjectSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const version = versionOf(req);
        const intent = await gateway.setGovernance(caller, id('intentId'), version, body);
        return wireIntent(caller, intent);
      },
    }),
    openIntentRoute({
      method: 'get',
      path,
      access: 'any',
      async handle({ id }) {
        return (await gateway.getIntent(id('intentId'))).value.governance_policy ?? {};
      },
    }),
    openIntentRoute({
      method: 'delete',
      path,
      access: 'agent',
      async handle({ req, id }) {
        const caller = openIntentCaller(req);
        const version = versionOf(req);
        const intent = await gateway.setGovernance(caller, id('intentId'), version, null);
        return wireIntent(caller, intent);
      },
    }),
  ];
}
