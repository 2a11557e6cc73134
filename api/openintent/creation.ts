import type { Gateway } from '../gateway/types.js';
import type { SecretCheck } from '../http/secret-check.js';

/** Creates an intent of this door; rejects with what the gateway refuses. */
type CreateIntent = (
  ...[caller, request]: Parameters<Gateway['createIntent']>
) => ReturnType<Gateway['createIntent']>;

/**
 * Creates intents whose state may hold a record already, which is plain until the intent suspends: what
 * looks like a credential is refused here, for no later write shows it again (R25-101).
 */
export function createIntentCreation(gateway: Gateway, refuseSecrets: SecretCheck): CreateIntent {
  return async (caller, request) => {
    const { _suspension } = request.state;
    if (_suspension !== undefined) await refuseSecrets({ state: { _suspension } });
    return gateway.createIntent(caller, request);
  };
}
