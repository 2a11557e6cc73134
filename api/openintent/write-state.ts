import type { StatePatch } from '../../contracts/intent.js';
import { checkVersion } from '../../domain/intent-entity.js';
import { withdrawalIn, writesSlot } from '../../domain/two-call-suspension.js';
import { RefusalError } from '../errors.js';
import type { Caller, Gateway } from '../gateway/types.js';
import type { SecretCheck } from '../http/secret-check.js';

/** A state write of this door; rejects with what the gateway refuses. */
type WriteState = (...args: Parameters<Gateway['patchState']>) => ReturnType<Gateway['patchState']>;

/**
 * State writes as the SDK makes them: one that marks the open record as cancelled is the operation that
 * withdraws it, and a question that holds a credential is refused (R25-101).
 */
export function createStateWriter(gateway: Gateway, refuseSecrets: SecretCheck): WriteState {
  async function withdraw(
    caller: Caller,
    intentId: string,
    version: number,
    patches: readonly StatePatch[],
  ): Promise<boolean> {
    const { value: intent } = await gateway.getIntent(intentId);
    const withdrawal = withdrawalIn(intent, patches);
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
