import type { ChangeEligibilityRequest } from '../../../contracts/suspension/decision.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { checkEligible } from '../../../domain/directory/known-people.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import { changeEligibilityUpdate } from '../../../workflows/suspension/messages.js';
import { demand, refusalOf } from '../../errors.js';
import { proven, type Read } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';
import { isEntityId } from '../../../contracts/constants/names.js';
import { READ, WRITE, useCase, type Call } from '../usecase.js';
import type { Candidates } from '../../../contracts/suspension/verbs.js';
import { checkInOrder } from '../../../domain/kernel/ruling.js';
import { checkVoter } from '../../../domain/suspension/answering/decision.js';
import { askersOf } from '../../../domain/suspension/answering/resume.js';
import {
  delegationCandidates,
  type CandidateQuery,
} from '../../../domain/suspension/people/candidates.js';
import { checkIsDelegable } from '../../../domain/suspension/people/delegation.js';
import { checkIsOpenQuestion } from '../../../domain/suspension/people/verb.js';
import { concerning } from './read.js';

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

/**
 * Lists the people to whom the caller may delegate a question. A caller who cannot delegate it gets no names. The
 * question judges the delegation once more.
 */
export const listCandidates = useCase({
  name: 'listCandidates',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'not_eligible',
    'delegation_not_allowed',
    ...READ,
  ],
  async run(call: Call, id: string, query: CandidateQuery): Promise<Read<Candidates>> {
    const { caller, parts } = call;
    const { config, mute, people, space, reads } = parts;
    const { value, ...read } = await concerning(call, 'listCandidates', reads.getSuspension(id));
    const voter = { by: caller, responded_by: caller.principal };
    const separate = config.suspension.separation_of_duties ? askersOf(value) : [];
    const may = checkInOrder(
      () => checkIsOpenQuestion(value),
      () => checkVoter(value.rule, voter, separate),
      () => checkIsDelegable(value.record, value.rule),
    );
    demand(may);
    const here = { space, directory: config.directory, known: people(), mute };
    return { ...read, value: delegationCandidates(value, caller.principal, here, query) };
  },
});
