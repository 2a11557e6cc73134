import { LIMITS } from '../../../contracts/constants/limits.js';
import type {
  EngagementDecision,
  EngagementSignals,
} from '../../../contracts/suspension/engagement.js';
import { checkFieldSizes } from '../../../domain/kernel/ruling.js';
import { engagementUpdate } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { sentBy } from '../../parts/caller.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** Decides whether the agent of an intent should ask, and records the decision. */
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
