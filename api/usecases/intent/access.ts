import { randomUUID } from 'node:crypto';
import type { AccessEntry, AccessList } from '../../../contracts/intent/access.js';
import type { Permission } from '../../../contracts/constants/callers.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { NO_LIST, type AccessChange } from '../../../domain/policy/access-list.js';
import { accessUpdate } from '../../../workflows/intent/messages.js';
import { sentBy } from '../../parts/caller.js';
import { ADD } from '../event/events.js';
import { FIRST, READ, useCase, type Call } from '../usecase.js';
import { written } from './write.js';

/* Access lists of intents (RFC-0011); the intent judges who changes one. */

export interface AskedEntry {
  readonly principal_id: string;
  readonly principal_type: string;
  readonly permission: Permission;
  readonly expires_at: string | null;
  readonly reason: string | null;
}

export interface AskedList {
  readonly default_policy: AccessList['default_policy'];
  readonly entries: readonly AskedEntry[];
}

function entryOf({ caller }: Call, asked: AskedEntry): AccessEntry {
  const granted_at = toInstant(Date.now());
  return { id: randomUUID(), ...asked, granted_by: caller.principal, granted_at };
}

const ACCESS_WRITE = ['state_too_large', ...ADD] as const;

export const getAccess = useCase({
  name: 'getAccess',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: async ({ parts }: Call, intentId: string): Promise<AccessList> =>
    (await parts.reads.getIntent(intentId)).value.access ?? NO_LIST,
});

export const setAccess = useCase({
  name: 'setAccess',
  resource: 'intent',
  refusals: ACCESS_WRITE,
  run(call: Call, intentId: string, { default_policy, entries }: AskedList): Promise<AccessList> {
    const set = { default_policy, entries: entries.map((entry) => entryOf(call, entry)) };
    return change(call, intentId, { set });
  },
});

export const grantAccess = useCase({
  name: 'grantAccess',
  resource: 'intent',
  refusals: ACCESS_WRITE,
  async run(call: Call, intentId: string, asked: AskedEntry): Promise<AccessEntry> {
    const grant = entryOf(call, asked);
    await change(call, intentId, { grant });
    return grant;
  },
});

export const revokeAccess = useCase({
  name: 'revokeAccess',
  resource: 'intent',
  refusals: ['not_found', ...ADD],
  async run(call: Call, intentId: string, entryId: string): Promise<void> {
    await change(call, intentId, { revoke: entryId });
  },
});

async function change(call: Call, intentId: string, wanted: AccessChange): Promise<AccessList> {
  const input = { ...sentBy(call.caller), change: wanted };
  const result = await call.parts.write(intentId, accessUpdate, input);
  return (await written(call, intentId, result)).access ?? NO_LIST;
}
