import type { Intent, StatePatch } from '../../contracts/intent.js';
import type { Relation } from '../../contracts/graph.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { writesSlot } from '../../domain/openintent/ask.js';
import type { Page } from '../gateway/caller.js';
import {
  READ,
  WRITE,
  asCaller,
  forAnyone,
  operations,
  read,
  readOf,
  storeRead,
} from './operation.js';
import type { AfterCaller, Call } from './operation.js';
import { refuseSecrets } from './suspension.js';
import { intentFor, intentsFor, readerFor } from './visibility.js';

/** What every write to an intent may be refused with. */
const WRITE_OPEN = ['version_conflict', 'intent_closed', ...WRITE] as const;

async function getIntent(call: Call, intentId: string) {
  const { gateway, caller } = call;
  const { value, stale } = await gateway.getIntent(intentId);
  if (readerFor(call)) await gateway.judgeAccess(caller, 'getIntent', value);
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

/** Intents: created, read, listed, and written under the version that the writer has read. */
export const INTENTS = operations({
  listIntents: storeRead('intent', async (call, page: Page & { readonly status?: string }) => {
    const reader = readerFor(call);
    const query = { ...page, ...(reader && { reader }) };
    return intentsFor(call, await call.gateway.listIntents(query));
  }),
  createIntent: {
    resource: 'intent',
    refusals: [
      'suspension_id_taken',
      'intent_not_found',
      'intent_closed',
      'state_too_large',
      'idempotency_key_reused',
      'removed_by_retention',
      ...WRITE,
    ],
    async run(call, ...input: AfterCaller<'createIntent'>): Promise<Intent> {
      const { gateway, caller } = call;
      const [request] = input;
      // A record in the first state is plain until the intent suspends, and no later write shows it again.
      const { [SUSPENSION_SLOT]: _suspension } = request.state;
      if (_suspension !== undefined) await refuseSecrets(call, { state: { _suspension } });
      return intentFor(caller, await gateway.createIntent(caller, ...input));
    },
  },
  getIntent: read('intent', getIntent),
  setStatus: {
    resource: 'intent',
    refusals: [
      'governance_violation',
      'invalid_transition',
      'intent_suspended',
      'dependencies_incomplete',
      ...WRITE_OPEN,
    ],
    run: shown('setStatus'),
  },
  patchState: {
    resource: 'intent',
    refusals: [
      'governance_violation',
      'suspension_id_taken',
      'intent_suspended',
      'invalid_patch',
      'state_too_large',
      ...WRITE_OPEN,
    ],
    run: shown('patchState'),
  },
  /** The OpenIntent API asks and withdraws by writing the record of the question into the state. */
  patchStateOrAsk: {
    resource: 'intent',
    refusals: [
      'governance_violation',
      'suspension_id_taken',
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
      if (question.length > 0) await refuseSecrets(call, question);
      const asking = { mayAsk: true };
      return intentFor(
        caller,
        await gateway.patchState(caller, intentId, version, patches, asking),
      );
    },
  },
  getGovernance: readOf(
    async ({ gateway }, intentId: string) =>
      (await gateway.getIntent(intentId)).value.governance_policy,
  ),
  /** Null removes the policy. */
  setGovernance: {
    resource: 'intent',
    refusals: WRITE_OPEN,
    run: shown('setGovernance'),
  },
});

/** What was written about an intent. */
export const ERASURES = operations({
  erasePersonalData: {
    resource: 'intent',
    refusals: ['question_open', ...WRITE],
    run: asCaller('erasePersonalData'),
  },
  /** What was asked of nobody's intent. */
  eraseSuspension: {
    resource: 'suspension',
    refusals: ['question_open', 'question_of_intent', ...READ],
    run: asCaller('eraseSuspension'),
  },
});

const DEPENDENCY_WRITE = ['intent_not_found', ...WRITE_OPEN] as const;

/** An intent's place in the graph: its relatives, and what it depends on. */
export const GRAPH = operations({
  /** The children, and how many of all of them are in which status. */
  listChildren: readOf(async (call, intentId: string, page: Page) => {
    const { gateway } = call;
    const reader = readerFor(call);
    const related = await gateway.listRelated('children', intentId, page, reader);
    const children = intentsFor(call, related);
    const { value: aggregate_status } = await gateway.childrenStatus(intentId, reader);
    return { children, aggregate_status };
  }),
  listRelated: {
    resource: 'intent',
    refusals: READ,
    intentIn: (_relation: Relation, intentId: string) => intentId,
    run: async (call, relation: Relation, intentId: string, page: Page) =>
      intentsFor(call, await call.gateway.listRelated(relation, intentId, page, readerFor(call))),
  },
  readGraph: readOf((call, intentId: string) =>
    call.gateway.intentGraph(intentId, readerFor(call)),
  ),
  addDependency: {
    resource: 'intent',
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
    refusals: DEPENDENCY_WRITE,
    run: shown('removeDependency'),
  },
});

const LEASE_WRITE = ['intent_closed', ...WRITE] as const;

/** Leases on scopes of an intent; the principal of the key holds them. */
export const LEASES = operations({
  listLeases: readOf(forAnyone('listLeases')),
  acquireLease: {
    resource: 'intent',
    refusals: ['lease_held', 'too_many_leases', ...LEASE_WRITE],
    run: asCaller('acquireLease'),
  },
  renewLease: {
    resource: 'lease',
    refusals: LEASE_WRITE,
    run: asCaller('renewLease'),
  },
  releaseLease: {
    resource: 'lease',
    refusals: LEASE_WRITE,
    run: asCaller('releaseLease'),
  },
});
