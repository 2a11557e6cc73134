import type { Candidates } from '../../../contracts/suspension/candidates.js';
import { checkInOrder } from '../../../domain/kernel/ruling.js';
import { checkVoter } from '../../../domain/suspension/answering/decision.js';
import { askersOf } from '../../../domain/suspension/answering/resume.js';
import { delegationCandidates } from '../../../domain/suspension/people/candidates.js';
import type { CandidateQuery } from '../../../domain/suspension/people/candidates.js';
import { checkIsDelegable } from '../../../domain/suspension/people/delegation.js';
import { checkIsOpenQuestion } from '../../../domain/suspension/people/verb.js';
import { demand } from '../../errors.js';
import type { Read } from '../../parts/caller.js';
import { READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { concerning } from './read.js';

/**
 * Lists the people to whom the caller may delegate a question. Who cannot delegate it learns no names. The question judges the
 * delegation once more.
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
