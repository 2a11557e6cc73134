import { jsonObjectSchema } from '../../../contracts/primitives.js';
import type { Gateway } from '../../gateway/types.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { versionOf } from '../if-match.js';
import { wireIntent } from '../wire.js';

/** The governance policy of an intent (§7): kept and given back, not enforced. */
export function governanceRoutes(gateway: Gateway): readonly DoorRoute[] {
  const path = '/intents/:intentId/governance';
  return [
    doorRoute({
      ...{ method: 'put', path, access: 'agent', body: jsonObjectSchema },
      async handle({ req, id, body }) {
        const caller = doorCaller(req);
        const version = versionOf(req);
        const intent = await gateway.setGovernance(caller, id('intentId'), version, body);
        return wireIntent(caller, intent);
      },
    }),
    doorRoute({
      ...{ method: 'get', path, access: 'any' },
      async handle({ id }) {
        return (await gateway.getIntent(id('intentId'))).value.governance_policy ?? {};
      },
    }),
    doorRoute({
      ...{ method: 'delete', path, access: 'agent' },
      async handle({ req, id }) {
        const caller = doorCaller(req);
        const version = versionOf(req);
        const intent = await gateway.setGovernance(caller, id('intentId'), version, null);
        return wireIntent(caller, intent);
      },
    }),
  ];
}
