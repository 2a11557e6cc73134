import type { ChangeEligibilityRequest } from '../../../contracts/suspension/decision.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { checkEligible } from '../../../domain/directory/known-people.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import { changeEligibilityUpdate } from '../../../workflows/suspension/messages.js';
import { demand, refusalOf } from '../../errors.js';
import { proven } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';
import { isEntityId } from '../../parts/refusals.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/**
 * Changes who may answer from now on. Throws `forbidden` and `suspension_not_found` besides. After `workflow_unavailable` the change may
 * still happen later.
 */
export const changeEligibility = useCase({
  name: 'changeEligibility',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'invalid_decision_rule',
    'unknown_principal',
    ...WRITE,
  ],
  async run(
    { caller, parts }: Call,
    suspensionId: string,
    { eligible, reason }: ChangeEligibilityRequest,
  ): Promise<SuspensionView> {
    const { clock, config, diagnose, people, temporal } = parts;
    const { separation_of_duties } = config.suspension;
    const by = proven(caller);
    const whyNot = () => diagnose({ by, action: 'changeEligibility' }, undefined, suspensionId);
    if (!isEntityId(suspensionId)) throw await whyNot();
    const known = people();
    const warnings = known ? demand(checkEligible(eligible, known)) : [];
    const input = {
      by,
      eligible,
      ...(separation_of_duties && { separation_of_duties }),
      ...(reason !== undefined && { reason }),
      ...(warnings.length > 0 && { warnings }),
    };
    try {
      const write = createLiveWrite(temporal, 'suspension', whyNot);
      return viewAt(await write(suspensionId, changeEligibilityUpdate, input), clock.now());
    } catch (error) {
      if (refusalOf(error)?.code !== 'suspension_settled') throw error;
      throw await whyNot();
    }
  },
});
