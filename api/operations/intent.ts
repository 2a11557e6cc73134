import type { CreateIntentRequest, Intent, StatePatch } from '../../contracts/intent.js';
import type { Relation } from '../../contracts/graph.js';
import { checkVersion } from '../../domain/intent/entity.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { writtenWithdrawal, writesSlot } from '../../domain/openintent/ask.js';
import { RefusalError } from '../errors.js';
import type { Page } from '../gateway/caller.js';
import { READ, WRITE, asCaller, forAnyone, operations } from './operation.js';
import type { AfterCaller, Call } from './operation.js';
import { refuseSecrets } from './suspension.js';
import { intentFor, intentsFor } from './visibility.js';

/** What every write to an intent may be refused with. */
const WRITE_OPEN = ['version_conflict', 'intent_closed', ...WRITE] as const;

async function getIntent({ gateway, caller }: Call, intentId: string) {
  const { value, stale } = await gateway.getIntent(intentId);
  return { value: intentFor(caller, value), stale };
}

type IntentWrite =
  'setStatus' | 'patchState' | 'setGovernance' | 'addDependency' | 'removeDependency';

/** A write of the gateway, with its intent as the caller may read it. */
function shown<const M extends IntentWrite>(method: M) {
  const write = asCaller(method);
  return async (call: Call, ...input: AfterCaller<M>): Promise<Intent> =>
    intentFor(call.caller, await write(call, ...input));
}

/**
 * Withdraws the open question where the patches mark it as cancelled, and tells whether they do: that
 * is how an OpenIntent client withdraws.
 */
async function withdraw(
  { gateway, caller }: Call,
  intentId: string,
  version: number,
  patches: readonly StatePatch[],
): Promise<boolean> {
  const { value: intent } = await gateway.getIntent(intentId);
  const withdrawal = writtenWithdrawal(intent, patches);
  if (withdrawal === undefined) return false;
  const current = checkVersion(intent, version);
  if (!current.ok) throw new RefusalError(current.refusal);
  await gateway.cancel(caller, intentId, withdrawal);
  return true;
}

/** Intents: created, read, listed, and written under the version that the writer has read. */
export const INTENTS = operations({
  listIntents: {
    resource: 'intent',
    access: 'any',
    refusals: ['store_unavailable'],
    run: async (call, page: Page & { readonly status?: string }) =>
      intentsFor(call, await call.gateway.listIntents(page)),
  },
  createIntent: {
    resource: 'intent',
    access: 'agent',
    refusals: [
      'intent_not_found',
      'intent_closed',
      'state_too_large',
      'idempotency_key_reused',
      ...WRITE,
    ],
    async run(call, request: CreateIntentRequest, idempotencyKey?: string): Promise<Intent> {
      const { gateway, caller } = call;
      // A record in the first state is plain until the intent suspends, and no later write shows it again.
      const { [SUSPENSION_SLOT]: _suspension } = request.state;
      if (_suspension !== undefined) await refuseSecrets(call, { state: { _suspension } });
      return intentFor(caller, await gateway.createIntent(caller, request, idempotencyKey));
    },
  },
  getIntent: { resource: 'intent', access: 'any', refusals: READ, run: getIntent },
  setStatus: {
    resource: 'intent',
    access: 'agent',
    refusals: ['invalid_transition', 'intent_suspended', 'dependencies_incomplete', ...WRITE_OPEN],
    run: shown('setStatus'),
  },
  patchState: {
    resource: 'intent',
    access: 'agent',
    refusals: ['intent_suspended', 'invalid_patch', 'state_too_large', ...WRITE_OPEN],
    run: shown('patchState'),
  },
  /** The OpenIntent API asks and withdraws by writing the record of the question into the state. */
  patchStateOrAsk: {
    resource: 'intent',
    access: 'agent',
    refusals: [
      'intent_suspended',
      'invalid_patch',
      'state_too_large',
      'secret_refused',
      'suspension_settled',
      ...WRITE_OPEN,
    ],
    async run(
      call,
      intentId: string,
      version: number,
      patches: readonly StatePatch[],
    ): Promise<Intent> {
      const { gateway, caller } = call;
      const question = patches.filter(({ path }) => writesSlot(path));
      if (question.length > 0) {
        await refuseSecrets(call, question);
        if (await withdraw(call, intentId, version, patches)) {
          return (await getIntent(call, intentId)).value;
        }
      }
      return intentFor(caller, await gateway.patchState(caller, intentId, version, patches));
    },
  },
  getGovernance: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: async ({ gateway }, intentId: string) =>
      (await gateway.getIntent(intentId)).value.governance_policy,
  },
  /** Kept and returned, not enforced. Null removes the policy. */
  setGovernance: {
    resource: 'intent',
    access: 'agent',
    refusals: WRITE_OPEN,
    run: shown('setGovernance'),
  },
});

const DEPENDENCY_WRITE = ['intent_not_found', ...WRITE_OPEN] as const;

/** An intent's place in the graph: its relatives, and what it depends on. */
export const GRAPH = operations({
  /** The children, and how many of all of them are in which status. */
  listChildren: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    async run(call, intentId: string, page: Page) {
      const { gateway } = call;
      const children = intentsFor(call, await gateway.listRelated('children', intentId, page));
      const { value: aggregate_status } = await gateway.childrenStatus(intentId);
      return { children, aggregate_status };
    },
  },
  listRelated: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: async (call, relation: Relation, intentId: string, page: Page) =>
      intentsFor(call, await call.gateway.listRelated(relation, intentId, page)),
  },
  readGraph: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: forAnyone('intentGraph'),
  },
  addDependency: {
    resource: 'intent',
    access: 'agent',
    refusals: [
      'dependency_cycle',
      'dependency_exists',
      'too_many_dependencies',
      ...DEPENDENCY_WRITE,
    ],
    run: shown('addDependency'),
  },
  removeDependency: {
    resource: 'intent',
    access: 'agent',
    refusals: DEPENDENCY_WRITE,
    run: shown('removeDependency'),
  },
});

const LEASE_WRITE = ['intent_closed', ...WRITE] as const;

/** Leases on scopes of an intent; the principal of the key holds them. */
export const LEASES = operations({
  listLeases: { resource: 'intent', access: 'any', refusals: READ, run: forAnyone('listLeases') },
  acquireLease: {
    resource: 'intent',
    access: 'agent',
    refusals: ['lease_held', 'too_many_leases', ...LEASE_WRITE],
    run: asCaller('acquireLease'),
  },
  renewLease: {
    resource: 'lease',
    access: 'agent',
    refusals: LEASE_WRITE,
    run: asCaller('renewLease'),
  },
  releaseLease: {
    resource: 'lease',
    access: 'agent',
    refusals: LEASE_WRITE,
    run: asCaller('releaseLease'),
  },
});
