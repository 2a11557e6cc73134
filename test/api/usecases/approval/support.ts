import { workflowIdOf } from '../../../../contracts/constants/names.js';
import type { OperatorAnswer, RespondReceipt } from '../../../../workflows/suspension/messages.js';
import { proposalWith } from '../../../domain/approval/samples.js';
import { SUSPENSION_ID, type FakeCall } from '../../support/fakes.js';

/** The answer that the question of an approval got. */
export const answerIn = ({ args }: FakeCall): OperatorAnswer => args[0] as OperatorAnswer;

/** The id of the question that a call went to. */
export const questionOf = ({ workflowId }: FakeCall): string =>
  workflowId.slice(workflowIdOf('suspension', '').length);

/** What a question says to the answer that settles it; its approval waits for that. */
export function settledBy(call: FakeCall): RespondReceipt {
  const result = { intent_id: null, suspension_id: SUSPENSION_ID, resolution: 'responded' };
  const awaited_by = workflowIdOf('approval', proposalWith().approval_id);
  const { body_hash } = answerIn(call).answer;
  return { verdict: 'settled', result: result as never, body_hash, awaited_by };
}
