import type { Intent, Lease, StatePatch, StatusRequest } from '../../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { SUSPENSION_SLOT } from '../../../domain/intent/state-patch.js';
import { writesSlot } from '../../../domain/openintent/question-writes.js';
import {
  acquireLeaseUpdate,
  endRefusedAskUpdate,
  engagementUpdate,
  patchStateUpdate,
  releaseLeaseUpdate,
  renewLeaseUpdate,
  setStatusUpdate,
  type AskingInput,
  type IntentWritten,
} from '../../../workflows/intent/messages.js';
import { actorOf, sentBy } from '../../parts/caller.js';
import { activeSuspensionId } from '../../parts/diagnosis.js';
import { FIRST, READ, WRITE, refuseSecrets, useCase, type Call } from '../usecase.js';
import { demandOwnId, recordsIn } from '../../parts/chosen-id.js';
import { intentFor } from '../visibility.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type {
  EngagementDecision,
  EngagementSignals,
} from '../../../contracts/suspension/engagement.js';
import { checkFieldSizes } from '../../../domain/kernel/ruling.js';
import { demand } from '../../errors.js';

/** Returns the intent after a write; lists wait for the write from then on. */
export async function written(
  { parts: { consistency, reads } }: Call,
  intentId: string,
  { last_sequence, intent }: IntentWritten,
): Promise<Intent> {
  consistency.touch(intentId, last_sequence);
  return intent ?? (await reads.getIntent(intentId)).value;
}

/*
 * Writes to one intent; each throws what `IntentWriter` throws. `if_match` is the version that the writer has read, so that each
 * can be sent again without doubling.
 */

const WRITE_OPEN = ['version_conflict', 'intent_closed', ...WRITE] as const;

const PATCH = [
  'governance_violation',
  'suspension_id_taken',
  'intent_suspended',
  'invalid_patch',
  'state_too_large',
] as const;

/** How the OpenIntent protocol asks: a write of the status or the state may put a question. */
interface Asking {
  readonly mayAsk?: boolean;
}

export const setStatus = useCase({
  name: 'setStatus',
  resource: 'intent',
  refusals: [
    'governance_violation',
    'invalid_transition',
    'intent_suspended',
    'dependencies_incomplete',
    ...WRITE_OPEN,
  ],
  async run(
    call: Call,
    intentId: string,
    if_match: number,
    request: StatusRequest,
    asking: Asking = {},
  ): Promise<Intent> {
    const told = await toldOfStatus(call, intentId, request, asking);
    const input = { ...request, ...identityOf(call, asking), ...told, if_match };
    return shown(call, intentId, await call.parts.write(intentId, setStatusUpdate, input), input);
  },
});

export const patchState = useCase({
  name: 'patchState',
  resource: 'intent',
  refusals: [...PATCH, ...WRITE_OPEN],
  run: (call: Call, intentId: string, if_match: number, patches: readonly StatePatch[]) =>
    patch(call, intentId, if_match, patches, {}),
});

/** The OpenIntent API asks and withdraws by writing the record of the question into the state. */
export const patchStateOrAsk = useCase({
  name: 'patchStateOrAsk',
  resource: 'intent',
  refusals: [...PATCH, 'secret_refused', 'suspension_settled', ...WRITE_OPEN],
  async run(
    call: Call,
    intentId: string,
    if_match: number,
    patches: readonly StatePatch[],
  ): Promise<Intent> {
    const question = patches.filter(({ path }) => writesSlot(path));
    if (question.length > 0) await refuseSecrets(call, question);
    return patch(call, intentId, if_match, patches, { mayAsk: true });
  },
});

/** Keeps a governance policy with the intent as it was sent; null removes it. */
export const setGovernance = useCase({
  name: 'setGovernance',
  resource: 'intent',
  refusals: WRITE_OPEN,
  async run(
    call: Call,
    intentId: string,
    if_match: number,
    governance: JsonObject | null,
  ): Promise<Intent> {
    const input = { ...sentBy(call.caller), if_match, patches: [], governance };
    return shown(call, intentId, await call.parts.write(intentId, patchStateUpdate, input), input);
  },
});

/**
 * Ends an intent's wait for a refused question of the caller. Throws `forbidden` for the question of somebody else,
 * `intent_not_suspended`, and `version_conflict`.
 */
export async function endRefusedAsk(
  { caller, parts }: Call,
  intentId: string,
  if_match: number,
  reason: string,
): Promise<void> {
  const input = { ...sentBy(caller), if_match, reason };
  const { last_sequence } = await parts.write(intentId, endRefusedAskUpdate, input);
  parts.consistency.touch(intentId, last_sequence);
}

async function patch(
  call: Call,
  intentId: string,
  if_match: number,
  patches: readonly StatePatch[],
  asking: Asking,
): Promise<Intent> {
  const { caller, parts } = call;
  const records = recordsIn(patches);
  for (const record of records) await demandOwnId(parts.fromStore, caller, record, intentId);
  const told = asking.mayAsk === true && toldOf(call, records);
  const input = { ...identityOf(call, asking), ...told, if_match, patches };
  return shown(call, intentId, await parts.write(intentId, patchStateUpdate, input), input);
}

/** Returns in whose name a write is made; its principal asks any question in it. */
function identityOf({ caller }: Call, { mayAsk = false }: Asking): AskingInput {
  return { ...sentBy(caller), ...(mayAsk && { openintent_ask: true }) };
}

/** Warns of unknown people whom the question of a write names: it is asked all the same. */
function toldOf({ caller, parts }: Call, records: readonly (JsonValue | undefined)[]) {
  const askers = [caller.principal, actorOf(caller)];
  const now = parts.clock.now();
  const warnings = records.flatMap((record) => parts.warningsIn(record, askers, now));
  return warnings.length > 0 && { warnings };
}

/** Does the same for a status: an earlier write may have put the record into the state. */
async function toldOfStatus(
  call: Call,
  intentId: string,
  { status }: StatusRequest,
  { mayAsk }: Asking,
) {
  if (mayAsk !== true || status !== 'suspended_awaiting_input') return {};
  return toldOf(call, [(await call.parts.reads.getIntent(intentId)).value.state[SUSPENSION_SLOT]]);
}

/** Returns the intent after a write that may have asked or withdrawn a question, as its writer may read it. */
async function shown(
  call: Call,
  intentId: string,
  result: IntentWritten,
  { openintent_ask }: AskingInput,
): Promise<Intent> {
  const { settlements } = call.parts;
  const intent = await written(call, intentId, result);
  const asked = openintent_ask && activeSuspensionId(intent);
  if (asked !== undefined) settlements.touch(asked, 'pending');
  if (result.withdrew !== undefined) settlements.touch(result.withdrew, 'settled');
  return intentFor(call.caller, intent);
}

/* Leases on scopes of an intent, with durations in seconds; the principal of the key holds them. */

const LEASE_WRITE = ['intent_closed', ...WRITE] as const;

export const listLeases = useCase({
  name: 'listLeases',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: ({ parts }: Call, intentId: string): Promise<readonly Lease[]> =>
    parts.reads.listLeases(intentId),
});

export const acquireLease = useCase({
  name: 'acquireLease',
  resource: 'intent',
  refusals: ['lease_held', 'too_many_leases', ...LEASE_WRITE],
  async run(
    { caller, parts }: Call,
    intentId: string,
    scope: string,
    duration_seconds: number,
  ): Promise<Lease> {
    const input = { ...sentBy(caller), scope, duration_seconds };
    const lease = await parts.write(intentId, acquireLeaseUpdate, input);
    parts.consistency.touch(intentId);
    return lease;
  },
});

export const renewLease = useCase({
  name: 'renewLease',
  resource: 'lease',
  refusals: LEASE_WRITE,
  async run(
    { caller, parts }: Call,
    intentId: string,
    lease_id: string,
    duration_seconds: number,
  ): Promise<Lease> {
    const input = { ...sentBy(caller), lease_id, duration_seconds };
    const lease = await parts.write(intentId, renewLeaseUpdate, input);
    parts.consistency.touch(intentId);
    return lease;
  },
});

export const releaseLease = useCase({
  name: 'releaseLease',
  resource: 'lease',
  refusals: LEASE_WRITE,
  async run({ caller, parts }: Call, intentId: string, lease_id: string): Promise<Lease> {
    const lease = await parts.write(intentId, releaseLeaseUpdate, { ...sentBy(caller), lease_id });
    parts.consistency.touch(intentId);
    return lease;
  },
});

export const engage = useCase({
  name: 'engage',
  resource: 'intent',
  refusals: ['intent_closed', ...WRITE],
  async run(
    { caller, parts }: Call,
    intentId: string,
    signals: EngagementSignals,
  ): Promise<EngagementDecision> {
    demand(checkFieldSizes({ context: signals.context }, LIMITS.contextBytes));
    const input = { ...sentBy(caller), signals };
    const decision = await parts.write(intentId, engagementUpdate, input);
    parts.consistency.touch(intentId);
    return decision;
  },
});
