import type { ServerConfig } from '../../../contracts/config.js';
import type { ChangeEligibilityRequest } from '../../../contracts/decision.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';
import { checkEligible } from '../../../domain/directory/known-people.js';
import { viewAt } from '../../../domain/suspension/view.js';
import { changeEligibilityUpdate } from '../../../workflows/suspension/messages.js';
import { demand, refusalOf } from '../../errors.js';
import { proven } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import { isEntityId } from '../refusals.js';
import type { Diagnose } from './diagnosis.js';
import type { Who } from './who.js';

interface Deps {
  readonly config: Pick<ServerConfig, 'suspension'>;
  readonly people: Who;
  readonly clock: Pick<Clock, 'now'>;
  readonly temporal: Pick<Temporal, 'update'>;
  readonly diagnose: Diagnose;
}

/** Changing who may answer. */
export function createEligibility({ clock, config, people, temporal, diagnose }: Deps) {
  const { separation_of_duties } = config.suspension;
  return {
    /**
     * Throws `forbidden`, `suspension_not_found`, `suspension_settled`, `invalid_decision_rule`,
     * `unknown_principal`, or
     * `workflow_unavailable`: the change may then still happen later.
     */
    async changeEligibility(
      caller: Caller,
      suspensionId: string,
      { eligible, reason }: ChangeEligibilityRequest,
    ): Promise<SuspensionView> {
      const by = proven(caller);
      const whyNot = () => diagnose({ by, action: 'changeEligibility' }, undefined, suspensionId);
      if (!isEntityId(suspensionId)) throw await whyNot();
      const write = createLiveWrite(temporal, 'suspension', whyNot);
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
        return viewAt(await write(suspensionId, changeEligibilityUpdate, input), clock.now());
      } catch (error) {
        if (refusalOf(error)?.code !== 'suspension_settled') throw error;
        throw await whyNot();
      }
    },
  };
}
