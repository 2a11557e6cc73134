import type { Gateway } from '../../gateway/types.js';
import type { SecretCheck } from '../../http/secret-check.js';
import { createIntentCreation } from '../creation.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { versionOf } from '../if-match.js';
import { createSchema, listQuery, stateSchema, statusSchema } from '../schemas.js';
import { patchesOf } from '../state-patches.js';
import { wireIntent } from '../wire.js';
import { createStateWriter } from '../write-state.js';

/** Intents as the contract has them (§2): created, read, listed. */
export function intentRoutes(gateway: Gateway, refuseSecrets: SecretCheck): readonly DoorRoute[] {
  const createIntent = createIntentCreation(gateway, refuseSecrets);
  return [
    doorRoute({
      ...{ method: 'post', path: '/intents', access: 'agent', body: createSchema },
      async handle({ req, body: { created_by, parent_id, governance_policy, ...request } }) {
        const caller = doorCaller(req);
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
    doorRoute({
      ...{ method: 'get', path: '/intents', access: 'any', query: listQuery },
      async handle({ req, query: { status, ...page } }) {
        const caller = doorCaller(req);
        const { value } = await gateway.listIntents({ ...page, ...(status && { status }) });
        return { intents: value.map((intent) => wireIntent(caller, intent)) };
      },
    }),
    doorRoute({
      ...{ method: 'get', path: '/intents/:intentId', access: 'any' },
      async handle({ req, id }) {
        return wireIntent(doorCaller(req), (await gateway.getIntent(id('intentId'))).value);
      },
    }),
  ];
}

/** The two writes under `If-Match`: status and state, which may put a question (§3.2). */
export function writeRoutes(gateway: Gateway, refuseSecrets: SecretCheck): readonly DoorRoute[] {
  const writeState = createStateWriter(gateway, refuseSecrets);
  return [
    doorRoute({
      ...{ method: 'post', path: '/intents/:intentId/status', access: 'agent', body: statusSchema },
      async handle({ req, id, body: { status, reason } }) {
        const caller = doorCaller(req);
        const request = { status, ...(reason && { reason }) };
        const version = versionOf(req);
        return wireIntent(
          caller,
          await gateway.setStatus(caller, id('intentId'), version, request),
        );
      },
    }),
    doorRoute({
      ...{ method: 'post', path: '/intents/:intentId/state', access: 'agent', body: stateSchema },
      async handle({ req, id, body }) {
        const caller = doorCaller(req);
        const version = versionOf(req);
        const patches = patchesOf(body);
        return wireIntent(caller, await writeState(caller, id('intentId'), version, patches));
      },
    }),
  ];
}
