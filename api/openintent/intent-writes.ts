import type { z } from 'zod';
import type { StatePatch } from '../../contracts/intent.js';
import { checkVersion } from '../../domain/intent/entity.js';
import { writtenWithdrawal, writesSlot } from '../../domain/openintent/ask.js';
import { RefusalError } from '../errors.js';
import type { Caller } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import type { SecretCheck } from '../http/input.js';
import { bodyError } from './errors.js';
import type { stateSchema } from './schemas.js';

/** Creates an intent of this door; rejects with what the gateway refuses. */
type CreateIntent = (
  ...[caller, request]: Parameters<Gateway['createIntent']>
) => ReturnType<Gateway['createIntent']>;

/**
 * Creates intents whose state may hold a record already, which is plain until the intent suspends: what
 * looks like a credential is refused here, for no later write shows it again (R25-101).
 */
export function intentCreator(gateway: Gateway, refuseSecrets: SecretCheck): CreateIntent {
  return async (caller, request) => {
    const { _suspension } = request.state;
    if (_suspension !== undefined) await refuseSecrets({ state: { _suspension } });
    return gateway.createIntent(caller, request);
  };
}

/** A state write of this door; rejects with what the gateway refuses. */
type WriteState = (...args: Parameters<Gateway['patchState']>) => ReturnType<Gateway['patchState']>;

/**
 * State writes as the SDK makes them: one that marks the open record as cancelled is the operation that
 * withdraws it, and a question that holds a credential is refused (R25-101).
 */
export function stateWriter(gateway: Gateway, refuseSecrets: SecretCheck): WriteState {
  async function withdraw(
    caller: Caller,
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

  return async (caller, intentId, version, patches) => {
    const question = patches.filter(({ path }) => writesSlot(path));
    if (question.length > 0) {
      await refuseSecrets(question);
      if (await withdraw(caller, intentId, version, patches)) {
        return (await gateway.getIntent(intentId)).value;
      }
    }
    return gateway.patchState(caller, intentId, version, patches);
  };
}

/**
 * The patches that a state write stands for: `{state}` is a merge of top-level keys.
 *
 * @throws FieldErrors where a key is no single step of a path
 */
export function patchesOf({ patches, state }: z.output<typeof stateSchema>): readonly StatePatch[] {
  if (patches) return patches;
  return Object.entries(state ?? {}).map(([key, value]) => {
    if (key === '' || key.includes('/')) {
      throw bodyError(['state', key], 'A key has a character at least, and no slash', value);
    }
    return { op: 'set', path: key, value };
  });
}
